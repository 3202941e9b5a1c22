import { documented, observed, supposed } from '../core/evidence.js';

const DOCS = 'https://docs.x.com/fundamentals';
const AUTHORIZATION_CODE = `${DOCS}/authentication/oauth-2-0/authorization-code (read 2026-11)`;
const APPS = `${DOCS}/developer-apps (read 2026-11)`;
const API_REFERENCE = `${DOCS}/authentication/api-reference (read 2026-11)`;
const AUTHORIZING_A_REQUEST = `${DOCS}/authentication/oauth-1-0a/authorizing-a-request (read 2026-11)`;
const CREATING_A_SIGNATURE = `${DOCS}/authentication/oauth-1-0a/creating-a-signature (read 2026-11)`;
const ERRORS =
  'https://github.com/xdevplatform/docs/blob/6e3e6fc5/x-api/fundamentals/response-codes-and-errors.mdx (2025-06)';
const OPENAPI = 'https://github.com/xdevplatform/docs/blob/main/openapi.json (2.166 and 2.167)';

export const BELIEFS = {
  // OAuth 2.0, authorization page
  client: observed`client_id names an application with OAuth 2.0. Otherwise the page says "Something went wrong", and nothing is redirected. |
    superfaceai/passport-twitter-oauth2#9, xdevplatform/xurl#27, better-auth/better-auth#423`,
  responseType: documented`response_type is code. | ${AUTHORIZATION_CODE}`,
  redirectUri: documented`redirect_uri is a registered http or https address, compared exactly. |
    ${AUTHORIZATION_CODE}, ${APPS}`,
  redirectUriHttps: supposed`redirect_uri and oauth_callback are https, except on this machine. |
    ${APPS} asks for https in production; ${API_REFERENCE} shows http://myapp.com:3005`,
  state: documented`state has at most 500 characters. | ${AUTHORIZATION_CODE}`,
  scope: observed`scope names at least one scope, and only scopes that exist, separated by spaces. |
    xdevplatform/xurl#27, better-auth/better-auth#423; list: ${AUTHORIZATION_CODE}, ${OPENAPI}`,
  challenge: documented`code_challenge is required. | ${AUTHORIZATION_CODE}`,
  challengeMethod: documented`code_challenge_method is S256 or plain. | ${AUTHORIZATION_CODE}`,
  challengeMethodCase: supposed`The S of S256 is a capital letter. |
    ${AUTHORIZATION_CODE}, xdevplatform/twitter-api-typescript-sdk#26; X's earlier SDK and twitter-api-v2 send s256`,
  challengeForm: supposed`With S256, the page already rejects a code_challenge that is not 43 letters of base64url. |
    https://www.rfc-editor.org/rfc/rfc7636#section-4.2; known is only that the token endpoint compares it`,
  verifierForm: supposed`code_verifier, and so a plain code_challenge, has 43 to 128 letters, digits and "-._~". |
    https://www.rfc-editor.org/rfc/rfc7636#section-4.1; X's SDK xdk 0.6 and tweepy with an older oauthlib send 171, the example of X's earlier SDK has the plain challenge test, that of ${AUTHORIZATION_CODE} challenge`,
  // OAuth 2.0, token endpoint
  grantType: documented`grant_type is authorization_code or refresh_token. The wording of the error is not known. |
    ${AUTHORIZATION_CODE}`,
  tokenForm: supposed`The body of a token or revocation request is application/x-www-form-urlencoded. |
    ${AUTHORIZATION_CODE}; twitter-api-v2 sends JSON, and X read the code from it (PLhery/node-twitter-api-v2#496)`,
  tokenParameters: observed`The body has each required parameter once. |
    tweepy/tweepy#2021, Steward-Fi/steward#31`,
  clientAuthentication: documented`A confidential client sends ID and secret by HTTP Basic. |
    ${DOCS}/authentication/oauth-2-0/user-access-token (read 2026-11); error: superfaceai/passport-twitter-oauth2#42, tweepy/tweepy#2035`,
  tokenClient: observed`client_id, in the header or in the body, names an application with OAuth 2.0. |
    https://github.com/0xNyk/xint (lib/oauth.ts), https://github.com/volyx/SimplyTweeted (README.md), https://github.com/bhavya368/unravel-test-api (docs/social-syndication.md)`,
  publicClient: documented`A public client sends its client_id in the body. | ${AUTHORIZATION_CODE}`,
  publicClientHeader: supposed`A public client sends no Authorization header. |
    https://www.rfc-editor.org/rfc/rfc6749#section-2.3; laravel/socialite#576 found it harmless`,
  code: documented`A code belongs to one client, lives 30 seconds and works once. |
    ${AUTHORIZATION_CODE}; error: PLhery/node-twitter-api-v2#496`,
  sameRedirectUri: documented`redirect_uri of the token request is that of the authorization request. |
    https://github.com/xdevplatform/docs/commit/fc4f70a2`,
  verifier: observed`code_verifier matches code_challenge. | xdevplatform/twitter-api-typescript-sdk#26`,
  refreshToken: observed`A refresh token works once. When a used one comes back, the whole consent ends. |
    trypostit/trypost#126, gptme/gptme-contrib#285`,
  revokedToken: supposed`A revocation is rejected if its token is unknown or has ended. |
    no page or report says so; https://www.rfc-editor.org/rfc/rfc7009#section-2.2 accepts any token`,
  // Users lookup
  bearer: observed`The users lookup needs a valid access token. | xdevplatform/xurl#8`,
  lookupScopes: documented`The users lookup needs the scopes tweet.read and users.read. |
    ${OPENAPI}; error: pilcrowonpaper/arctic#44, nextauthjs/next-auth#5838`,
  lookupValues: documented`user.fields, expansions, tweet.fields and post.fields name values that X documents. |
    https://docs.x.com/x-api/users/lookup/quickstart/authenticated-lookup (read 2026-11), ${OPENAPI}`,
  lookupVocabulary: supposed`A users lookup has only values that both versions of the API description have: no expansions, tweet.fields or post.fields. |
    ${OPENAPI}: the two call them differently, and it is not known which names X accepts`,
  emailScope: supposed`confirmed_email is rejected without the scope users.email. |
    honojs/middleware#1439; leaving the field out is as likely`,
  // OAuth 1.0a
  signedParameters: documented`A signed request has oauth_consumer_key, oauth_nonce, oauth_signature and oauth_timestamp, the method HMAC-SHA1, the version 1.0, and no parameter twice. |
    ${AUTHORIZING_A_REQUEST}, ${CREATING_A_SIGNATURE}; error: ${ERRORS}`,
  tokenTwice: supposed`oauth_token is not in the header and again in query or body. |
    ${CREATING_A_SIGNATURE}; X's SDK xdk and twitter-api-v2 send it twice and sign it once`,
  consumer: documented`oauth_consumer_key names an application. | ${AUTHORIZING_A_REQUEST}; error: ${ERRORS}`,
  timestamp: documented`oauth_timestamp is near X's clock. How near is not documented; the sandbox allows five minutes. |
    ${AUTHORIZING_A_REQUEST}; error: ${ERRORS}`,
  nonce: documented`oauth_nonce is ASCII, and new. The error is not known. |
    ${API_REFERENCE}, ${AUTHORIZING_A_REQUEST}`,
  signature: documented`oauth_signature covers method, URL, query, form and oauth parameters. |
    ${CREATING_A_SIGNATURE}; error: ${ERRORS}`,
  accessToken: documented`oauth_token is an access token that was not revoked. | ${API_REFERENCE}, ${ERRORS}`,
  callback: documented`oauth_callback is required: a registered http or https address, or oob. |
    ${API_REFERENCE}, ${APPS}; error: arunagw/omniauth-twitter#144, VocaDB/vocadb#455`,
  requestToken: observed`A request token is shown to one user and exchanged once. Its lifetime is not known; the sandbox allows fifteen minutes. |
    jaredhanson/passport-twitter#82`,
  pinPage: supposed`A login by PIN goes to /oauth/authorize, not to /oauth/authenticate. |
    ${API_REFERENCE}; ${DOCS}/authentication/oauth-1-0a/pin-based-oauth (read 2026-11) allows both, and twitter-api-v2 uses the second by default`,
  oauthVerifier: documented`oauth_verifier is that of the callback, or the PIN. | ${API_REFERENCE}`,
  oauth1Only: observed`verify_credentials takes OAuth 1.0a only. | atinux/nuxt-auth-utils#150`,
  rateLimit: documented`A user has 75 lookups in 15 minutes. The sandbox counts none; it plays the fault rate-limit. |
    https://docs.x.com/x-api/fundamentals/rate-limits (read 2026-11)`,
};

export const UNKNOWN: readonly string[] = [
  'Whether verify_credentials works for new applications that pay per use, and what it costs.',
  'Which names the users lookup accepts: those of the guides (pinned_tweet_id, tweet.fields) or those of API description 2.167 (pinned_post_id, post.fields).',
  'Whether confirmed_email comes with OAuth 1.0a.',
  'What X answers to the scope users.email while "Request email from users" is off.',
  'Whether a token or revocation request may be JSON.',
  'The answer to a revocation in OAuth 2.0.',
  'The exact query of the redirect when a user declines in OAuth 2.0.',
  'How long a request token lives, and how far oauth_timestamp may be off.',
  "Whether a callback URL may have a scheme of an application's own: the page on applications excludes non-standard schemes, the API reference shows twitterclient://callback.",
];
