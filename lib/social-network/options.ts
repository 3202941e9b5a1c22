import { withDefaultQuery, withQuery } from '../core/http/index.js';
import type { OAuth2AuthenticateOptions } from '../core/oauth2/index.js';
import type { ClientID, LoginOptions, OAuth2Endpoints, Spellings } from '../core/options/index.js';
import * as option from '../core/options/index.js';
import { BASE_FIELD, classicFacts, EMAIL_SCOPE, endpoints, FIELDS, SCOPE_BITS, vkIdFacts } from './facts.js';
import type * as records from './record.js';

/** The options of both protocols. */
export interface SocialNetworkFieldOptions extends OAuth2Endpoints {
  /** Version of the network's API for `profileFields`, at least 5.81. In the classic protocol, a `v` in one of the URLs wins. */
  apiVersion?: string | number | undefined;
  /**
   * Fields of the `users.get` record to request beside `photo_100`. With VK ID they are in `_json.lookup`, and their request never fails the login.
   *
   * @default none
   */
  profileFields?: string | readonly string[] | undefined;
  /** Language of names and places in the `users.get` record: `ru`, `en`, ... @default the network's choice */
  lang?: string | undefined;
  /** Requests the e-mail address; not every account has one. */
  includeEmail?: boolean | undefined;
}

/** What `passport.authenticate('social-network', options)` accepts beyond Passport's own. */
export interface SocialNetworkAuthenticateOptions extends OAuth2AuthenticateOptions {
  /** Layout of the login page; phones always get `mobile`. */
  display?: 'page' | 'popup' | 'mobile' | undefined;
  /** `true` asks for permission even if it was given before. */
  revoke?: boolean | undefined;
  /** VK ID: whether and what to ask; several are joined. */
  prompt?: VkIdPrompt | readonly VkIdPrompt[] | undefined;
  /** VK ID: which account to log in with. Must be enabled for the application. */
  provider?: 'vkid' | 'ok_ru' | 'mail_ru' | undefined;
  /** VK ID: language of the login page, as the network's number: 0 Russian, 3 English, 6 German, ... */
  langId?: number | undefined;
  /** VK ID: colours of the login page. */
  scheme?: 'light' | 'dark' | undefined;
}

/** `none` asks nothing, and fails if something has to be asked. */
export type VkIdPrompt = 'none' | 'login' | 'consent' | 'select_account';

/** Options of the classic protocol. */
export type ClassicOptions<P extends records.AnyRecord = records.SocialNetworkRecord> = LoginOptions<P> &
  SocialNetworkFieldOptions &
  ClientID<string | number> & {
    /** Selects the classic protocol, which is the default. */
    version?: '2.0' | undefined;
    /** The application's protected key at the network. */
    clientSecret: string;
    /** Accepted for configurations brought from elsewhere: OAuth 2 never calls it. @default none */
    requestTokenURL?: string | undefined;
  } & Spellings<'requestTokenUrl'>;

/** Options of VK ID. The protocol has no client secret: without `clientSecret` and `serviceToken` it needs `store: cookieLogins({ secrets })`. */
export type VkIdOptions<P extends records.AnyRecord = records.VkIdProfile> = LoginOptions<P> &
  SocialNetworkFieldOptions &
  ClientID<string | number> & {
    /** What selects VK ID. */
    version: '2.1';
    /** The application's protected key: never sent, it makes the key of a pending login's cookie. @default the service key makes it */
    clientSecret?: string | undefined;
    /** VK ID: the application's service key, for confidential applications. @default none */
    serviceToken?: string | undefined;
    /** VK ID: where `profileFields` are requested. @default the network's */
    lookupURL?: string | undefined;
    /** VK ID: where `strategy.revoke` withdraws the user's consent. @default the network's */
    revocationURL?: string | undefined;
    /** VK ID: where `strategy.logout` ends the session of a token. @default the network's */
    logoutURL?: string | undefined;
  };

/** The options of one version. */
export type SocialNetworkOptions<
  P extends records.AnyRecord = records.SocialNetworkProfile,
  V extends records.SocialNetworkVersion = '2.0',
> = V extends '2.1'
  ? VkIdOptions<records.SocialNetworkRecordOf<P, '2.1'>>
  : ClassicOptions<records.SocialNetworkRecordOf<P, '2.0'>>;

/** What to write -> for which names of a profile or of another package. */
const FIELD_NOTES = {
  'The profile always has it: leave it out': 'id uid name displayName first_name last_name',
  'It is in the token response: set includeEmail: true': 'email emails',
  connections: 'skype',
  contacts: 'mobile_phone home_phone',
  education: 'university university_name',
  photo_200: 'photos',
  photo_50: 'photo',
  screen_name: 'username',
  sex: 'gender',
};

const STRATEGY = 'SocialNetworkStrategy';

/** @param standard - The default, for the message. */
const apiVersion =
  (standard: string): option.Kind<string> =>
  (value, refuse) => {
    const version = typeof value === 'number' ? String(value) : (option.text(value, refuse) ?? '');
    const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? [];
    if (Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 81)) return version;
    return refuse(`must be a version from 5.81 on, such as '${standard}'`);
  };

/** The options of both protocols. */
const SHARED_OPTIONS = {
  name: option.withDefault(option.text, 'social-network'),
  clientID: option.required(option.numericID, "It is the application's number at the network", 'clientId'),
  includeEmail: option.withDefault(option.flag, false),
  profileFields: option.withDefault(option.namesOf(FIELDS, FIELD_NOTES), []),
  lang: option.optional(option.text),
};

const OF_VK_ID = option.notTaken(
  "it belongs to VK ID. Add version: '2.1'. The sandbox's options for this version are sandbox.options('social-network')",
);

export const CLASSIC_OPTIONS = {
  ...option.oauth2Options(endpoints.AUTHORIZATION_URL, endpoints.TOKEN_URL, endpoints.PROFILE_URL),
  ...SHARED_OPTIONS,
  version: option.withDefault(option.oneOf('2.0'), '2.0'),
  clientSecret: option.required(
    option.credential,
    "It is the application's protected key, not the service key. An application of VK ID needs version: '2.1'",
  ),
  scope: option.withDefault(option.list, []),
  // OAuth 2 has no request token, but a mistake in the option is reported.
  requestTokenURL: option.optional(option.endpoint, 'requestTokenUrl'),
  apiVersion: option.withDefault(apiVersion(endpoints.API_VERSION), endpoints.API_VERSION),
  pkce: option.notTaken('the network refuses requests with PKCE in this protocol'),
  serviceToken: OF_VK_ID,
  lookupURL: OF_VK_ID,
  revocationURL: OF_VK_ID,
  logoutURL: OF_VK_ID,
  display: option.notTaken(option.AT_START),
  revoke: option.notTaken(option.AT_START),
};

/** Adds the scope of the e-mail address: its name or, if the scope is a bit mask, its bit. */
function withEmailScope(scope: readonly string[]): string[] {
  const [mask] = scope;
  if (scope.length === 1 && mask !== undefined && /^\d+$/.test(mask))
    return [String(Number(mask) | (SCOPE_BITS[EMAIL_SCOPE] ?? 0))];
  return [...new Set([...scope, EMAIL_SCOPE])];
}

function readClassicOptions(given: unknown) {
  const options = option.readOptions(STRATEGY, given, CLASSIC_OPTIONS);
  const { clientSecret, scope, authorizationURL, profileURL, profileFields, lang } = options;
  const version = { v: options.apiVersion };
  const own = new URL(profileURL).searchParams.get('fields')?.split(',') ?? [BASE_FIELD];
  const fields = [...new Set([...own, ...profileFields])].join(',');
  return {
    ...option.readLogin(STRATEGY, options, clientSecret, { facts: classicFacts, authorizationURL }),
    scope: options.includeEmail ? withEmailScope(scope) : scope,
    authorizationURL: withDefaultQuery(authorizationURL, version),
    tokenURL: withDefaultQuery(options.tokenURL, version),
    profileURL: withDefaultQuery(withQuery(profileURL, { fields, lang }), version),
  };
}

/** An option of `passport.authenticate`, whose name other configurations have for something else. @param values - Those of the network. */
const atStart = (...values: string[]) =>
  option.notTaken(option.AT_START, (value) => values.includes(String(value)));

export const VK_ID_OPTIONS = {
  ...option.oauth2Options(
    endpoints.VK_ID_AUTHORIZATION_URL,
    endpoints.VK_ID_TOKEN_URL,
    endpoints.VK_ID_PROFILE_URL,
  ),
  ...SHARED_OPTIONS,
  version: option.withDefault(option.oneOf('2.1'), '2.1'),
  clientSecret: option.optional(option.credential),
  serviceToken: option.optional(option.credential),
  scope: option.withDefault(option.list, ['vkid.personal_info']),
  lookupURL: option.url(endpoints.PROFILE_URL),
  revocationURL: option.url(endpoints.VK_ID_REVOCATION_URL),
  logoutURL: option.url(endpoints.VK_ID_LOGOUT_URL),
  apiVersion: option.withDefault(apiVersion(endpoints.VK_ID_API_VERSION), endpoints.VK_ID_API_VERSION),
  prompt: atStart('none', 'login', 'consent', 'select_account'),
  provider: atStart('vkid', 'ok_ru', 'mail_ru'),
  scheme: atStart('light', 'dark'),
  langId: option.notTaken(option.AT_START),
  lang_id: option.notTaken('give langId to passport.authenticate, when a login starts'),
};

function readVkIdOptions(given: unknown) {
  const { clientSecret, ...options } = option.readOptions(STRATEGY, given, VK_ID_OPTIONS);
  const { serviceToken, scope, authorizationURL, profileFields, lookupURL, lang } = options;
  const rule = { facts: vkIdFacts, authorizationURL };
  const v = new URL(lookupURL).searchParams.has('v') ? undefined : options.apiVersion;
  const form = { fields: profileFields.join(','), v, lang };
  return {
    ...option.readLogin(STRATEGY, options, clientSecret ?? serviceToken, rule),
    // The protocol has none, and the network must not get the protected key.
    clientSecret: undefined,
    scope: options.includeEmail ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
    /** The request to `users.get`; absent without `profileFields`. */
    lookup: profileFields.length > 0 ? { url: lookupURL, form } : undefined,
  };
}

/** @throws TypeError for every option that cannot be used. */
export function readOptions(given: unknown) {
  const { version = '2.0' } = (given ?? {}) as { version?: unknown };
  if (version === '2.1') return readVkIdOptions(given);
  if (version === '2.0') return readClassicOptions(given);
  const problem = "must be '2.0' (the default, classic OAuth 2.0) or '2.1' (VK ID), in quotes";
  throw option.mistake(STRATEGY, 'version', problem);
}
