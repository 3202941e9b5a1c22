import type { Refusal } from '../answer.js';
import type { Clock } from '../clock.js';
import type { Troubles } from '../network.js';
import { shortVideoApiRefusal, shortVideoRefusal } from './refusals.js';

/**
 * What the short-video network answers in trouble, endpoint by endpoint.
 *
 * The OAuth endpoints have no published limit; they are taken to answer as the API does. No answer says how long to wait.
 *
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11)
 */
export function shortVideoTroubles(clock: Clock, endpoint: string): Troubles {
  const limit = {
    'rate-limit': () => shortVideoApiRefusal(clock, 'rate_limit_exceeded', 'too many requests'),
  };
  const dead = (description: string, reason: string) => (): Refusal =>
    shortVideoRefusal(clock, 'invalid_grant', description, reason);
  switch (endpoint) {
    case 'token':
      return {
        ...limit,
        'expired-code': dead('Authorization code is expired.', 'code has expired'),
        'revoked-token': dead('Refresh token is invalid or expired.', 'refresh_token was revoked'),
      };
    case 'revocation':
      return {
        ...limit,
        'revoked-token': dead('Access token is invalid or expired.', 'token was revoked'),
      };
    case 'profile': {
      const reason = 'the bearer token was revoked';
      return {
        ...limit,
        'revoked-token': () => shortVideoApiRefusal(clock, 'access_token_invalid', reason),
      };
    }
    default:
      return limit;
  }
}
