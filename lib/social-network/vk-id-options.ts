import {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  readLoginSettings,
} from '../core/login-options.js';
import type { OAuth2Settings } from '../core/oauth2-network.js';
import { OptionReader } from '../core/options.js';
import type { OAuth2StoreOption } from '../core/state-store.js';
import * as endpoints from './endpoints.js';
import { EMAIL_SCOPE, FIELDS } from './fields.js';
import type { AnyRecord, VkIdProfile } from './record.js';

/** Options of VK ID. A client secret is no part of that protocol. */
export type VkIdOptions<P extends AnyRecord = VkIdProfile> = LoginOptions<P> &
  OAuth2StoreOption &
  ClientID & {
    /** What selects VK ID. */
    version: '2.1';
    /** The application's service key, for confidential applications. @default none */
    serviceToken?: string;
    /** @default 'https://id.vk.ru/authorize' */
    authorizationURL?: string;
    /** Another spelling of `authorizationURL`. */
    authorizationUrl?: string;
    /** @default 'https://id.vk.ru/oauth2/auth' */
    tokenURL?: string;
    /** Another spelling of `tokenURL`. */
    accessTokenUrl?: string;
    /** Where `profileFields` are asked for. @default 'https://api.vk.ru/method/users.get' */
    lookupURL?: string;
    /** @default 'https://id.vk.ru/oauth2/revoke' */
    revocationURL?: string;
    /** @default 'https://id.vk.ru/oauth2/logout' */
    logoutURL?: string;
    /** Version of the API for `profileFields`. @default '5.199' */
    apiVersion?: string;
    /** Members of the `users.get` record to add as `_json.lookup`. That request never fails the login. @default none */
    profileFields?: string | readonly string[];
    /** Language of names and places in `_json.lookup`. @default the network's choice */
    lang?: string;
    /** Adds the scope `email`; not every account has an address. @default false */
    includeEmail?: boolean;
  };

const OPTIONS = [
  ...COMMON_OPTIONS.filter((name) => name !== 'clientSecret'),
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

const ALIASES = { ...COMMON_ALIASES, authorizationUrl: 'authorizationURL', accessTokenUrl: 'tokenURL' };

const NOTES = {
  clientSecret:
    'VK ID has no client secret. A confidential application gives its service key as serviceToken',
};

const DEFAULT_SCOPE = 'vkid.personal_info';

const CALLBACK_DEMAND = 'A browser sends the code in the clear. Use https.';

/** A request to `users.get`. */
export interface VkIdLookup {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
}

/** The complete options of VK ID. */
export interface VkIdSettings {
  readonly oauth2: OAuth2Settings;
  readonly serviceToken: string | undefined;
  readonly profileURL: string;
  /** Absent when nothing is to be looked up. */
  readonly lookup: VkIdLookup | undefined;
  readonly revocationURL: string;
  readonly logoutURL: string;
}

/** @throws TypeError for every option that cannot be used. */
export function readVkIdOptions(given: unknown): VkIdSettings {
  const options = new OptionReader('SocialNetworkStrategy', given, OPTIONS, ALIASES, NOTES);
  const authorizationURL = options.endpoint('authorizationURL') ?? endpoints.VK_ID_AUTHORIZATION_URL;
  const scope = options.list('scope') ?? [DEFAULT_SCOPE];
  const demand = { text: CALLBACK_DEMAND, loopback: true, authorizationURL };
  return {
    oauth2: {
      ...readLoginSettings(options, 'social-network', demand),
      clientID: options.requiredCredential('clientID', "It is the application's number at the network"),
      clientSecret: undefined,
      scope: options.flag('includeEmail') ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
      authorizationURL,
      tokenURL: options.endpoint('tokenURL') ?? endpoints.VK_ID_TOKEN_URL,
    },
    serviceToken: options.optionalCredential('serviceToken'),
    profileURL: options.endpoint('profileURL') ?? endpoints.VK_ID_PROFILE_URL,
    lookup: readLookup(options),
    revocationURL: options.endpoint('revocationURL') ?? endpoints.VK_ID_REVOCATION_URL,
    logoutURL: options.endpoint('logoutURL') ?? endpoints.VK_ID_LOGOUT_URL,
  };
}

function readLookup(options: OptionReader): VkIdLookup | undefined {
  const url = options.endpoint('lookupURL') ?? endpoints.PROFILE_URL;
  const version = options.text('apiVersion') ?? endpoints.VK_ID_API_VERSION;
  const lang = options.text('lang');
  const fields = options.names('profileFields', FIELDS);
  if (!fields || fields.length === 0) return undefined;
  const v = new URL(url).searchParams.has('v') ? {} : { v: version };
  return { url, form: { fields: fields.join(','), ...v, ...(lang !== undefined && { lang }) } };
}
