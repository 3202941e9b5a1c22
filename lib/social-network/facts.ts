import * as known from '../core/facts.js';
import { isLoopback } from '../core/hosts.js';
import { namesIn } from '../core/profile.js';

/** URLs of the network. It moved from vk.com to vk.ru in September 2025. */
export const endpoints = {
  /** Where the user logs in. @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11) */
  AUTHORIZATION_URL: 'https://oauth.vk.ru/authorize',
  /** Token requests. @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11) */
  TOKEN_URL: 'https://oauth.vk.ru/access_token',
  /** The user's record. @see https://dev.vk.com/en/api/api-requests (read 2026-11) */
  PROFILE_URL: 'https://api.vk.ru/method/users.get',
  /** Default of `apiVersion`. */
  API_VERSION: '5.126',
  /** VK ID: where the user logs in. @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11) */
  VK_ID_AUTHORIZATION_URL: 'https://id.vk.ru/authorize',
  /** VK ID: token requests and refreshes. @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11) */
  VK_ID_TOKEN_URL: 'https://id.vk.ru/oauth2/auth',
  /** VK ID: the user's record. @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11) */
  VK_ID_PROFILE_URL: 'https://id.vk.ru/oauth2/user_info',
  /** VK ID: withdraws the user's consent; in the sample of the SDK. @see https://github.com/VKCOM/vkid-android-sdk (read 2026-11) */
  VK_ID_REVOCATION_URL: 'https://id.vk.ru/oauth2/revoke',
  /** VK ID: ends the session that belongs to a token. @see https://github.com/VKCOM/vkid-web-sdk (read 2026-11) */
  VK_ID_LOGOUT_URL: 'https://id.vk.ru/oauth2/logout',
  /** VK ID: default of `apiVersion`, for `profileFields`. */
  VK_ID_API_VERSION: '5.199',
  /** Sources for `form-action` of the Content-Security-Policy: all hosts that a browser may open on the way; the network documents no list. */
  FORM_ACTION_SOURCES: ['https://*.vk.ru', 'https://*.vk.com'] as readonly string[],
};

/** Gives the e-mail address: in the token response of the classic protocol, in the record of VK ID. */
export const EMAIL_SCOPE = 'email';

/** The classic protocol's scopes as bits of a mask. @see https://dev.vk.com/en/reference/access-rights (read 2026-11) */
export const SCOPE_BITS: Readonly<Record<string, number>> = {
  notify: 1,
  friends: 2,
  photos: 4,
  audio: 8,
  video: 16,
  pages: 32,
  link: 256,
  status: 1024,
  notes: 2048,
  messages: 4096,
  wall: 8192,
  ads: 32_768,
  offline: 65_536,
  docs: 131_072,
  groups: 262_144,
  notifications: 524_288,
  stats: 1_048_576,
  [EMAIL_SCOPE]: 4_194_304,
  market: 134_217_728,
};

/** Always requested: the record's only required field that does not come by itself. */
export const BASE_FIELD = 'photo_100';

/**
 * `fields` of `users.get`, by the type of their values: the members of the record that come only if requested. There is no e-mail address: it is
 * in the token response only.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export const FIELD_NAMES = {
  text: [
    'about activities bdate books domain games home_town interests maiden_name movies music nickname quotes',
    'first_name_abl first_name_acc first_name_dat first_name_gen first_name_ins first_name_nom',
    'last_name_abl last_name_acc last_name_dat last_name_gen last_name_ins last_name_nom',
    'photo_100 photo_200 photo_200_orig photo_400 photo_400_orig photo_50 photo_id photo_max photo_max_orig',
    'screen_name site status tv',
  ],
  number: ['common_count followers_count online_app timezone'],
  flag: [
    'blacklisted blacklisted_by_me can_post can_see_all_posts can_see_audio can_send_friend_request',
    'can_write_private_message has_mobile has_photo is_favorite is_friend is_hidden_from_feed online',
    'online_mobile trending verified wall_comments',
  ],
  other: [
    'career city connections contacts counters country crop_photo education exports friend_status is_no_index',
    'last_seen military occupation personal relation relation_partner relatives schools sex status_audio',
    'universities wall_default',
  ],
} as const;

export const FIELDS: readonly string[] = namesIn(Object.values(FIELD_NAMES).flat());

const API_CODES = 'documented: https://github.com/VKCOM/vk-api-schema (errors, 5.199)';
const SDK =
  'documented: https://github.com/VKCOM/vkid-web-sdk, https://github.com/VKCOM/vkid-android-sdk (read 2026-11)';

/** The error object of the API, by number, which both protocols call, and what is left of the endpoints' own conditions. */
const API_ROWS: readonly known.ErrorRow[] = [
  {
    code: 'invalid_request',
    means: 'request refused',
    hint: 'Compare callbackURL and scope with the settings of the application at the network.',
    source: 'supposed',
  },
  {
    words: ['user deactivated', 'user was deleted or banned', 'user is blocked'],
    means: 'account unusable',
    source: 'observed: code 15, "Access denied: user deactivated"; code 5, python273/vk_api#432',
  },
  { code: ['5', '1117', '3609'], step: 'profile', means: 'access token spent', source: API_CODES },
  ...known.rowsFrom(API_CODES, [
    [['18', '30', '37', '3610', '3611', 'deactivated'], 'account unusable'],
    [
      ['27', '28', '113', '1114', '1116', '1118'],
      'request refused',
      'The access token is not a user token; let the user log in again.',
    ],
    [['6', '9', '29'], 'limit'],
    [['1', '10', '36'], 'network fault'],
    [['14', '17', '24', '41', '3300', '3301', '3302', '3303', '3304', '3305'], 'user has to act'],
    [['4', '7', '15', '20', '21'], 'application closed'],
    [
      ['2', '11'],
      'application closed',
      'The application is switched off or in test mode; switch it on at the network.',
    ],
    ['42', 'application closed', "Add this server's address to the application's at the network."],
    [['38', '101'], 'client refused', 'Check clientID: the application is unknown.'],
    ['150', 'clock refused'],
    [['8', '34'], 'request refused', 'Check apiVersion: the network has dropped versions below 5.81.'],
    [
      ['3', '16', '23', '9999'],
      'request refused',
      'Check profileURL and apiVersion: the network requires https, and another method or version.',
    ],
    ['100', 'request refused', 'Check profileFields, lang and the addresses in the options.'],
  ]),
];

/** Conditions of the endpoints of both protocols, by words or by codes of OAuth. */
const OAUTH_ROWS: readonly known.ErrorRow[] = [
  {
    step: 'profile',
    words: ['another ip address'],
    means: 'access token spent',
    hint: 'The token is bound to the address that requested it: token and profile request must leave from the same outgoing address. Behind several, use one NAT, or an agent that goes through one proxy.',
    source: 'observed: public reports of "access_token was given to another ip address"',
  },
  {
    words: ['too much tries', 'too many', 'flood control'],
    means: 'limit',
    source: 'observed: "too much tries", "Too many invalid requests per 15 seconds", "9;Flood control"',
  },
  {
    code: ['invalid_request', 'invalid_client', 'unauthorized_client'],
    words: ['redirect_uri is blocked', 'application is blocked'],
    means: 'application closed',
    hint: "The network has blocked the domain of callbackURL, or the application: ask the network's support.",
    source:
      'documented: https://id.vk.ru/about/faq/business/vkid/errors/30016 (read 2026-11); observed: 3dproger/AxelChat#858',
  },
  {
    words: ['wrong domain'],
    means: 'redirect URI refused',
    hint: "The domain of callbackURL is not the application's: enter it as the base domain at the network.",
    source: 'observed: mamantoha/omniauth-vkontakte#39',
  },
  {
    words: ['redirect_uri is incorrect', 'redirect uri is incorrect'],
    means: 'redirect URI refused',
    source: 'observed: selesnow/rvkstat#21, mamantoha/omniauth-vkontakte#39',
  },
  {
    words: ['native'],
    means: 'application closed',
    hint: 'The application is a native one: register a web application at the network.',
    source: 'observed: "OAuth authorization cannot be used from native VK applications"',
  },
  {
    code: ['need_validation', 'need_captcha'],
    means: 'user has to act',
    source: 'observed: 7even/vkontakte_api#58',
  },
  {
    code: 'invalid_grant',
    words: ['redirect_uri'],
    means: 'code spent',
    hint: known.OTHER_REDIRECT_URI,
    source: 'observed: Nodge/yii-eauth#29',
  },
  {
    code: 'invalid_grant',
    words: ['access denied'],
    means: 'application closed',
    source: 'observed: VKCOM/vk-android-sdk#536',
  },
  {
    code: 'invalid_grant',
    means: 'code spent',
    source:
      'observed: 7even/vkontakte_api#38, stevebest/passport-vkontakte#45; VK ID (2026-10) without a message',
  },
  { code: 'unauthorized_client', means: 'application closed', source: 'supposed: RFC 6749 section 5.2' },
  ...known.rowsFrom(SDK, [
    ['access_denied', 'user declined'],
    ['invalid_scope', 'scope refused'],
    ['slow_down', 'limit'],
    [['server_error', 'temporarily_unavailable'], 'network fault'],
    [
      'challenge',
      'network fault',
      'The network takes this server for a robot and would ask a user to prove otherwise; try again later.',
    ],
  ]),
];

const CLASSIC_ROWS: readonly known.ErrorRow[] = [
  {
    code: 'invalid_client',
    words: ['client_id'],
    means: 'client refused',
    says: 'does not know the application number',
    source: 'observed: VKCOM/vk-android-sdk#290, mamantoha/omniauth-vkontakte#89',
  },
  {
    code: 'invalid_client',
    words: ['client_secret'],
    means: 'client refused',
    says: 'knows the application number, but the protected key is wrong, or the application belongs to VK ID',
    hint: "Copy clientSecret again: the protected key, not the service key. An application that was made for VK ID logs in with version: '2.1'; its clientSecret may stay, and is never sent there.",
    source:
      'observed: yiisoft/yii2-authclient#248, VKCOM/vk-php-sdk#96; svoemesto/Karaoke, with an invalid code (2026-08)',
  },
  { code: 'invalid_client', means: 'client refused', source: 'documented: RFC 6749 section 5.2' },
  {
    words: ['security error', 'device id', 'device_id', 'verifier', 'challenge'],
    means: 'application closed',
    hint: "The application belongs to VK ID: set version: '2.1'.",
    source: 'observed: G-kylexy/vkomic#50, nextauthjs/next-auth#9898',
  },
  ...OAUTH_ROWS,
  ...API_ROWS,
];

const VK_ID_ROWS: readonly known.ErrorRow[] = [
  {
    code: 'invalid_request',
    step: 'refresh',
    words: ['device'],
    means: 'request refused',
    hint: "Give refresh the device_id of the login's params: the refresh token belongs to it.",
    source: 'observed: 2026-10, "device id is missing"',
  },
  { code: 'invalid_request', step: 'refresh', words: ['token'], means: 'refresh token spent', source: SDK },
  { code: ['invalid_grant', 'invalid_token'], step: 'refresh', means: 'refresh token spent', source: SDK },
  { code: 'invalid_request', step: 'revoke', words: ['token'], means: 'access token spent', source: SDK },
  { code: ['invalid_grant', 'invalid_token'], step: 'revoke', means: 'access token spent', source: SDK },
  { code: 'invalid_token', means: 'access token spent', source: SDK },
  {
    words: ['service_token'],
    means: 'client refused',
    says: 'does not accept the service key',
    hint: "serviceToken is not this application's service key; copy it again.",
    source: 'supposed: fixtures of other clients',
  },
  {
    code: 'invalid_client',
    means: 'client refused',
    hint: 'Check clientID and, if there is one, serviceToken. An application uses one of the two protocols: version says which.',
    source: 'observed: gitroomhq/postiz-app#1398, VKCOM/vkid-ios-sdk#41',
  },
  {
    code: 'invalid_request',
    words: ['device'],
    means: 'code spent',
    hint: "The device_id of the callback was lost or is another login's: pass on every parameter of the callback, and let the user log in again.",
    source: 'observed: 2026-09, 2026-10',
  },
  {
    code: 'invalid_request',
    words: ['verifier', 'code_challenge'],
    means: 'code spent',
    hint: known.OTHER_VERIFIER,
    source: 'observed: VKCOM/vkid-web-sdk#34, VKCOM/vk-php-sdk#122',
  },
  {
    code: ['login_required', 'interaction_required', 'consent_required', 'account_selection_required'],
    means: 'user has to act',
    hint: "Something would have to be asked, which prompt 'none' forbids; start the login again without that prompt.",
    source: "supposed: quoted by others from VK's pages; OpenID Connect Core section 3.1.2.6",
  },
  ...OAUTH_ROWS,
  {
    code: 'invalid_request',
    step: 'token',
    means: 'code spent',
    hint: 'Code, redirect URI, code verifier and device_id must be those of one and the same login, and a code works once; let the user log in again.',
    source: 'supposed',
  },
  ...API_ROWS,
];

/** @see django-allauth's documentation of VK, against better-auth's and Strapi's (read 2026-11) */
const judgeRedirectURI: known.ProtocolFacts['judgeRedirectURI'] = (url) => {
  if (!isLoopback(url)) {
    return url.protocol === 'https:'
      ? { isAccepted: true, says: 'accepts such URLs' }
      : { isAccepted: false, says: known.NO_PLAIN_HTTP, remedy: 'Use https.' };
  }
  if (url.hostname === 'localhost' && ['', '80', '443'].includes(url.port)) {
    return { isAccepted: true, says: 'accepts localhost at the ports 80 and 443, as several report' };
  }
  return {
    isAccepted: undefined,
    says: 'does not document URLs on this machine. django-allauth reports that only http://localhost at port 80 or 443 works; better-auth and Strapi name other ports',
    remedy: 'If VK shows an error page, use http://localhost at port 80, or https with a public name.',
  };
};

const isNumber = (text: string) => /^\d+$/.test(text);

function suspect(option: string, { clientID, secret = '' }: known.ClientCredentials): string | undefined {
  if (isNumber(clientID)) return undefined;
  return isNumber(secret)
    ? `${option} is a number and clientID is none: the two are swapped.`
    : 'clientID is no number, but every application number of VK is one.';
}

/**
 * VK's Android SDK ships this root, and trusts it for all hosts since June 2025. It signs `partners.api.vk.ru`.
 *
 * @see https://github.com/VKCOM/vkid-android-sdk (VkIdTrustManager.kt), https://id.vk.ru/about/faq/business/vkid/alternative_api_domain/30100 (read 2026-11)
 */
const AUTHORITIES = [
  {
    name: 'Russian Trusted Root CA',
    fingerprint:
      'D2:6D:2D:02:31:B7:C3:9F:92:CC:73:85:12:BA:54:10:35:19:E4:40:5D:68:B5:BD:70:3E:97:88:CA:8E:CF:31',
    download: 'https://www.gosuslugi.ru/crt',
  },
];

const NETWORK = { brand: 'VK', portal: 'id.vk.ru', judgeRedirectURI, authorities: AUTHORITIES };

/** What is known of VK's classic protocol. */
export const classicFacts: known.ProtocolFacts = {
  ...NETWORK,
  title: 'VK, classic protocol',
  credentialNames: ['application number', 'protected key'],
  callbackCaution:
    'Keep the URLs of callbacks out of logs: this protocol has no PKCE, so a code that was not exchanged logs in whoever has it. VK ID has PKCE.',
  inventCode: (random) => Buffer.from(random).toString('hex').slice(0, 66),
  suspect: (credentials) => suspect('clientSecret', credentials),
  errorRows: CLASSIC_ROWS,
};

/** What is known of VK ID. */
export const vkIdFacts: known.ProtocolFacts = {
  ...NETWORK,
  brand: 'VK ID',
  title: 'VK ID',
  credentialNames: ['application number', 'service key'],
  inventCode: (random) => `vk2.a.${random}`,
  // Numbers of applications had eight digits in 2026.
  inventClientID: () => '2147483647',
  suspect: (credentials) => suspect('serviceToken', credentials),
  errorRows: VK_ID_ROWS,
};
