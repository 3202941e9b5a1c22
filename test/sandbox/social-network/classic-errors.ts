import { expect } from 'chai';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import { type Reply, reasonOf } from '../requests.js';

/** Expects an error response in JSON, without a redirect. */
export function expectErrorResponse(
  sandbox: Sandbox,
  reply: Reply,
  status: number,
  error: string,
  error_description: string,
  reason = error_description,
): void {
  expect(reply.status).to.equal(status);
  expect(reply.headers.get('location')).to.equal(null);
  expect(reply.json).to.deep.equal({ error, error_description });
  expect(reasonOf(sandbox)).to.equal(reason);
}
