import type { LoginStep } from '../core/errors/index.js';
import {
  type ErrorResponses,
  errorCode,
  type Hints,
  isError,
  isObject,
  property,
  stringProperty,
} from '../core/http/index.js';

const LATER = 'The network has a fault or is busy; try again later.';
const TOKEN = 'The access token is not accepted; let the user log in again.';
const SPENT_ACCESS_TOKEN = 'The access token is not accepted; refresh it or let the user log in again.';
const PERSON =
  'The network wants the user to confirm something; let them log in at the network, and here again.';
const APPLICATION = "Check the application's settings and rights at the network.";
const UNASKED =
  "Something would have to be asked, which prompt 'none' forbids; start the login again without that prompt.";
const VERSION = 'Check apiVersion: the network has dropped versions below 5.81.';

/** Codes of `users.get` for accounts that cannot log in. */
export const UNUSABLE_ACCOUNTS: readonly string[] = ['18', '30', '37', '3610', '3611'];

const RATE_LIMITS = ['6', '9', '29', 'slow_down'];

/** Codes for an access token that is expired or revoked, or was issued to another address. Only VK ID can refresh it. */
const SPENT_ACCESS_TOKEN_CODES: readonly string[] = ['5', '1117', '3609', 'invalid_token'];

/** One hint for several codes of the API. */
function forCodes(hint: string, ...codes: readonly (number | string)[]): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, hint]));
}

/**
 * What usually helps against each code: OAuth errors by name, those of the API by number.
 *
 * @see https://dev.vk.com/ru/reference/errors (read 2026-11)
 */
const BY_CODE: Readonly<Record<string, string>> = {
  ...forCodes(LATER, 1, 6, 9, 10, 29, 36),
  ...forCodes(APPLICATION, 4, 7, 15, 20, 21),
  ...forCodes(TOKEN, 27, 28, 113, 1114, 1116, 1118),
  ...forCodes(SPENT_ACCESS_TOKEN, ...SPENT_ACCESS_TOKEN_CODES),
  ...forCodes(VERSION, 8, 34),
  ...forCodes(PERSON, 14, 17, 24, 41, 3300, 3301, 3302, 3303, 3304, 3305),
  access_denied: 'The user declined; let them start again.',
  invalid_request: 'Compare callbackURL and scope with the settings of the application at the network.',
  invalid_client:
    'Check clientID, and clientSecret (the protected key, not the service key) or, with VK ID, serviceToken; an application can use one of the two protocols, and version says which.',
  invalid_grant:
    'The code is expired, was used before, or was made for another redirect address than callbackURL. Let the user log in again.',
  invalid_scope: 'Check scope against the rights of the application at the network.',
  unauthorized_client: APPLICATION,
  server_error: LATER,
  temporarily_unavailable: LATER,
  slow_down: LATER,
  need_validation: PERSON,
  login_required: UNASKED,
  interaction_required: UNASKED,
  challenge:
    'The network takes this server for a robot and would ask a user to prove otherwise; try again later.',
  '2': 'The application is switched off; switch it on at the network.',
  '3': 'Check profileURL: the method does not exist.',
  '11': 'The application is in test mode; switch it on at the network.',
  '16': 'The network wants https; check profileURL.',
  '23': 'Check apiVersion: the method is switched off.',
  '38': 'Check clientID: the application is unknown.',
  '42': "Add this server's address to the application's at the network.",
  '100': 'Check profileFields, lang and the addresses in the options.',
  '101': 'Check clientID.',
  '150': "Set this machine's clock.",
  '9999': 'Check profileURL: the method wants another kind of request.',
};

const SPENT = 'The refresh token is expired, revoked or was used before; let the user log in again.';

const ENDED =
  'The token is expired or was revoked already. An access token that has expired must be refreshed first: the grant stays otherwise.';

export const HINTS: Hints = {
  byCode: BY_CODE,
  byStep: {
    token: {
      invalid_request:
        'VK ID: code, code verifier and device_id must come from one and the same login; let the user log in again.',
    },
    refresh: {
      invalid_request: `${SPENT} A refused device_id is another one than that of the login's params.`,
      invalid_grant: SPENT,
      invalid_token: SPENT,
    },
    revoke: { invalid_token: ENDED, invalid_request: ENDED },
  },
};

/**
 * The network has two kinds of error responses, with any status: a string `error` at the OAuth endpoints, an object at the API (with HTTP
 * 200). The object's `request_params` are never read: they echo the access token.
 */
export const ERROR_RESPONSES: ErrorResponses = {
  hints: HINTS,

  read({ body, headers, status }, step) {
    // VK ID's check for robots answers with a page; only the header tells.
    if (headers['x-challenge'] === 'required') return { networkCode: 'challenge' };
    const error = property(body, 'error');
    const description = stringProperty(body, 'error_description');
    const code = isObject(error) ? errorCode(property(error, 'error_code')) : stringProperty(body, 'error');
    if (code === undefined && !isError(error)) return undefined;
    return {
      networkCode: code,
      networkMessage: isObject(error) ? stringProperty(error, 'error_msg') : description,
      rateLimited: status === 429 || RATE_LIMITS.includes(code ?? ''),
      accessTokenSpent: isSpentAccessToken(step, code, description),
      tokenSpent: step === 'refresh' && isSpentToken(code, description),
    };
  },
};

function isSpentAccessToken(step: LoginStep, code = '', description = ''): boolean {
  if (step === 'revoke') return isSpentToken(code, description);
  return step === 'profile' && SPENT_ACCESS_TOKEN_CODES.includes(code);
}

/** VK ID reports a spent token as an invalid request, and another device as well. */
function isSpentToken(code = '', description = ''): boolean {
  return (
    ['invalid_grant', 'invalid_token'].includes(code) ||
    (code === 'invalid_request' && /token/.test(description))
  );
}
