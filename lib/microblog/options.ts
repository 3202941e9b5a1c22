import type { OAuth1Settings } from '../core/credentials-request.js';
import {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  readLoginSettings,
} from '../core/login-options.js';
import type { OAuth1AuthenticateOptions } from '../core/oauth1-strategy.js';
import type { OAuth2AuthenticateOptions, OAuth2Settings } from '../core/oauth2-network.js';
import { OptionReader } from '../core/options.js';
import type { OAuth1StoreOption } from '../core/request-token-store.js';
import type { OAuth2StoreOption } from '../core/state-store.js';
import * as endpoints from './endpoints.js';
import {
  DEFAULT_USER_FIELDS,
  EMAIL_FIELD,
  EMAIL_SCOPE,
  EXPANSIONS,
  type FieldChoice,
  LOGIN_SCOPES,
  USER_FIELDS,
} from './fields.js';
import type { MicroblogProfile } from './record.js';

/** Which protocol a {@link MicroblogStrategy} speaks. */
export type MicroblogVersion = '1.0' | '2.0';

/** What the users lookup is asked for, in both versions. @inline */
interface FieldOptions {
  /**
   * Asks for the e-mail address, scope and field together. The application must have "Request email from users" switched
   * on at the network; `emails` is absent where the account has no confirmed address.
   *
   * @default false
   */
  includeEmail?: boolean;
  /** `user.fields` of the users lookup. @default created_at description entities location profile_image_url protected url verified verified_type */
  userFields?: string | readonly string[];
  /** `expansions` of the users lookup, for example `pinned_tweet_id`. @default none */
  expansions?: string | readonly string[];
  /** `tweet.fields` of the users lookup. @default none */
  tweetFields?: string | readonly string[];
}

/** Options of the OAuth 2.0 version. Without `clientSecret` the client is a public one. */
export type MicroblogOAuth2Options = LoginOptions<MicroblogProfile> &
  OAuth2StoreOption &
  FieldOptions &
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

/** Options of the OAuth 1.0a version. There are no scopes: the application's permissions decide. */
export type MicroblogOAuth1Options = Omit<LoginOptions<MicroblogProfile>, 'scope' | 'pkce'> &
  OAuth1StoreOption &
  FieldOptions &
  ({ consumerKey: string } | ClientID) &
  ({ consumerSecret: string } | { clientSecret: string }) & {
    /** What selects OAuth 1.0a. */
    version?: '1.0';
    /** Also accepted for `clientID`: OAuth 1.0a's own word. */
    consumerKey?: string;
    /** Also accepted for `clientSecret`: OAuth 1.0a's own word. */
    consumerSecret?: string;
    /** @default 'https://api.x.com/oauth/request_token' */
    requestTokenURL?: string;
    /** Another spelling of `requestTokenURL`. */
    requestTokenUrl?: string;
    /** @default 'https://api.x.com/oauth/access_token' */
    accessTokenURL?: string;
    /** Another spelling of `accessTokenURL`. */
    accessTokenUrl?: string;
    /** @default 'https://api.x.com/oauth/authenticate' */
    userAuthorizationURL?: string;
    /** Another spelling of `userAuthorizationURL`. */
    authorizationUrl?: string;
    /** The users lookup, asked when the application may not use `profileURL`. @default 'https://api.x.com/2/users/me' */
    lookupURL?: string;
    /** @default 'https://api.x.com/1.1/oauth/invalidate_token.json' */
    revocationURL?: string;
  };

/** Options of a {@link MicroblogStrategy} of one version. */
export type MicroblogOptions<V extends MicroblogVersion = MicroblogVersion> = V extends '1.0'
  ? MicroblogOAuth1Options & { version: '1.0' }
  : MicroblogOAuth2Options;

/** What `passport.authenticate('microblog', options)` takes beyond Passport's own. */
export interface MicroblogAuthenticateOptions extends OAuth2AuthenticateOptions, OAuth1AuthenticateOptions {
  /** OAuth 1.0a: ask for the password even where the person is logged in at the network. */
  forceLogin?: boolean;
  /** OAuth 1.0a: the handle to fill in. */
  screenName?: string;
  /** OAuth 1.0a: what the token may do, if less than the application. */
  accessType?: 'read' | 'write';
}

const FIELD_OPTIONS = ['version', 'revocationURL', 'includeEmail', 'userFields', 'expansions', 'tweetFields'];
const OAUTH2_ADDRESSES = ['authorizationURL', 'tokenURL'];
const OAUTH1_ADDRESSES = ['requestTokenURL', 'accessTokenURL', 'userAuthorizationURL', 'lookupURL'];

const OAUTH2_NOTES = Object.fromEntries(
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
const OAUTH1_NOTES = {
  scope: 'OAuth 1.0a has no scopes; set the permissions of the application at the network',
  pkce: 'OAuth 1.0a has no PKCE; its requests are signed',
  tokenURL: 'it belongs to OAuth 2.0; in 1.0 it is accessTokenURL',
  signatureMethod: 'the network documents HMAC-SHA1 only',
};

const CALLBACK_DEMAND =
  'The network takes plain http on 127.0.0.1 only, and a browser sends the code in the clear. Use https.';

/** The complete options of one version. */
export interface MicroblogSettings<Settings> {
  readonly protocol: Settings;
  readonly profileURL: string;
  readonly revocationURL: string;
  readonly includeEmail: boolean;
  readonly fields: FieldChoice;
  /** The same fields as far as the options name them: only they go into the authorization request. */
  readonly namedFields: FieldChoice;
}

/** @throws TypeError for every option that cannot be used. */
export function readOAuth2Options(given: unknown): MicroblogSettings<OAuth2Settings> {
  const known = [...COMMON_OPTIONS, ...FIELD_OPTIONS, ...OAUTH2_ADDRESSES];
  const aliases = { ...COMMON_ALIASES, authorizationUrl: 'authorizationURL', accessTokenUrl: 'tokenURL' };
  const options = new OptionReader('MicroblogStrategy', given, known, aliases, OAUTH2_NOTES);
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

/** @throws TypeError for every option that cannot be used. */
export function readOAuth1Options(given: unknown): MicroblogSettings<OAuth1Settings> & { lookupURL: string } {
  const common = COMMON_OPTIONS.filter((name) => name !== 'scope' && name !== 'pkce');
  const known = [...common, ...FIELD_OPTIONS, ...OAUTH1_ADDRESSES];
  const aliases = {
    ...COMMON_ALIASES,
    consumerKey: 'clientID',
    consumerSecret: 'clientSecret',
    requestTokenUrl: 'requestTokenURL',
    accessTokenUrl: 'accessTokenURL',
    authorizationUrl: 'userAuthorizationURL',
  };
  const options = new OptionReader('MicroblogStrategy', given, known, aliases, OAUTH1_NOTES);
  options.oneOf('version', ['1.0']);
  const userAuthorizationURL = options.endpoint('userAuthorizationURL') ?? endpoints.USER_AUTHORIZATION_URL;
  const demand = { text: CALLBACK_DEMAND, loopback: true, authorizationURL: userAuthorizationURL };
  return {
    protocol: {
      ...readLoginSettings(options, 'microblog', demand),
      consumerKey: options.requiredCredential('clientID', "It is the application's API key (consumer key)"),
      consumerSecret: options.requiredCredential('clientSecret', "It is the application's API key secret"),
      requestTokenURL: options.endpoint('requestTokenURL') ?? endpoints.REQUEST_TOKEN_URL,
      accessTokenURL: options.endpoint('accessTokenURL') ?? endpoints.ACCESS_TOKEN_URL,
      userAuthorizationURL,
    },
    profileURL: options.endpoint('profileURL') ?? endpoints.VERIFY_CREDENTIALS_URL,
    revocationURL: options.endpoint('revocationURL') ?? endpoints.INVALIDATE_TOKEN_URL,
    lookupURL: options.endpoint('lookupURL') ?? endpoints.LOOKUP_URL,
    ...readFields(options, false),
  };
}

/** @param hasScope - Whether the options themselves ask for the scope of the e-mail address. */
function readFields(
  options: OptionReader,
  hasScope: boolean,
): Pick<MicroblogSettings<unknown>, 'fields' | 'namedFields' | 'includeEmail'> {
  const userFields = options.names('userFields', USER_FIELDS);
  const namedFields = {
    userFields: userFields ?? [],
    expansions: options.names('expansions', EXPANSIONS) ?? [],
    tweetFields: options.list('tweetFields') ?? [],
  };
  const namesEmail = namedFields.userFields.includes(EMAIL_FIELD);
  const includeEmail = options.flag('includeEmail') ?? false;
  if (namesEmail && !includeEmail && !hasScope) {
    throw options.mistake(
      'userFields',
      `names ${EMAIL_FIELD}: set includeEmail: true, which asks for its permission, too`,
    );
  }
  return {
    namedFields,
    fields: { ...namedFields, userFields: userFields ?? DEFAULT_USER_FIELDS },
    includeEmail: includeEmail || namesEmail,
  };
}
