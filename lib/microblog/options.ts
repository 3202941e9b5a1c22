import type { OAuth1AuthenticateOptions, OAuth1Settings } from '../core/oauth1/index.js';
import type { OAuth2AuthenticateOptions, OAuth2Settings } from '../core/oauth2/index.js';
import {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  OptionReader,
  readLoginSettings,
} from '../core/options/index.js';
import { EMAIL_FIELD, EMAIL_SCOPE, endpoints, LOGIN_SCOPES, oauth1Facts, oauth2Facts } from './facts.js';
import {
  DEFAULT_USER_FIELDS,
  EXPANSIONS,
  type FieldChoice,
  USER_FIELD_NOTES,
  USER_FIELDS,
} from './fields.js';
import type { MicroblogOAuth1Record, MicroblogRecord } from './record.js';

/** What the users lookup requests, in both versions. */
export interface MicroblogFieldOptions {
  /**
   * Requests the e-mail address, scope and field together. "Request email from users" must be switched on for the application at the network;
   * `emails` is absent if the account has no confirmed address.
   *
   * @default false
   */
  includeEmail?: boolean;
  /** `user.fields` of the users lookup. @default created_at description entities location profile_image_url protected url verified verified_type */
  userFields?: string | readonly string[];
  /** `expansions` of the users lookup: `pinned_tweet_id`, or `pinned_post_id` in the newer API description. @default none */
  expansions?: string | readonly string[];
  /** `tweet.fields` of the users lookup, for posts that `expansions` asks for. @default none */
  tweetFields?: string | readonly string[];
  /** `post.fields`, as the newer API description calls them. @default none */
  postFields?: string | readonly string[];
}

/** What `passport.authenticate('microblog', options)` accepts beyond Passport's own. */
export interface MicroblogAuthenticateOptions extends OAuth2AuthenticateOptions, OAuth1AuthenticateOptions {
  /** OAuth 1.0a: ask for the password even if the user is logged in at the network. */
  forceLogin?: boolean;
  /** OAuth 1.0a: the handle to fill in. */
  screenName?: string;
  /** OAuth 1.0a: what the token may do, if less than the application. */
  accessType?: 'read' | 'write';
}

/** Names of the options of both versions. */
const SHARED_OPTIONS = [
  'version',
  'revocationURL',
  'includeEmail',
  'userFields',
  'expansions',
  'tweetFields',
  'postFields',
];

/** The complete options of one version. */
export interface MicroblogSettings<Settings> {
  readonly protocol: Settings;
  readonly profileURL: string;
  readonly revocationURL: string;
  readonly includeEmail: boolean;
  readonly fields: FieldChoice;
  /** The fields that the options name. Only these go into the authorization request. */
  readonly namedFields: FieldChoice;
}

/** @param hasScope - Whether the options name the scope of the e-mail address. */
function readFields(
  options: OptionReader,
  hasScope: boolean,
): Pick<MicroblogSettings<unknown>, 'fields' | 'namedFields' | 'includeEmail'> {
  const userFields = options.names('userFields', USER_FIELDS, USER_FIELD_NOTES);
  const namedFields = {
    userFields: userFields ?? [],
    expansions: options.names('expansions', EXPANSIONS) ?? [],
    tweetFields: options.list('tweetFields') ?? [],
    postFields: options.list('postFields') ?? [],
  };
  const namesEmail = namedFields.userFields.includes(EMAIL_FIELD);
  const includeEmail = options.boolean('includeEmail') ?? false;
  if (namesEmail && !includeEmail && !hasScope) {
    throw options.mistake(
      'userFields',
      `names ${EMAIL_FIELD}: set includeEmail: true, which requests its scope, too`,
    );
  }
  return {
    namedFields,
    fields: { ...namedFields, userFields: userFields ?? DEFAULT_USER_FIELDS },
    includeEmail: includeEmail || namesEmail,
  };
}

/** Options of OAuth 2.0. Without `clientSecret` the client is a public one, and needs `store: cookieLogins({ secrets })`. */
export type MicroblogOAuth2Options = LoginOptions<MicroblogRecord> &
  MicroblogFieldOptions &
  ClientID & {
    /** @default '2.0' */
    version?: '2.0';
    /** For confidential clients: sent by HTTP Basic. @default none: a public client */
    clientSecret?: string;
    /** @default `endpoints.AUTHORIZATION_URL` */
    authorizationURL?: string;
    /** Another spelling of `authorizationURL`. */
    authorizationUrl?: string;
    /** @default `endpoints.TOKEN_URL` */
    tokenURL?: string;
    /** Another spelling of `tokenURL`. */
    accessTokenUrl?: string;
    /** @default `endpoints.REVOCATION_URL` */
    revocationURL?: string;
  };

const OAUTH2_OPTIONS = [...COMMON_OPTIONS, ...SHARED_OPTIONS, 'authorizationURL', 'tokenURL'];

const OAUTH2_ALIASES = {
  ...COMMON_ALIASES,
  authorizationUrl: 'authorizationURL',
  accessTokenUrl: 'tokenURL',
};

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
    "it belongs to OAuth 1.0a. Add version: '1.0', or use clientID, tokenURL and authorizationURL. The sandbox's options for this version are sandbox.options('microblog')",
  ]),
);

/** @throws TypeError for every option that cannot be used. */
export function readOAuth2Options(given: unknown): MicroblogSettings<OAuth2Settings> {
  const options = new OptionReader('MicroblogStrategy', given, OAUTH2_OPTIONS, OAUTH2_ALIASES, OAUTH2_NOTES);
  options.oneOf('version', ['2.0']);
  const authorizationURL = options.endpoint('authorizationURL') ?? endpoints.AUTHORIZATION_URL;
  const scope = options.list('scope') ?? LOGIN_SCOPES;
  const lacking = LOGIN_SCOPES.filter((needed) => !scope.includes(needed));
  if (lacking.length > 0 && options.raw('skipUserProfile') !== true) {
    const mistake = options.mistake(
      'scope',
      `lacks ${lacking.join(' and ')}, without which the network does not say who logs in`,
    );
    const { AUTHORIZATION_URL: authorizationURL, TOKEN_URL: tokenURL, LOOKUP_URL: profileURL } = endpoints;
    options.throwUnlessElsewhere(mistake, { authorizationURL, tokenURL, profileURL });
  }
  const fields = readFields(options, scope.includes(EMAIL_SCOPE));
  const rule = { facts: oauth2Facts, authorizationURL };
  const clientID = options.requiredCredential(
    'clientID',
    "It is the application's OAuth 2.0 client ID at the network",
  );
  const clientSecret = options.optionalCredential('clientSecret');
  return {
    protocol: {
      ...readLoginSettings(options, 'microblog', rule, { clientID, secret: clientSecret }),
      clientID,
      clientSecret,
      scope: fields.includeEmail ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
      authorizationURL,
      tokenURL: options.endpoint('tokenURL') ?? endpoints.TOKEN_URL,
    },
    profileURL: options.endpoint('profileURL') ?? endpoints.LOOKUP_URL,
    revocationURL: options.endpoint('revocationURL') ?? endpoints.REVOCATION_URL,
    ...fields,
  };
}

/** Options of OAuth 1.0a. It has no scopes: the application's permissions decide. */
export type MicroblogOAuth1Options = Omit<LoginOptions<MicroblogOAuth1Record>, 'scope' | 'pkce'> &
  MicroblogFieldOptions &
  ({ consumerKey: string } | ClientID) &
  ({ consumerSecret: string } | { clientSecret: string }) & {
    /** What selects OAuth 1.0a. */
    version?: '1.0';
    /** Another spelling of `clientID`: OAuth 1.0a's own word. */
    consumerKey?: string;
    /** Another spelling of `clientSecret`: OAuth 1.0a's own word. */
    consumerSecret?: string;
    /** @default `endpoints.REQUEST_TOKEN_URL` */
    requestTokenURL?: string;
    /** Another spelling of `requestTokenURL`. */
    requestTokenUrl?: string;
    /** @default `endpoints.ACCESS_TOKEN_URL` */
    accessTokenURL?: string;
    /** Another spelling of `accessTokenURL`. */
    accessTokenUrl?: string;
    /** @default `endpoints.USER_AUTHORIZATION_URL` */
    userAuthorizationURL?: string;
    /** Another spelling of `userAuthorizationURL`. */
    authorizationUrl?: string;
    /** The users lookup, requested if the application may not use `profileURL`. @default `endpoints.LOOKUP_URL` */
    lookupURL?: string;
    /** @default `endpoints.INVALIDATE_TOKEN_URL` */
    revocationURL?: string;
  };

const OAUTH1_OPTIONS = [
  ...COMMON_OPTIONS.filter((name) => name !== 'scope' && name !== 'pkce'),
  ...SHARED_OPTIONS,
  'requestTokenURL',
  'accessTokenURL',
  'userAuthorizationURL',
  'lookupURL',
];

const OAUTH1_ALIASES = {
  ...COMMON_ALIASES,
  consumerKey: 'clientID',
  consumerSecret: 'clientSecret',
  requestTokenUrl: 'requestTokenURL',
  accessTokenUrl: 'accessTokenURL',
  authorizationUrl: 'userAuthorizationURL',
};

const OAUTH1_SANDBOX =
  "The sandbox's options for this version are sandbox.options('microblog', { version: '1.0' })";

const OAUTH1_NOTES = {
  scope: 'OAuth 1.0a has no scopes; set the permissions of the application at the network',
  pkce: 'OAuth 1.0a has no PKCE; its requests are signed',
  authorizationURL: `it belongs to OAuth 2.0; in 1.0 it is userAuthorizationURL. ${OAUTH1_SANDBOX}`,
  tokenURL: `it belongs to OAuth 2.0; in 1.0 it is accessTokenURL. ${OAUTH1_SANDBOX}`,
  signatureMethod: 'the network documents HMAC-SHA1 only',
};

/** @throws TypeError for every option that cannot be used. */
export function readOAuth1Options(given: unknown): MicroblogSettings<OAuth1Settings> & { lookupURL: string } {
  const options = new OptionReader('MicroblogStrategy', given, OAUTH1_OPTIONS, OAUTH1_ALIASES, OAUTH1_NOTES);
  options.oneOf('version', ['1.0']);
  const userAuthorizationURL = options.endpoint('userAuthorizationURL') ?? endpoints.USER_AUTHORIZATION_URL;
  const rule = { facts: oauth1Facts, authorizationURL: userAuthorizationURL };
  const consumerKey = options.requiredCredential(
    'clientID',
    "It is the application's API key (consumer key)",
  );
  const consumerSecret = options.requiredCredential('clientSecret', "It is the application's API key secret");
  return {
    protocol: {
      ...readLoginSettings(options, 'microblog', rule, { clientID: consumerKey, secret: consumerSecret }),
      consumerKey,
      consumerSecret,
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
