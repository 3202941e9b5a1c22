import { expect } from 'chai';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import { type Reply, reasonOf } from '../requests.js';

/** Expects an error response: HTTP 200, with the `state` of the request. */
export function expectErrorResponse(
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
