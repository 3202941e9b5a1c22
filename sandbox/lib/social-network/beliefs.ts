import { documented, observed, supposed } from '../core/evidence.js';

const CODE_FLOW = 'https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)';
const API_REQUESTS = 'https://dev.vk.com/en/api/api-requests (read 2026-11)';
const API_ERRORS = 'https://dev.vk.com/ru/reference/errors (read 2026-11)';
const PHP_SDK = 'https://github.com/VKCOM/vk-php-sdk';
const VK_ID =
  'https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)';
const WEB_SDK = 'https://github.com/VKCOM/vkid-web-sdk';
const IOS_SDK = 'https://github.com/VKCOM/vkid-ios-sdk';

export const BELIEFS = {
  // Classic protocol
  client: documented`Classic: client_id names an application of this protocol. |
    ${CODE_FLOW}; error: VKCOM/vk-android-sdk#290, mamantoha/omniauth-vkontakte#89`,
  noPkce: observed`Classic: There is no PKCE, so whoever has a code that was not exchanged can use it in a login of their own. VK ID has PKCE. |
    nextauthjs/next-auth#9898, nextauthjs/next-auth#11633, directus/directus#20189`,
  responseType: documented`Classic: response_type is code. VK also has token, which the sandbox does not play. |
    ${CODE_FLOW}`,
  authorizationVersion: supposed`Classic: The authorization request has v, from 5.81 on. |
    A report of 2014 (PHPoAuthLib#233); arctic, grant, passport-vkontakte, passport-vk-strategy and social-core never send it, and VK's own example has none`,
  redirectUri: documented`Classic: redirect_uri is a registered http or https address, compared exactly. |
    ${CODE_FLOW}; error: mamantoha/omniauth-vkontakte#39`,
  redirectUriHttps: supposed`redirect_uri is https, except on this machine. |
    https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.1; no page or report of VK says so`,
  scope: supposed`Classic: scope is a sum of VK's bits, or has VK's names, separated by commas or spaces. |
    ${PHP_SDK} has the bits; no page or report says that others are rejected`,
  display: documented`Classic: display is page, popup or mobile. | ${CODE_FLOW}`,
  clientSecret: observed`Classic: client_id and client_secret are in query or body, not in HTTP Basic. |
    VKCOM/vk-php-sdk#96, yiisoft/yii2-authclient#248, mamantoha/omniauth-vkontakte#89`,
  grantType: supposed`Classic: grant_type is authorization_code, or missing. |
    ${PHP_SDK} sends none; no page or report says that others are rejected`,
  code: observed`Classic: A code works once. VK calls its lifetime short; the sandbox allows a minute. |
    7even/vkontakte_api#38, stevebest/passport-vkontakte#45`,
  sameRedirectUri: observed`Classic: redirect_uri of the token request is that of the authorization request. |
    Nodge/yii-eauth#29`,
  // API
  version: documented`A request to the API has v, from 5.81 on. |
    ${API_REQUESTS}; error: VKCOM/vk-java-sdk#241, ueberauth/ueberauth_vk#108`,
  token: documented`users.get needs a valid access token, of either protocol. |
    ${API_REQUESTS}, ${API_ERRORS}`,
  method: documented`The name of a method is spelled exactly. | ${API_REQUESTS}`,
  rateLimit: documented`There is a limit of requests a second. The sandbox counts none; it plays the fault rate-limit. |
    ${API_ERRORS}`,
  // VK ID
  vkIdClient: documented`VK ID: client_id names an application of this protocol. |
    ${VK_ID}; error: gitroomhq/postiz-app#1398, VKCOM/vkid-ios-sdk#41`,
  vkIdResponseType: documented`VK ID: response_type is code. | ${VK_ID}`,
  vkIdRedirectUri: documented`VK ID: redirect_uri is a trusted http or https address of the application, compared exactly. |
    ${VK_ID}`,
  vkIdState: supposed`VK ID: state has at least 32 letters, digits, "_" and "-". VK ID removes dots. |
    SocialiteProviders/Providers#1490; dots: playa-ru/keycloak-russian-providers#37; django-allauth logs in with 16 characters, passport-vk-id sends 24`,
  vkIdChallenge: documented`VK ID: code_challenge is required: the SHA-256 of the verifier in base64url. The verifier is not sent along. |
    ${VK_ID}`,
  vkIdChallengeMethod: documented`VK ID: code_challenge_method is S256 or s256. |
    ${VK_ID}; older pages and VK's SDKs have s256, newer pages and libraries S256`,
  vkIdScope: documented`VK ID: scope names only what is enabled for the application, separated by spaces. |
    ${VK_ID}, ${WEB_SDK}`,
  vkIdChoices: documented`VK ID: prompt, provider, lang_id and scheme have values that VK's SDKs have. |
    ${WEB_SDK}`,
  vkIdPromptNone: documented`VK ID: With the prompt none, nobody is asked. The sandbox has no sessions, so nobody is logged in. |
    ${VK_ID}, ${WEB_SDK}`,
  vkIdClientSecret: supposed`VK ID: client_secret is not sent. |
    SocialiteProviders/Providers#1419, SocialiteProviders/Providers#1490; better-auth, passport-vk-id and django-allauth send one`,
  vkIdServiceToken: documented`VK ID: service_token, if sent, is the application's service key. The wording of the error is not known. |
    ${IOS_SDK}, its demo`,
  vkIdGrantType: documented`VK ID: grant_type is authorization_code or refresh_token. VK ID also exchanges tokens of the classic protocol, which the sandbox does not play. The wording of the error is not known. |
    ${WEB_SDK}; tokens of the classic protocol: https://github.com/VKCOM/vkid-android-sdk, ${IOS_SDK}`,
  vkIdCode: observed`VK ID: A code lives ten minutes and works once. |
    Callbacks captured in 2024 have expires_in=600; libraries quote the same from ${VK_ID}`,
  vkIdDevice: documented`VK ID: device_id is that of the authorization response, also when a token is refreshed. |
    ${WEB_SDK}`,
  vkIdSameRedirectUri: documented`VK ID: redirect_uri of the token request is that of the authorization request. The wording of the error is not known. |
    ${VK_ID}, ${WEB_SDK}`,
  vkIdVerifier: documented`VK ID: code_verifier has 43 to 128 letters, digits, "_" and "-", and matches code_challenge. |
    ${VK_ID}; error: VKCOM/vkid-web-sdk#34, VKCOM/vk-php-sdk#122`,
  vkIdRefreshToken: documented`VK ID: A refresh token works once. When a used one comes back, the login ends. |
    ${VK_ID}, ${WEB_SDK}`,
  vkIdToken: documented`VK ID: user_info, revoke and logout need a valid access token. |
    ${VK_ID}, ${WEB_SDK}`,
  vkIdIdToken: documented`VK ID: public_info needs a valid ID token. | ${WEB_SDK}`,
};

export const UNKNOWN: readonly string[] = [
  'Whether the classic protocol still works. VK calls it obsolete; no login later than July 2025 is reported. New applications use VK ID.',
  'Whether a redirect URI on this machine works at other ports than 80 and 443: django-allauth says no, better-auth and Strapi show others.',
  "What VK's pages say today about state, prompt and service_token.",
  'Whether a client_secret sent to VK ID is really answered with 404.',
  'The HTTP status of the errors of VK ID: 200 is reported, and some clients expect 400.',
  'When the hosts under vk.com go off, and when id.vk.ru moves to the Russian national certificate authority.',
  'Which value the claim iss of the ID token has, and its keys: libraries quote that there is such a claim.',
  'How public_info masks an e-mail address.',
  'Whether users.get of API version 5.199 still returns country.',
  'The bits of the scopes phone_number and stories.',
];
