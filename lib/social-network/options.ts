import { withDefaultQuery, withQuery } from '../core/http/index.js';
import type { OAuth2Settings } from '../core/oauth2/index.js';
import {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  OptionReader,
  readLoginSettings,
} from '../core/options/index.js';
import { classicFacts, EMAIL_SCOPE, endpoints, vkIdFacts } from './facts.js';
import { BASE_FIELD, FIELD_NOTES, FIELDS, withEmailScope } from './fields.js';
import type { AnyRecord, SocialNetworkRecord, VkIdProfile } from './record.js';

/** Options of the classic protocol. */
export type ClassicOptions<P extends AnyRecord = SocialNetworkRecord> = LoginOptions<P> &
  ClientID<string | number> & {
    /** @default '2.0' */
    version?: '2.0';
    /** The application's protected key at the network. */
    clientSecret: string;
    /** @default `endpoints.AUTHORIZATION_URL` */
    authorizationURL?: string;
    /** Another spelling of `authorizationURL`. */
    authorizationUrl?: string;
    /** @default `endpoints.TOKEN_URL` */
    tokenURL?: string;
    /** Another spelling of `tokenURL`. */
    accessTokenUrl?: string;
    /** Accepted for configurations brought from elsewhere: OAuth 2 never calls it. */
    requestTokenURL?: string;
    /** Another spelling of `requestTokenURL`. */
    requestTokenUrl?: string;
    /** Version of the network's API, at least 5.81. A `v` in one of the URLs wins. @default '5.126' */
    apiVersion?: string | number;
    /** Fields of the record to request beside `photo_100`. @default none */
    profileFields?: string | readonly string[];
    /** Language of names and places in the record: `ru`, `en`, ... @default the network's choice */
    lang?: string;
    /** Requests the e-mail address; not every account has one. @default false */
    includeEmail?: boolean;
  };

const CLASSIC_OPTIONS = [
  ...COMMON_OPTIONS,
  'authorizationURL',
  'tokenURL',
  'version',
  'requestTokenURL',
  'apiVersion',
  'profileFields',
  'lang',
  'includeEmail',
];

const CLASSIC_ALIASES = {
  ...COMMON_ALIASES,
  authorizationUrl: 'authorizationURL',
  accessTokenUrl: 'tokenURL',
  requestTokenUrl: 'requestTokenURL',
};

const CLASSIC_NOTES = {
  pkce: 'the network refuses requests with PKCE in this protocol',
  ...Object.fromEntries(
    ['serviceToken', 'lookupURL', 'revocationURL', 'logoutURL'].map((name) => [
      name,
      "it belongs to VK ID. Add version: '2.1'. The sandbox's options for this version are sandbox.options('social-network')",
    ]),
  ),
};

/** The complete options of the classic protocol. */
interface ClassicSettings {
  readonly oauth2: OAuth2Settings;
  /** With `fields`, `v` and `lang` in its query. */
  readonly profileURL: string;
}

/** @throws TypeError for every option that cannot be used. */
export function readClassicOptions(given: unknown): ClassicSettings {
  const known = CLASSIC_OPTIONS.filter((name) => name !== 'pkce');
  const options = new OptionReader('SocialNetworkStrategy', given, known, CLASSIC_ALIASES, CLASSIC_NOTES);
  const version = { v: readVersion(options, endpoints.API_VERSION) };
  const authorizationURL = options.endpoint('authorizationURL') ?? endpoints.AUTHORIZATION_URL;
  const scope = options.list('scope') ?? [];
  // OAuth 2 has no request token, but a mistake in the option is reported.
  options.endpoint('requestTokenURL');
  const rule = { facts: classicFacts, authorizationURL };
  const clientID = options.requiredNumericID('clientID', "It is the application's number at the network");
  const clientSecret = options.requiredCredential(
    'clientSecret',
    "It is the application's protected key, not the service key. An application of VK ID needs version: '2.1'",
  );
  return {
    oauth2: {
      ...readLoginSettings(options, 'social-network', rule, { clientID, secret: clientSecret }),
      clientID,
      clientSecret,
      scope: options.boolean('includeEmail') ? withEmailScope(scope) : scope,
      authorizationURL: withDefaultQuery(authorizationURL, version),
      tokenURL: withDefaultQuery(options.endpoint('tokenURL') ?? endpoints.TOKEN_URL, version),
    },
    profileURL: withDefaultQuery(readProfileURL(options), version),
  };
}

/** @param standard - The default. */
function readVersion(options: OptionReader, standard: string): string {
  const given = options.raw('apiVersion');
  const version = typeof given === 'number' ? String(given) : (options.string('apiVersion') ?? standard);
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? [];
  if (Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 81)) return version;
  throw options.mistake('apiVersion', `must be a version from 5.81 on, such as '${standard}'`);
}

function readProfileURL(options: OptionReader): string {
  const url = options.endpoint('profileURL') ?? endpoints.PROFILE_URL;
  const wanted = options.names('profileFields', FIELDS, FIELD_NOTES) ?? [];
  const own = new URL(url).searchParams.get('fields')?.split(',') ?? [BASE_FIELD];
  const fields = [...new Set([...own, ...wanted])].join(',');
  const lang = options.string('lang');
  return withQuery(url, { fields, ...(lang !== undefined && { lang }) });
}

/** Options of VK ID. The protocol has no client secret: without `clientSecret` and `serviceToken` it needs `store: cookieLogins({ secrets })`. */
export type VkIdOptions<P extends AnyRecord = VkIdProfile> = LoginOptions<P> &
  ClientID<string | number> & {
    /** What selects VK ID. */
    version: '2.1';
    /**
     * The application's protected key. It is never sent: it makes the key of the cookie that keeps a pending login.
     *
     * @default the service key makes it
     */
    clientSecret?: string;
    /** The application's service key, for confidential applications. @default none */
    serviceToken?: string;
    /** @default `endpoints.VK_ID_AUTHORIZATION_URL` */
    authorizationURL?: string;
    /** Another spelling of `authorizationURL`. */
    authorizationUrl?: string;
    /** @default `endpoints.VK_ID_TOKEN_URL` */
    tokenURL?: string;
    /** Another spelling of `tokenURL`. */
    accessTokenUrl?: string;
    /** Where `profileFields` are requested. @default `endpoints.PROFILE_URL` */
    lookupURL?: string;
    /** @default `endpoints.VK_ID_REVOCATION_URL` */
    revocationURL?: string;
    /** @default `endpoints.VK_ID_LOGOUT_URL` */
    logoutURL?: string;
    /** Version of the API for `profileFields`, at least 5.81. @default '5.199' */
    apiVersion?: string | number;
    /** Fields of the `users.get` record to add as `_json.lookup`. That request never fails the login. @default none */
    profileFields?: string | readonly string[];
    /** Language of names and places in `_json.lookup`. @default the network's choice */
    lang?: string;
    /** Adds the scope `email`; not every account has an address. @default false */
    includeEmail?: boolean;
  };

const VK_ID_OPTIONS = [
  ...COMMON_OPTIONS,
  'version',
  'serviceToken',
  'authorizationURL',
  'tokenURL',
  'lookupURL',
  'revocationURL',
  'logoutURL',
  'apiVersion',
  'profileFields',
  'lang',
  'includeEmail',
];

const VK_ID_ALIASES = { ...COMMON_ALIASES, authorizationUrl: 'authorizationURL', accessTokenUrl: 'tokenURL' };

const DEFAULT_SCOPE = 'vkid.personal_info';

/** A request to `users.get`. */
export interface VkIdLookup {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
}

/** The complete options of VK ID. */
interface VkIdSettings {
  readonly oauth2: OAuth2Settings;
  readonly serviceToken: string | undefined;
  readonly profileURL: string;
  /** Absent without `profileFields`. */
  readonly lookup: VkIdLookup | undefined;
  readonly revocationURL: string;
  readonly logoutURL: string;
}

/** @throws TypeError for every option that cannot be used. */
export function readVkIdOptions(given: unknown): VkIdSettings {
  const options = new OptionReader('SocialNetworkStrategy', given, VK_ID_OPTIONS, VK_ID_ALIASES);
  const authorizationURL = options.endpoint('authorizationURL') ?? endpoints.VK_ID_AUTHORIZATION_URL;
  const scope = options.list('scope') ?? [DEFAULT_SCOPE];
  const rule = { facts: vkIdFacts, authorizationURL };
  const clientID = options.requiredNumericID('clientID', "It is the application's number at the network");
  const serviceToken = options.optionalCredential('serviceToken');
  const secret = options.optionalCredential('clientSecret') ?? serviceToken;
  return {
    oauth2: {
      ...readLoginSettings(options, 'social-network', rule, { clientID, secret }),
      clientID,
      // The protocol has none, and the network must not get the protected key.
      clientSecret: undefined,
      scope: options.boolean('includeEmail') ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
      authorizationURL,
      tokenURL: options.endpoint('tokenURL') ?? endpoints.VK_ID_TOKEN_URL,
    },
    serviceToken,
    profileURL: options.endpoint('profileURL') ?? endpoints.VK_ID_PROFILE_URL,
    lookup: readLookup(options),
    revocationURL: options.endpoint('revocationURL') ?? endpoints.VK_ID_REVOCATION_URL,
    logoutURL: options.endpoint('logoutURL') ?? endpoints.VK_ID_LOGOUT_URL,
  };
}

function readLookup(options: OptionReader): VkIdLookup | undefined {
  const url = options.endpoint('lookupURL') ?? endpoints.PROFILE_URL;
  const version = readVersion(options, endpoints.VK_ID_API_VERSION);
  const lang = options.string('lang');
  const fields = options.names('profileFields', FIELDS, FIELD_NOTES);
  if (!fields || fields.length === 0) return undefined;
  const v = new URL(url).searchParams.has('v') ? {} : { v: version };
  return { url, form: { fields: fields.join(','), ...v, ...(lang !== undefined && { lang }) } };
}
