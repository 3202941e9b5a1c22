import { json, Refusal } from '../answer.js';
import type { Clock } from '../clock.js';
import { randomHex } from '../secrets.js';

/** How the OAuth endpoints refuse: flat texts, and HTTP 200. */
export function shortVideoRefusal(
  clock: Clock,
  error: string,
  error_description: string,
  reason: string,
): Refusal {
  const log_id = logId(clock);
  return new Refusal(json({ error, error_description, log_id }, 200, { 'x-tt-logid': log_id }), reason);
}

/** Status and text of the API's errors. */
const API_ERRORS = {
  access_token_invalid: {
    status: 401,
    message: 'Access token is invalid, please refresh token and retry',
  },
  invalid_params: { status: 400, message: 'The fields parameter is invalid.' },
  rate_limit_exceeded: {
    status: 429,
    message: 'The API rate limit was exceeded. Please try again later.',
  },
  scope_not_authorized: {
    status: 401,
    message: 'The user did not authorize the scope required for completing this request.',
  },
} as const;

/** How the API refuses: a nested error, and a status that says so. */
export function shortVideoApiRefusal(clock: Clock, code: keyof typeof API_ERRORS, reason: string): Refusal {
  const { status, message } = API_ERRORS[code];
  const log_id = logId(clock);
  return new Refusal(
    json({ data: {}, error: { code, message, log_id } }, status, { 'x-tt-logid': log_id }),
    reason,
  );
}

/** The network's name for a request: the time to the second, then random digits in capitals, 34 characters. */
export function logId(clock: Clock): string {
  const digits = new Date(clock.now()).toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 14)}${randomHex(20).toUpperCase()}`;
}
