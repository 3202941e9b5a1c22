import { withDefaultQuery, withQuery } from '../core/addresses.js';
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
import { API_VERSION, AUTHORIZATION_URL, PROFILE_URL, TOKEN_URL } from './endpoints.js';
import { BASE_FIELD, FIELDS, withEmailScope } from './fields.js';
import type { AnyRecord, SocialNetworkProfile } from './record.js';

/** Options of the classic protocol. */
export type ClassicOptions<P extends AnyRecord = SocialNetworkProfile> = LoginOptions<P> &
  OAuth2StoreOption &
  ClientID & {
    /** @default '2.0' */
    version?: '2.0';
    /** The application's protected key at the network. */
    clientSecret: string;
    /** @default 'https://oauth.vk.ru/authorize' */
    authorizationURL?: string;
    /** Another spelling of `authorizationURL`. */
    authorizationUrl?: string;
    /** @default 'https://oauth.vk.ru/access_token' */
    tokenURL?: string;
    /** Another spelling of `tokenURL`. */
    accessTokenUrl?: string;
    /** Accepted for configurations brought from elsewhere: OAuth 2 never calls it. */
    requestTokenURL?: string;
    /** Another spelling of `requestTokenURL`. */
    requestTokenUrl?: string;
    /** Version of the network's API, at least 5.81. A `v` in an address of the options wins. @default '5.126' */
    apiVersion?: string;
    /** Members of the record to ask for beside `photo_100`. @default none */
    profileFields?: string | readonly string[];
    /** Language of names and places in the record: `ru`, `en`, ... @default the network's choice */
    lang?: string;
    /** Asks for the e-mail address; not every account has one. @default false */
    includeEmail?: boolean;
  };

const OPTIONS = [
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

const ALIASES = {
  ...COMMON_ALIASES,
  authorizationUrl: 'authorizationURL',
  accessTokenUrl: 'tokenURL',
  requestTokenUrl: 'requestTokenURL',
};

const NOTES = { pkce: 'the network refuses requests with PKCE in this protocol' };

const CALLBACK_DEMAND = 'A browser sends the code in the clear. Use https.';

/** The complete options of the classic protocol. */
export interface ClassicSettings {
  readonly oauth2: OAuth2Settings;
  /** With `fields`, `v` and `lang` in its query. */
  readonly profileURL: string;
}

/** @throws TypeError for every option that cannot be used. */
export function readClassicOptions(given: unknown): ClassicSettings {
  const known = OPTIONS.filter((name) => name !== 'pkce');
  const options = new OptionReader('SocialNetworkStrategy', given, known, ALIASES, NOTES);
  const version = { v: readVersion(options) };
  const authorizationURL = options.endpoint('authorizationURL') ?? AUTHORIZATION_URL;
  const scope = options.list('scope') ?? [];
  // Checked like the others, so that a mistake in it is found; there is no request token in OAuth 2.
  options.endpoint('requestTokenURL');
  const demand = { text: CALLBACK_DEMAND, loopback: true, authorizationURL };
  return {
    oauth2: {
      ...readLoginSettings(options, 'social-network', demand),
      clientID: options.requiredCredential('clientID', "It is the application's number at the network"),
      clientSecret: options.requiredCredential(
        'clientSecret',
        "It is the application's protected key, not the service key",
      ),
      scope: options.flag('includeEmail') ? withEmailScope(scope) : scope,
      authorizationURL: withDefaultQuery(authorizationURL, version),
      tokenURL: withDefaultQuery(options.endpoint('tokenURL') ?? TOKEN_URL, version),
    },
    profileURL: withDefaultQuery(readProfileURL(options), version),
  };
}

function readVersion(options: OptionReader): string {
  const version = options.text('apiVersion') ?? API_VERSION;
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? [];
  if (Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 81)) return version;
  throw options.mistake('apiVersion', `must be a version from 5.81 on, such as '${API_VERSION}'`);
}

function readProfileURL(options: OptionReader): string {
  const url = options.endpoint('profileURL') ?? PROFILE_URL;
  const wanted = options.names('profileFields', FIELDS) ?? [];
  const own = new URL(url).searchParams.get('fields')?.split(',') ?? [BASE_FIELD];
  const fields = [...new Set([...own, ...wanted])].join(',');
  const lang = options.text('lang');
  return withQuery(url, { fields, ...(lang !== undefined && { lang }) });
}
