import { json, plain, Refusal } from '../answer.js';
import type { Clock } from '../clock.js';
import type { Endpoint, SandboxVersion, Troubles } from '../network.js';
import { SignatureError } from './oauth1-signature.js';
import { invalid } from './oauth2-client.js';
import { problem, signatureRefusal } from './refusals.js';

/** Requests in 15 minutes that the network allows to the users lookup, for each person. */
const LIMIT = '75';

/**
 * What the microblog network answers in trouble, endpoint by endpoint.
 *
 * @see https://docs.x.com/x-api/fundamentals/response-codes-and-errors and /x-api/fundamentals/rate-limits (read 2026-11)
 */
export function microblogTroubles(
  clock: Clock,
  { name }: Endpoint,
  version: SandboxVersion | undefined,
): Troubles {
  const limit = { 'rate-limit': (_call: unknown, seconds: number) => rateLimit(clock, seconds) };
  const revoked = (): Refusal => signatureRefusal(new SignatureError('token', 'oauth_token was revoked'));
  switch (name) {
    case 'token':
      return {
        ...limit,
        'expired-code': () =>
          invalid('Value passed for the authorization code was invalid.', 'code has expired'),
        'revoked-token': () =>
          invalid('Value passed for the token was invalid.', 'refresh_token was revoked'),
      };
    case 'access token':
      return {
        ...limit,
        'expired-code': () => new Refusal(plain('Invalid request token.', 401), 'oauth_token has expired'),
      };
    case 'users lookup':
      return {
        ...limit,
        'revoked-token': () => problem(401, 'Unauthorized', 'the token was revoked'),
      };
    case 'verify credentials':
      return { ...limit, 'revoked-token': revoked };
    case 'revocation':
      return {
        ...limit,
        'revoked-token':
          version === '1.0'
            ? revoked
            : () => invalid('Value passed for the token was invalid.', 'token was revoked'),
      };
    default:
      return limit;
  }
}

function rateLimit(clock: Clock, seconds: number): Refusal {
  const headers = {
    'x-rate-limit-limit': LIMIT,
    'x-rate-limit-remaining': '0',
    'x-rate-limit-reset': String(Math.floor(clock.now() / 1000) + seconds),
  };
  const body = { errors: [{ code: 88, message: 'Rate limit exceeded' }] };
  return new Refusal(json(body, 429, headers), 'too many requests');
}
