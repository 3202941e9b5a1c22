import {
  type ErrorResponses,
  errorCode,
  type Hints,
  isError,
  isObject,
  property,
  stringProperty,
} from '../core/http/index.js';

const OTHER_CLIENT =
  'Check client key and secret: sandbox and production have different ones, and those of the Business or Shop portals do not work here.';

/**
 * What usually helps against each error code.
 *
 * @see https://developers.tiktok.com/doc/oauth-error-handling (read 2026-11)
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11)
 */
const BY_CODE: Readonly<Record<string, string>> = {
  access_denied: 'The user declined; let them start again.',
  invalid_client: OTHER_CLIENT,
  invalid_grant: 'The code or token is expired or was used before; let the user log in again.',
  invalid_request:
    'Compare callbackURL with the redirect address registered with the network, slash for slash; a challenge that is not hex is refused so, too.',
  invalid_scope: 'Enable each scope for the application at the network.',
  unauthorized_client:
    'The application is not approved, the redirect address is not registered, or the account is no target user of the sandbox.',
  unsupported_grant_type: 'Check tokenURL.',
  unsupported_response_type: 'Check authorizationURL.',
  server_error: 'The network has a fault; try again later.',
  temporarily_unavailable: 'The network has a fault; try again later.',
  param_error:
    'errCode 10003 means client_key, 10006 and 10028 the redirect address, 10007 the code challenge: compare each with what is registered.',
  non_sandbox_target: "Add the account to the sandbox's target users.",
  access_token_invalid: 'The access token is expired or revoked; refresh it or let the user log in again.',
  scope_not_authorized: 'The user did not grant the scope of a requested field; ask for fewer profileFields.',
  scope_permission_missed: 'A requested field needs a further scope; add it or ask for fewer profileFields.',
  invalid_params: 'A requested field does not exist; check profileFields.',
  rate_limit_exceeded: 'The network allows 600 profile requests a minute; slow down.',
  internal_error: 'The network has a fault; try again later.',
};

const ENDED =
  'The token is expired or was revoked already. An access token that has expired must be refreshed first: the grant stays otherwise.';

export const HINTS: Hints = {
  byCode: BY_CODE,
  byStep: {
    refresh: {
      invalid_request: 'Check the stored refresh token: it must be whole, and as the network sent it.',
      invalid_grant: 'The refresh token is expired, revoked or was used before; let the user log in again.',
    },
    revoke: { invalid_request: ENDED, invalid_grant: ENDED, access_token_invalid: ENDED },
  },
};

/**
 * The network has two kinds of error responses, with any status: flat strings at the OAuth endpoints (with HTTP 200), and an object
 * `error` at the API, where the code `ok` means success. The API's inner object also comes alone.
 */
export const ERROR_RESPONSES: ErrorResponses = {
  hints: HINTS,

  read({ body, headers, status }, step) {
    const flat = stringProperty(body, 'error');
    const nested = property(body, 'error');
    const isAlone = property(body, 'data') === undefined && stringProperty(body, 'log_id') !== undefined;
    const api = isObject(nested) ? nested : isAlone ? body : undefined;
    const code = flat ?? errorCode(property(api, 'code'));
    if (code === 'ok' || (code === undefined && !isError(nested))) return undefined;
    const isFlat = flat !== undefined;
    const logID = headers['x-tt-logid'];
    return {
      networkCode: code,
      networkMessage: isFlat ? stringProperty(body, 'error_description') : stringProperty(api, 'message'),
      requestId: stringProperty(isFlat ? body : api, 'log_id') ?? (Array.isArray(logID) ? logID[0] : logID),
      rateLimited: code === 'rate_limit_exceeded' || status === 429,
      accessTokenSpent: code === 'access_token_invalid' || (step === 'revoke' && code === 'invalid_grant'),
      tokenSpent: step === 'refresh' && code === 'invalid_grant',
    };
  },
};
