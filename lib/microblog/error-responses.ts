import type { ErrorResponse, LoginStep } from '../core/errors/index.js';
import {
  type ErrorResponses,
  errorCode,
  type Hints,
  isError,
  isObject,
  type NetworkResponse,
  property,
  stringProperty,
} from '../core/http/index.js';

const LATER = 'The network has a fault; try again later.';
const SUSPENDED = 'The account is suspended or locked; its owner has to sort that out at the network.';
const KEYS =
  'Check key and secret: those of OAuth 1.0a and of OAuth 2.0 differ, and so do those of each application.';
const CALLBACK =
  'Register exactly this callbackURL with the application at the network, slash for slash; use 127.0.0.1 rather than localhost.';

/**
 * What usually helps against each code: OAuth errors, problem types, and the numbers of version 1.1.
 *
 * @see https://github.com/xdevplatform/docs/blob/6e3e6fc5/x-api/fundamentals/response-codes-and-errors.mdx (2025-06; later texts leave the numbers out)
 */
const BY_CODE: Readonly<Record<string, string>> = {
  invalid_request:
    'The code lives 30 seconds and works once; redirect address and code verifier must be those of the start. Let the user log in again.',
  unauthorized_client:
    'Check clientID and clientSecret (the OAuth 2.0 ones, without white space); a confidential application needs its secret, a public one must have none.',
  invalid_client: KEYS,
  invalid_scope: 'Check scope against what the network documents.',
  Unauthorized: 'The access token is expired or revoked; refresh it or let the user log in again.',
  Forbidden: 'The token needs the scopes tweet.read and users.read; check scope.',
  'client-forbidden':
    'Put the application into a Project, or the Pay-per-use package, in the Production environment (client-not-enrolled).',
  'unsupported-authentication':
    'The token does not belong to a user; take one from a login of this strategy.',
  'oauth1-permissions': "Check the application's OAuth 1.0a permissions at the network.",
  credits: "The application's credits are used up; top them up at the network. It is no fault of the login.",
  'usage-capped': "The application's monthly cap is reached; raise it at the network.",
  'invalid-request': 'Check userFields, expansions, tweetFields and postFields.',
  'not-authorized-for-field': 'The application may not read a requested field; check userFields.',
  'field-unauthorized': 'The application may not read a requested field; check userFields.',
  'Too Many Requests': 'Wait until the limit is reset: 75 requests per user in 15 minutes.',
  'Internal Server Error': LATER,
  'Service Unavailable': LATER,
  '32': KEYS,
  '63': SUSPENDED,
  '64': SUSPENDED,
  '68': 'The address is retired; check the addresses in the options.',
  '87': "Check the application's permissions at the network.",
  '88': 'Wait until the limit is reset.',
  '89': 'The token is invalid or revoked; let the user log in again.',
  '99': KEYS,
  '130': LATER,
  '131': LATER,
  '135': "Set this machine's clock: the timestamp of the signature is too far off.",
  '215': KEYS,
  '220': "The application's access level does not allow this; check it at the network.",
  '251': 'The address is retired; check the addresses in the options.',
  '326': 'The account is locked; its owner has to unlock it at x.com.',
  '415': CALLBACK,
  '416': 'The application is suspended; ask the network.',
  '417': CALLBACK,
  '453': "The application's access level does not include this; check its package at the network.",
};

/** OAuth 2.0 and 1.0a. */
const SPENT_ACCESS_TOKEN: readonly string[] = ['Unauthorized', '89'];

const SPENT = 'The refresh token is expired, revoked or was used before; let the user log in again.';

const ENDED =
  'The token is expired or was revoked already. An access token that has expired must be refreshed first: the grant stays otherwise.';

export const HINTS: Hints = {
  byCode: BY_CODE,
  byStep: {
    refresh: { invalid_request: SPENT, invalid_grant: SPENT },
    revoke: {
      invalid_request: ENDED,
      '89': 'The token has ended already; there is nothing left to revoke.',
    },
  },
};

type CodeAndMessage = Pick<ErrorResponse, 'networkCode' | 'networkMessage'>;

/**
 * The network has five kinds of error responses. Which one comes depends on the endpoint; the content type does not tell. In this order: a
 * problem (`title`, `detail`, `type`), a list `errors`, an OAuth error, XML in two forms, a short plain sentence.
 */
export const ERROR_RESPONSES: ErrorResponses = {
  hints: HINTS,

  read(response, step) {
    const error = isObject(response.body) ? readJSON(response.status, response.body) : readText(response);
    return (
      error && {
        ...error,
        retryAfter: secondsUntilReset(response),
        accessTokenSpent: isSpentAccessToken(error, step),
        tokenSpent: step === 'refresh' && isSpentToken(error),
      }
    );
  },
};

/** At the token endpoints the same codes mean the client's credentials or the request token. */
function isSpentAccessToken(error: CodeAndMessage, step: LoginStep): boolean {
  const isRevocation = step === 'revoke';
  if (!isRevocation && step !== 'profile') return false;
  return SPENT_ACCESS_TOKEN.includes(error.networkCode ?? '') || (isRevocation && isSpentToken(error));
}

/** The token endpoint and the revocation report a spent token as an invalid request, and a missing parameter as well. */
function isSpentToken({ networkCode, networkMessage = '' }: CodeAndMessage): boolean {
  return (
    networkCode === 'invalid_grant' ||
    (networkCode === 'invalid_request' && networkMessage.startsWith('Value passed'))
  );
}

function readJSON(status: number, body: object): CodeAndMessage | undefined {
  // Beside a record, `errors` lists the parts that could not be returned.
  if (status < 300 && isObject(property(body, 'data'))) return undefined;
  const problem = readProblem(body);
  if (problem) return problem;
  const errors = property(body, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const error = stringProperty(body, 'error');
  if (isObject(first) && (error === undefined || property(first, 'code') !== undefined))
    return readListed(first);
  if (error === undefined) return isError(property(body, 'error')) ? {} : undefined;
  const description = stringProperty(body, 'error_description');
  // `{"error":"Invalid / expired Token"}`: a sentence is no code.
  if (description === undefined && /\s/.test(error)) return { networkMessage: error };
  return { networkCode: error, networkMessage: description };
}

function readListed(first: object): CodeAndMessage {
  return (
    readProblem(first) ?? {
      networkCode: errorCode(property(first, 'code')),
      networkMessage: stringProperty(first, 'message'),
    }
  );
}

function readProblem(body: object): CodeAndMessage | undefined {
  const title = stringProperty(body, 'title');
  if (title === undefined) return undefined;
  const type = stringProperty(body, 'type') ?? 'about:blank';
  // The last part of the type, a URL whose host has changed before.
  const networkCode = type === 'about:blank' ? title : type.split('/').at(-1);
  return { networkCode, networkMessage: stringProperty(body, 'detail') ?? title };
}

function readText({ status, text }: NetworkResponse): CodeAndMessage | undefined {
  if (status < 400) return undefined;
  const [, code, coded] = /<error code="(\d+)">([^<]*)<\/error>/.exec(text) ?? [];
  if (code !== undefined) return { networkCode: code, networkMessage: coded };
  const [, plain] = /<hash>\s*<error>([^<]*)<\/error>/.exec(text) ?? [];
  if (plain !== undefined) return { networkMessage: plain };
  // Not a form or JSON that broke off: they may hold tokens.
  const isSentence = text.length > 0 && text.length <= 200 && !/[<=]|^\s*[[{"]/.test(text);
  return isSentence ? { networkMessage: text } : undefined;
}

/** Seconds until `x-rate-limit-reset`, which is in seconds since the epoch, if the limit was the reason. */
function secondsUntilReset({ status, headers }: NetworkResponse): number | undefined {
  const reset = Number(headers['x-rate-limit-reset']);
  return status === 429 && reset > 0 && reset < 1e11
    ? Math.max(0, Math.ceil(reset - Date.now() / 1_000))
    : undefined;
}
