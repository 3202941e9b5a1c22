import { json, Refusal } from '../answer.js';
import { type Call, queryAndForm } from '../call.js';
import type { Endpoint, SandboxVersion, Troubles } from '../network.js';
import { classicRefusal } from './classic-authorization.js';
import { vkIdRefusal } from './vk-id-client.js';

/**
 * What the social network answers in trouble, endpoint by endpoint. No answer says how long to wait.
 *
 * @see https://dev.vk.com/ru/reference/errors (read 2026-11)
 */
export function socialNetworkTroubles({ name }: Endpoint, version: SandboxVersion | undefined): Troubles {
  return version === '2.1' ? vkIdTroubles(name) : classicTroubles(name);
}

function classicTroubles(name: string): Troubles {
  const limit = {
    'rate-limit': () => apiRefusal(6, 'Too many requests per second', 'too many requests'),
  };
  if (name === 'token') {
    const reason = 'code has expired';
    return {
      ...limit,
      'expired-code': () => classicRefusal(401, 'invalid_grant', 'Code is invalid or expired.', reason),
    };
  }
  if (name !== 'users.get') return limit;
  const message = 'User authorization failed: user revoke access for this token.';
  return { ...limit, 'revoked-token': () => apiRefusal(5, message, 'the token was revoked') };
}

function vkIdTroubles(name: string): Troubles {
  const refuse = (error: string, description: string, reason: string) => (call: Call) =>
    vkIdRefusal(queryAndForm(call), error, description, `${reason}`);
  const limit = { 'rate-limit': refuse('slow_down', 'Too many requests', 'too many requests') };
  switch (name) {
    case 'token':
      return {
        ...limit,
        'expired-code': refuse('invalid_grant', 'code is invalid or expired', 'code has expired'),
        'revoked-token': refuse(
          'invalid_request',
          'refresh_token is missing or invalid',
          'refresh_token was revoked',
        ),
      };
    case 'profile':
    case 'revocation':
    case 'logout':
      return {
        ...limit,
        'revoked-token': refuse(
          'invalid_token',
          'access_token is missing or invalid',
          'access_token was revoked',
        ),
      };
    default:
      return limit;
  }
}

function apiRefusal(error_code: number, error_msg: string, reason: string): Refusal {
  return new Refusal(json({ error: { error_code, error_msg, request_params: [] } }), reason);
}
