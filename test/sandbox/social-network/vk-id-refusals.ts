import { expect } from 'chai';
import type { Sandbox } from '../../../lib/sandbox/index.js';
import { type Reply, reasonOf } from '../requests.js';

/** Expects a refusal: HTTP 200, with the request's state repeated. */
export function expectRefusal(
  sandbox: Sandbox,
  reply: Reply,
  error: string,
  error_description: string,
  reason: string,
  state = '',
): void {
  expect(reply.status).to.equal(200);
  expect(reply.json).to.deep.equal({ error, error_description, state });
  expect(reasonOf(sandbox)).to.equal(reason);
}
