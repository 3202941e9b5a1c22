import * as known from '../core/facts.js';
import { isLoopback } from '../core/hosts.js';

/** URLs of the network. */
export const endpoints = {
  /**
   * OAuth 2.0: where the user logs in. The old twitter.com address does not see logins on x.com.
   * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (read 2026-11)
   */
  AUTHORIZATION_URL: 'https://x.com/i/oauth2/authorize',
  /** OAuth 2.0: token requests and refreshes. @see https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (read 2026-11) */
  TOKEN_URL: 'https://api.x.com/2/oauth2/token',
  /** OAuth 2.0: revocation. @see https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (read 2026-11) */
  REVOCATION_URL: 'https://api.x.com/2/oauth2/revoke',
  /** The users lookup: the record in OAuth 2.0, the fallback in 1.0. @see https://docs.x.com/x-api/users/lookup (read 2026-11) */
  LOOKUP_URL: 'https://api.x.com/2/users/me',
  /** OAuth 1.0a: temporary credentials. @see https://docs.x.com/fundamentals/authentication/api-reference (read 2026-11) */
  REQUEST_TOKEN_URL: 'https://api.x.com/oauth/request_token',
  /** OAuth 1.0a: token credentials. @see https://docs.x.com/fundamentals/authentication/api-reference (read 2026-11) */
  ACCESS_TOKEN_URL: 'https://api.x.com/oauth/access_token',
  /**
   * OAuth 1.0a: where the user logs in. `authenticate` skips the question if the user allowed the application before;
   * `https://api.x.com/oauth/authorize` always asks.
   * @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11)
   */
  USER_AUTHORIZATION_URL: 'https://api.x.com/oauth/authenticate',
  /** OAuth 1.0a: the record. @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11) */
  VERIFY_CREDENTIALS_URL: 'https://api.x.com/1.1/account/verify_credentials.json',
  /** OAuth 1.0a: revocation. @see https://docs.x.com/fundamentals/authentication/api-reference (read 2026-11) */
  INVALIDATE_TOKEN_URL: 'https://api.x.com/1.1/oauth/invalidate_token.json',
  /** Sources for `form-action` of the Content-Security-Policy: all hosts that a browser may open on the way; the network documents no list. */
  FORM_ACTION_SOURCES: ['https://x.com', 'https://*.x.com', 'https://*.twitter.com'] as readonly string[],
};

/** What a login needs: with `users.read` alone the network answers 403. @see https://docs.x.com/x-api/users/lookup (read 2026-11) */
export const LOGIN_SCOPES: readonly string[] = ['tweet.read', 'users.read'];

/** The one field of the record that needs a scope beyond {@link LOGIN_SCOPES}, and that scope. @see https://docs.x.com/changelog (2025-04-03) */
export const EMAIL_FIELD = 'confirmed_email';
export const EMAIL_SCOPE = 'users.email';

const OPENAPI = 'documented: https://github.com/xdevplatform/docs/blob/main/openapi.json (2.167, 2026-08)';
const CODES =
  'documented: https://docs.x.com/x-api/fundamentals/response-codes-and-errors (commit 6e3e6fc5, 2025-06; later texts leave the numbers out)';
const SUPPOSED = 'supposed: RFC 6749 section 5.2';
/** Both try a pair of credentials with an invalid refresh token, and list what X responds to a wrong one. */
const CREDENTIALS_TRIED =
  'https://github.com/volyx/SimplyTweeted (README.md), https://github.com/bhavya368/unravel-test-api (docs/social-syndication.md)';

const KEYS =
  'Check clientID and clientSecret: key and secret of OAuth 1.0a and of OAuth 2.0 differ, and so do those of each application.';
const USED_UP =
  "The application's credits, spending limit or monthly cap are used up: raise them at the network. The login is not at fault, and retrying does not help.";

/** Problems of API version 2 and the numbers of version 1.1: the profile requests of both protocols can end with either. */
const API_ROWS: readonly known.ErrorRow[] = [
  ...known.rowsFrom(CODES, [
    ['326', 'account unusable', 'The account is locked; its owner has to unlock it at x.com.'],
    [['63', '64'], 'account unusable'],
  ]),
  {
    words: ['has been suspended', 'is suspended', 'temporarily locked'],
    means: 'account unusable',
    source: 'observed: xdevplatform/twitter-api-typescript-sdk and others, with HTTP 200 and 403',
  },
  { code: 'Unauthorized', step: 'revoke', means: 'access token spent', source: 'supposed' },
  {
    code: 'Forbidden',
    means: 'scope refused',
    hint: 'The token needs the scopes tweet.read and users.read; check scope.',
    source: 'observed: pilcrowonpaper/arctic#44, nextauthjs/next-auth#5838, PLhery/node-twitter-api-v2#265',
  },
  {
    code: 'client-forbidden',
    means: 'application closed',
    hint: 'Put the application into a Project, or the Pay-per-use package, in the Production environment (client-not-enrolled).',
    source: 'observed: xdevplatform/twitter-api-java-sdk#67, xdevplatform/samples#129',
  },
  ...known.rowsFrom(OPENAPI, [
    [
      ['not-authorized-for-field', 'field-unauthorized'],
      'scope refused',
      'The application may not read a requested field; check userFields.',
    ],
    ['not-authorized-for-resource', 'application closed'],
    ['invalid-request', 'request refused', 'Check userFields, expansions, tweetFields and postFields.'],
    ['resource-not-found', 'request refused', 'The account may be deactivated; else check the addresses.'],
    ['unsupported-authentication', 'request refused', 'The token is not a user token: use one from a login.'],
    ['internal-error', 'network fault'],
  ]),
  {
    code: 'oauth1-permissions',
    means: 'application closed',
    source: 'observed: PLhery/node-twitter-api-v2#493',
  },
  {
    code: ['credits', 'credits-depleted', 'spend-cap-reached', 'usage-capped'],
    means: 'application closed',
    hint: USED_UP,
    source: 'observed: since 2026-02, the second name since 2026-08; xdevplatform/xdk#25',
  },
  {
    words: ['usage cap', 'monthly product cap'],
    means: 'application closed',
    hint: USED_UP,
    source: 'observed: xdevplatform/xdk#25',
  },
  {
    code: '89',
    step: 'revoke',
    means: 'access token spent',
    hint: 'The token has ended already; there is nothing left to revoke.',
    source: CODES,
  },
  { code: '89', step: 'profile', means: 'access token spent', source: CODES },
  ...known.rowsFrom(CODES, [
    ['89', 'code spent'],
    [
      ['Too Many Requests', 'rate-limit-exceeded', '88'],
      'limit',
      'Wait until the limit is reset, as long as retryAfter says. Of profiles the network allows 75 requests per user in 15 minutes.',
    ],
    [['130', '131'], 'network fault'],
    [['32', '99', '215'], 'client refused', KEYS],
    ['135', 'clock refused'],
    ['226', 'limit', 'The network takes this server for a robot; send fewer requests, and try again later.'],
    [['87', '220', '348', '416'], 'application closed'],
  ]),
  { code: '453', means: 'application closed', source: 'observed: gregkh/bti#57, hapijs/bell#492' },
];

const OAUTH2_ROWS: readonly known.ErrorRow[] = [
  {
    code: 'invalid_request',
    step: 'refresh',
    words: ['value passed'],
    means: 'refresh token spent',
    source: 'observed: trypostit/trypost#126',
  },
  { code: 'invalid_grant', step: 'refresh', means: 'refresh token spent', source: SUPPOSED },
  {
    code: 'invalid_request',
    step: 'revoke',
    words: ['value passed'],
    means: 'access token spent',
    source: 'supposed',
  },
  { code: 'invalid_grant', step: 'revoke', means: 'access token spent', source: SUPPOSED },
  {
    code: 'unauthorized_client',
    means: 'client refused',
    says: 'knows the client ID, but the client secret is missing or wrong',
    hint: 'Copy clientID and clientSecret again from console.x.com (the OAuth 2.0 ones, without white space). A Web App, Automated App or Bot is a confidential client, which needs its secret; a Native App or Single page App has none.',
    source: `observed: superfaceai/passport-twitter-oauth2#42, tweepy/tweepy#2035, ${CREDENTIALS_TRIED}`,
  },
  {
    code: 'invalid_client',
    words: ['client id'],
    means: 'client refused',
    says: 'does not know the client ID',
    hint: KEYS,
    source: `observed: https://github.com/0xNyk/xint (lib/oauth.ts), ${CREDENTIALS_TRIED}`,
  },
  { code: 'invalid_client', means: 'client refused', hint: KEYS, source: 'documented: RFC 6749 section 5.2' },
  {
    code: 'invalid_request',
    words: ['missing required parameter'],
    means: 'request refused',
    hint: 'A parameter is missing: look for a proxy in between, or for an overridden tokenParams.',
    source: 'observed: tweepy/tweepy#2021, Steward-Fi/steward#31',
  },
  {
    code: 'invalid_request',
    words: ['redirect uri'],
    means: 'code spent',
    hint: known.OTHER_REDIRECT_URI,
    source: 'documented: docs.x.com, commit fc4f70a2',
  },
  {
    code: 'invalid_request',
    words: ['code verifier'],
    means: 'code spent',
    hint: known.OTHER_VERIFIER,
    source: 'observed: xdevplatform/twitter-api-typescript-sdk#26',
  },
  {
    code: ['invalid_request', 'invalid_grant'],
    step: 'token',
    means: 'code spent',
    hint: 'The code lives 30 seconds and works once; redirect URI and code verifier must be those of the start. Let the user log in again.',
    source: 'observed: PLhery/node-twitter-api-v2#496',
  },
  {
    code: 'invalid_request',
    means: 'request refused',
    hint: 'Check clientID, callbackURL and scope against the application at the network.',
    source: 'supposed',
  },
  { code: 'invalid_scope', means: 'scope refused', source: SUPPOSED },
  { code: 'access_denied', means: 'user declined', source: 'observed: clients of others' },
  { code: ['server_error', 'temporarily_unavailable'], means: 'network fault', source: SUPPOSED },
  ...API_ROWS,
];

const OAUTH1_ROWS: readonly known.ErrorRow[] = [
  {
    words: ['failed to validate oauth signature and token'],
    means: 'client refused',
    hint: KEYS,
    source: 'observed: plain text with HTTP 401, in public reports',
  },
  {
    words: ['invalid oauth_verifier', 'invalid request token', 'no request token', 'invalid / expired token'],
    step: 'token',
    means: 'code spent',
    source: 'observed: plain text with HTTP 401; jaredhanson/passport-twitter#82',
  },
  {
    words: ['timestamp out of bounds', 'used nonce'],
    means: 'clock refused',
    source: 'observed: themattharris/tmhOAuth#174, sferik/twitter-ruby#403',
  },
  {
    words: ['desktop applications only'],
    means: 'redirect URI refused',
    hint: 'The application has no callback URL at the network, which makes it a Desktop application: register callbackURL there, slash for slash.',
    source: 'observed: the text of 417, in XML without a code as well',
  },
  { code: ['415', '417'], means: 'redirect URI refused', source: CODES },
  ...API_ROWS,
];

/**
 * The match is exact, and a URL on this machine is as good as any.
 *
 * @see https://docs.x.com/fundamentals/developer-apps (read 2026-11); https://docs.x.com/tools/xurl registers http://localhost:8080
 */
const judgeRedirectURI: known.ProtocolFacts['judgeRedirectURI'] = (url) => {
  if (url.protocol === 'https:' || isLoopback(url)) return { isAccepted: true, says: 'accepts such URLs' };
  return {
    isAccepted: false,
    says: known.NO_PLAIN_HTTP,
    remedy: 'Use https; on your own machine http://127.0.0.1 or http://localhost.',
  };
};

/** Whether text is the base64url form of `...:1:ci` or the like, as most client IDs of OAuth 2.0 in X's documentation are. */
function isOAuth2ClientID(text: string): boolean {
  return /^[\w-]+$/.test(text) && /:\d+:[a-z]+$/.test(Buffer.from(text, 'base64url').toString('latin1'));
}

const NETWORK = { brand: 'X', portal: 'console.x.com', judgeRedirectURI };

/** What is known of X's OAuth 2.0. */
export const oauth2Facts: known.ProtocolFacts = {
  ...NETWORK,
  title: 'X, OAuth 2.0',
  credentialNames: ['client ID', 'client secret'],
  inventCode: (random) => Buffer.from(`${random}:1000000000000:1:0:ac:1`).toString('base64url'),
  inventClientID: (random) => Buffer.from(`${random.slice(0, 20)}:1:na`).toString('base64url'),
  errorRows: OAUTH2_ROWS,

  suspect({ clientID, secret = '' }) {
    if (isOAuth2ClientID(clientID)) return undefined;
    return isOAuth2ClientID(secret)
      ? 'clientSecret has the form of a Client ID: the two are probably swapped.'
      : "clientID does not have the usual form of a Client ID. An API Key belongs to OAuth 1.0a, version: '1.0'.";
  },
};

/** What is known of X's OAuth 1.0a. */
export const oauth1Facts: known.ProtocolFacts = {
  ...NETWORK,
  title: 'X, OAuth 1.0a',
  credentialNames: ['API key', 'API key secret'],
  errorRows: OAUTH1_ROWS,

  suspect({ clientID, secret = '' }) {
    if (isOAuth2ClientID(clientID)) {
      return 'clientID has the form of an OAuth 2.0 Client ID. OAuth 1.0a needs the API Key and its secret.';
    }
    // The documented example has 22 and 42 characters (creating-a-signature, read 2026-11).
    return clientID.length > secret.length
      ? 'clientID is longer than clientSecret, but an API Key is shorter than its secret: the two are probably swapped.'
      : undefined;
  },
};
