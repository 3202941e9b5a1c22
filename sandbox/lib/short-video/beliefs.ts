import { documented, observed, supposed } from '../core/evidence.js';

const PAGES = 'https://developers.tiktok.com';
const WEB = `${PAGES}/doc/login-kit-web (read 2026-11)`;
const DESKTOP = `${PAGES}/doc/login-kit-desktop/ (read 2026-11)`;
const ACCESS_TOKEN = `${PAGES}/doc/oauth-get-a-user-access-token (read 2026-11)`;
const OAUTH_ERRORS = `${PAGES}/doc/oauth-error-handling (read 2026-11)`;
const USER_INFO = `${PAGES}/doc/tiktok-api-v2-get-user-info (read 2026-11)`;
const API_ERRORS = `${PAGES}/doc/tiktok-api-v2-error-handling (read 2026-11)`;

export const BELIEFS = {
  // Authorization page
  clientKey: documented`client_key is required, and names an application. client_id may be sent as well, but is not read. |
    ${WEB}; error: ComposioHQ/composio#3980`,
  responseType: documented`response_type is code. | ${WEB}`,
  scopeSeparator: documented`Scopes are separated by commas. | ${WEB}`,
  scope: documented`scope names at least one scope, and only scopes that are enabled for the application. |
    ${WEB}`,
  redirectUri: documented`redirect_uri is a registered address with fewer than 512 characters, without query or fragment, compared exactly. |
    ${WEB}`,
  redirectUriHttps: documented`redirect_uri is https, except at localhost and 127.0.0.1, where it is registered for Desktop and has a port. |
    ${WEB}, ${DESKTOP}`,
  autoAuth: documented`disable_auto_auth is 0 or 1. | ${WEB}`,
  challenge: documented`A redirect_uri at localhost or 127.0.0.1 needs code_challenge. |
    ${DESKTOP}; error: brightbeanxyz/brightbean-studio#103`,
  challengeMethod: documented`code_challenge_method is S256. | ${DESKTOP}`,
  challengeForm: supposed`At an https redirect_uri, too, code_challenge is the SHA-256 of the verifier in lower-case hex. |
    ${DESKTOP}; Auth.js (nextauthjs/next-auth#12168, with a recorded login) and arctic send base64url`,
  // Token endpoint
  form: documented`The body is application/x-www-form-urlencoded. | ${ACCESS_TOKEN}`,
  client: documented`client_key and client_secret are in the body, and belong to one application. |
    ${ACCESS_TOKEN}, ${OAUTH_ERRORS}`,
  grantType: documented`grant_type is authorization_code or refresh_token. The wording of the error for another one is not known. |
    ${ACCESS_TOKEN}, ${OAUTH_ERRORS}`,
  code: documented`A code is sent as decoded from the callback, and works once, even if the exchange fails. Reports say that it lives one to ten minutes; the sandbox allows one. |
    ${ACCESS_TOKEN}, ${OAUTH_ERRORS}`,
  sameRedirectUri: documented`redirect_uri of the token request is that of the authorization request. |
    ${OAUTH_ERRORS}`,
  verifier: documented`code_verifier has 43 to 128 letters, digits and "-._~", and matches code_challenge. At localhost and 127.0.0.1 that is its SHA-256 in lower-case hex; the page accepts any. |
    ${DESKTOP}`,
  refreshToken: documented`A refresh token works once. The wording of the error is not known. | ${PAGES}/docs/en/oauth-refresh-a-user-access-token (read 2026-11)`,
  revocation: documented`A revocation needs a valid access token. Reports say that an expired one is rejected, and that the consent stays. |
    ${PAGES}/docs/en/oauth-revoke-a-user-access-token (read 2026-11)`,
  // User info
  bearer: documented`User info needs a valid access token. | ${API_ERRORS}`,
  fields: documented`fields is required. | ${USER_INFO}`,
  fieldNames: supposed`fields names only fields that exist. |
    ${API_ERRORS}; passport-tiktok-auth asks for avatar_url_200, which no page documents`,
  fieldScopes: observed`One field whose scope the user did not grant fails the whole request. |
    SocialiteProviders/Providers#1198`,
  basicScope: supposed`open_id, union_id, avatar_url, avatar_large_url and display_name need user.info.basic, even if user.info.profile was granted. |
    ${USER_INFO}; better-auth (better-auth/better-auth#397, tested by its author), and Auth.js until nextauthjs/next-auth#12608, request user.info.profile alone`,
  rateLimit: documented`User info answers 600 requests a minute. The sandbox counts none; it plays the fault rate-limit. |
    ${PAGES}/docs/zh-Hans/tiktok-api-v2-rate-limit (read 2026-11)`,
};

export const UNKNOWN: readonly string[] = [
  'The exact query of the redirect when a user declines.',
  'Whether PKCE is required by the kind of redirect URI (Desktop) or by the application. TikTok says that it is not for the web, yet errCode 10007 is reported from https addresses.',
  'How long a code lives.',
  'Whether access tokens of two hours and refresh tokens of 180 days apply to every application. They were a day and a year before.',
  'Whether the limit of 600 requests a minute counts by application or by token.',
  'What user info answers to a field that does not exist.',
  'Which fields of user.info.basic an application gets that was granted user.info.profile only.',
];
