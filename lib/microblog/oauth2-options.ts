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
import { EMAIL_SCOPE, LOGIN_SCOPES } from './fields.js';
import {
  CALLBACK_DEMAND,
  type MicroblogFieldOptions,
  type MicroblogSettings,
  readFields,
  SHARED_OPTIONS,
} from './options.js';
import type { MicroblogProfile } from './record.js';

/** Options of the OAuth 2.0 version. Without `clientSecret` the client is a public one. */
export type MicroblogOAuth2Options = LoginOptions<MicroblogProfile> &
  OAuth2StoreOption &
  MicroblogFieldOptions &
  ClientID & {
    /** @default '2.0' */
    version?: '2.0';
    /** For confidential clients: sent by HTTP Basic. @default none: a public client */
    clientSecret?: string;
    /** @default 'https://x.com/i/oauth2/authorize' */
    authorizationURL?: string;
    /** Another spelling of `authorizationURL`. */
    authorizationUrl?: string;
    /** @default 'https://api.x.com/2/oauth2/token' */
    tokenURL?: string;
    /** Another spelling of `tokenURL`. */
    accessTokenUrl?: string;
    /** @default 'https://api.x.com/2/oauth2/revoke' */
    revocationURL?: string;
  };

const OPTIONS = [...COMMON_OPTIONS, ...SHARED_OPTIONS, 'authorizationURL', 'tokenURL'];

const ALIASES = { ...COMMON_ALIASES, authorizationUrl: 'authorizationURL', accessTokenUrl: 'tokenURL' };

const NOTES = Object.fromEntries(
  [
    'consumerKey',
    'consumerSecret',
    'requestTokenURL',
    'requestTokenUrl',
    'accessTokenURL',
    'userAuthorizationURL',
  ].map((name) => [
    name,
    "it belongs to OAuth 1.0a. Add version: '1.0', or use clientID, tokenURL and authorizationURL",
  ]),
);

/** @throws TypeError for every option that cannot be used. */
export function readOAuth2Options(given: unknown): MicroblogSettings<OAuth2Settings> {
  const options = new OptionReader('MicroblogStrategy', given, OPTIONS, ALIASES, NOTES);
  options.oneOf('version', ['2.0']);
  const authorizationURL = options.endpoint('authorizationURL') ?? endpoints.AUTHORIZATION_URL;
  const scope = options.list('scope') ?? LOGIN_SCOPES;
  const fields = readFields(options, scope.includes(EMAIL_SCOPE));
  const demand = { text: CALLBACK_DEMAND, loopback: true, authorizationURL };
  return {
    protocol: {
      ...readLoginSettings(options, 'microblog', demand),
      clientID: options.requiredCredential(
        'clientID',
        "It is the application's OAuth 2.0 client ID at the network",
      ),
      clientSecret: options.optionalCredential('clientSecret'),
      scope: fields.includeEmail ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
      authorizationURL,
      tokenURL: options.endpoint('tokenURL') ?? endpoints.TOKEN_URL,
    },
    profileURL: options.endpoint('profileURL') ?? endpoints.LOOKUP_URL,
    revocationURL: options.endpoint('revocationURL') ?? endpoints.REVOCATION_URL,
    ...fields,
  };
}
