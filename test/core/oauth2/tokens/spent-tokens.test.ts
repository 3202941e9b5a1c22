import { expect } from 'chai';
import type { LoginStep } from '../../lib/core/errors/index.js';
import type { ErrorResponses } from '../../lib/core/http/index.js';
import { ERROR_RESPONSES as microblog } from '../../lib/microblog/error-responses.js';
import { ERROR_RESPONSES as shortVideo } from '../../lib/short-video/error-responses.js';
import { ERROR_RESPONSES as socialNetwork } from '../../lib/social-network/error-responses.js';

/** Network, its reader, error, description, and whether the error means that the refresh token is used up. */
const ERRORS: [string, ErrorResponses, string, string, boolean][] = [
  ['short-video', shortVideo, 'invalid_grant', 'Refresh token is invalid or expired.', true],
  ['short-video', shortVideo, 'invalid_client', 'Client key or secret is incorrect.', false],
  ['short-video', shortVideo, 'server_error', '', false],
  ['microblog', microblog, 'invalid_request', 'Value passed for the token was invalid.', true],
  ['microblog', microblog, 'invalid_request', 'Missing required parameter [client_id].', false],
  ['microblog', microblog, 'unauthorized_client', 'Missing valid authorization header', false],
  ['social-network', socialNetwork, 'invalid_request', 'refresh_token is missing or invalid', true],
  ['social-network', socialNetwork, 'invalid_grant', '', true],
  ['social-network', socialNetwork, 'invalid_request', 'device_id is invalid', false],
  ['social-network', socialNetwork, 'slow_down', '', false],
];

describe('an error response', () => {
  for (const [network, read, error, description, spent] of ERRORS) {
    const title = `${error} ${description}`.trim();

    it(`of ${network}, "${title}", ${spent ? 'means' : 'does not mean'} that the refresh token is used up`, () => {
      expect(tokenSpent(read, error, description, 'refresh')).to.equal(spent);
    });

    it(`of ${network}, "${title}", says nothing about refresh tokens in a login`, () => {
      expect(tokenSpent(read, error, description, 'token')).to.equal(false);
    });
  }
});

function tokenSpent(
  errors: ErrorResponses,
  error: string,
  error_description: string,
  step: LoginStep,
): unknown {
  const body = { error, error_description };
  const response = { status: 400, headers: {}, text: JSON.stringify(body), wellFormed: true, body };
  return errors.read(response, step)?.tokenSpent;
}
