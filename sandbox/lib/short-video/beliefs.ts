import type { Belief } from '../core/evidence.js';

const PAGES = 'https://developers.tiktok.com';
const WEB = `${PAGES}/doc/login-kit-web (read 2026-11)`;
const DESKTOP = `${PAGES}/doc/login-kit-desktop/ (read 2026-11)`;
const ACCESS_TOKEN = `${PAGES}/doc/oauth-get-a-user-access-token (read 2026-11)`;
const REFRESH = `${PAGES}/docs/en/oauth-refresh-a-user-access-token (read 2026-11)`;
const REVOKE = `${PAGES}/docs/en/oauth-revoke-a-user-access-token (read 2026-11)`;
const OAUTH_ERRORS = `${PAGES}/doc/oauth-error-handling (read 2026-11)`;
const USER_INFO = `${PAGES}/doc/tiktok-api-v2-get-user-info (read 2026-11)`;
const API_ERRORS = `${PAGES}/doc/tiktok-api-v2-error-handling (read 2026-11)`;
const RATE_LIMIT = `${PAGES}/docs/zh-Hans/tiktok-api-v2-rate-limit (read 2026-11)`;

/** What the sandbox's short-video network holds requests to. */
export const BELIEFS = {
  // Authorization page
  clientKey: {
    says: 'client_key is required, and names an application. client_id may be sent as well, but is not read.',
    mark: 'documented',
    source: `${WEB}; error: ComposioHQ/composio#3980`,
  },
  responseType: { says: 'response_type is code.', mark: 'documented', source: WEB },
  scopeSeparator: { says: 'Scopes are separated by commas.', mark: 'documented', source: WEB },
  scope: {
    says: 'scope names at least one scope, and only scopes that are enabled for the application.',
    mark: 'documented',
    source: WEB,
  },
  redirectUri: {
    says: 'redirect_uri is a registered address with fewer than 512 characters, without query or fragment, compared exactly.',
    mark: 'documented',
    source: WEB,
  },
  redirectUriHttps: {
    says: 'redirect_uri is https, except at localhost and 127.0.0.1, where it is registered for Desktop and has a port.',
    mark: 'documented',
    source: `${WEB}, ${DESKTOP}`,
  },
  autoAuth: { says: 'disable_auto_auth is 0 or 1.', mark: 'documented', source: WEB },
  challenge: {
    says: 'A redirect_uri at localhost or 127.0.0.1 needs code_challenge.',
    mark: 'documented',
    source: `${DESKTOP}; error: brightbeanxyz/brightbean-studio#103`,
  },
  challengeMethod: { says: 'code_challenge_method is S256.', mark: 'documented', source: DESKTOP },
  challengeForm: {
    says: 'At an https redirect_uri, too, code_challenge is the SHA-256 of the verifier in lower-case hex.',
    mark: 'supposed',
    source: `${DESKTOP}; Auth.js (nextauthjs/next-auth#12168, with a recorded login) and arctic send base64url`,
  },
  // Token endpoint
  form: {
    says: 'The body is application/x-www-form-urlencoded.',
    mark: 'documented',
    source: ACCESS_TOKEN,
  },
  client: {
    says: 'client_key and client_secret are in the body, and belong to one application.',
    mark: 'documented',
    source: `${ACCESS_TOKEN}, ${OAUTH_ERRORS}`,
  },
  grantType: {
    says: 'grant_type is authorization_code or refresh_token. The wording of the error for another one is not known.',
    mark: 'documented',
    source: `${ACCESS_TOKEN}, ${OAUTH_ERRORS}`,
  },
  code: {
    says: 'A code is sent as decoded from the callback, and works once, even if the exchange fails. Reports say that it lives one to ten minutes; the sandbox allows one.',
    mark: 'documented',
    source: `${ACCESS_TOKEN}, ${OAUTH_ERRORS}`,
  },
  sameRedirectUri: {
    says: 'redirect_uri of the token request is that of the authorization request.',
    mark: 'documented',
    source: OAUTH_ERRORS,
  },
  verifier: {
    says: 'code_verifier has 43 to 128 letters, digits and "-._~", and matches code_challenge. At localhost and 127.0.0.1 that is its SHA-256 in lower-case hex; the page accepts any.',
    mark: 'documented',
    source: DESKTOP,
  },
  refreshToken: {
    says: 'A refresh token works once. The wording of the error is not known.',
    mark: 'documented',
    source: REFRESH,
  },
  revocation: {
    says: 'A revocation needs a valid access token. An expired one is rejected, and the consent stays.',
    mark: 'documented',
    source: REVOKE,
  },
  // User info
  bearer: { says: 'User info needs a valid access token.', mark: 'documented', source: API_ERRORS },
  fields: { says: 'fields is required.', mark: 'documented', source: USER_INFO },
  fieldNames: {
    says: 'fields names only fields that exist.',
    mark: 'supposed',
    source: `${API_ERRORS}; passport-tiktok-auth asks for avatar_url_200, which no page documents`,
  },
  fieldScopes: {
    says: 'One field whose scope the user did not grant fails the whole request.',
    mark: 'observed',
    source: 'SocialiteProviders/Providers#1198',
  },
  basicScope: {
    says: 'open_id, union_id, avatar_url, avatar_large_url and display_name need user.info.basic, even if user.info.profile was granted.',
    mark: 'supposed',
    source: `${USER_INFO}; better-auth (better-auth/better-auth#397, tested by its author), and Auth.js until nextauthjs/next-auth#12608, request user.info.profile alone`,
  },
  rateLimit: {
    says: 'User info answers 600 requests a minute. The sandbox counts none; it plays the fault rate-limit.',
    mark: 'documented',
    source: RATE_LIMIT,
  },
} as const satisfies Readonly<Record<string, Belief>>;

/** What nobody could confirm about the network. */
export const UNKNOWN: readonly string[] = [
  'The exact query of the redirect when a user declines.',
  'Whether PKCE is required by the kind of redirect URI (Desktop) or by the application. TikTok says that it is not for the web, yet errCode 10007 is reported from https addresses.',
  'How long a code lives.',
  'Whether access tokens of two hours and refresh tokens of 180 days apply to every application. They were a day and a year before.',
  'Whether the limit of 600 requests a minute counts by application or by token.',
  'What user info answers to a field that does not exist.',
  'Which fields of user.info.basic an application gets that was granted user.info.profile only.',
];
