import { expect } from 'chai';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import { type Reply, reasonOf } from '../requests.js';

/** Reason when a confidential client is not authenticated. */
export const NO_BASIC =
  'a confidential client must send its identifier and secret by HTTP Basic: the header is missing or wrong';

/** Expects the error response for an invalid value. */
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

/** Expects the error response for a client that the network does not know. */
export function expectUnknownClient(sandbox: Sandbox, reply: Reply): void {
  expect(reply.status).to.equal(400);
  expect(reply.json).to.deep.equal({
    error: 'invalid_client',
    error_description: 'Value passed for the client id was invalid.',
  });
  expect(reasonOf(sandbox)).to.equal('client_id is no client of the sandbox');
}

/** Expects the error response for a failed client authentication. */
export function expectUnauthorized(sandbox: Sandbox, reply: Reply, reason: string): void {
  expect(reply.status).to.equal(401);
  expect(reply.json).to.deep.equal({
    error: 'unauthorized_client',
    error_description: 'Missing valid authorization header',
  });
  expect(reasonOf(sandbox)).to.equal(reason);
}
