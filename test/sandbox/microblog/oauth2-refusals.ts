import { expect } from 'chai';
import type { Sandbox } from '../../../lib/sandbox/index.js';
import { type Reply, reasonOf } from '../requests.js';

/** Why a confidential client is refused. */
export const NO_BASIC =
  'a confidential client sends its identifier and secret by HTTP Basic: there is none, or a wrong one';

/** Expects a value to be refused. */
export function expectInvalid(
  sandbox: Sandbox,
  reply: Reply,
  error_description: string,
  reason: string,
): void {
  expect(reply.status).to.equal(400);
  expect(reply.json).to.deep.equal({ error: 'invalid_request', error_description });
  expect(reasonOf(sandbox)).to.equal(reason);
}

/** Expects a client to be refused. */
export function expectUnauthorized(sandbox: Sandbox, reply: Reply, reason: string): void {
  expect(reply.status).to.equal(401);
  expect(reply.json).to.deep.equal({
    error: 'unauthorized_client',
    error_description: 'Missing valid authorization header',
  });
  expect(reasonOf(sandbox)).to.equal(reason);
}
