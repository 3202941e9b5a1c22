import { expect } from 'chai';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import { type Reply, reasonOf, stringIn } from '../requests.js';

/** Expects an OAuth error: HTTP 200, a flat object, the request ID in body and header. */
export function expectErrorResponse(
  sandbox: Sandbox,
  reply: Reply,
  error: string,
  error_description: string,
  reason: string,
): void {
  expect(reply.status).to.equal(200);
  const log_id = stringIn(reply.json, 'log_id');
  expect(reply.json).to.deep.equal({ error, error_description, log_id });
  expect(log_id).to.match(/^\d{14}[0-9A-F]{20}$/);
  expect(reply.headers.get('x-tt-logid')).to.equal(log_id);
  expect(reasonOf(sandbox)).to.equal(reason);
}
