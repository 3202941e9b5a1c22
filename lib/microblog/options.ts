import { withDefaultQuery, withQuery } from '../core/http/index.js';
import type { OAuth1AuthenticateOptions } from '../core/oauth1/index.js';
import type { OAuth2AuthenticateOptions } from '../core/oauth2/index.js';
import type { ClientID, LoginOptions, OAuth2Endpoints, Spellings } from '../core/options/index.js';
import * as option from '../core/options/index.js';
import { EMAIL_FIELD, EMAIL_SCOPE, endpoints, LOGIN_SCOPES, oauth1Facts, oauth2Facts } from './facts.js';
import { DEFAULT_USER_FIELDS, EXPANSIONS, USER_FIELD_NOTES, USER_FIELDS } from './fields.js';
import type { MicroblogOAuth1Record, MicroblogRecord } from './record.js';

/** What the users lookup requests, in both versions. */
export interface MicroblogFieldOptions {
  /**
   * Requests the e-mail address, scope and field together. "Request email from users" must be switched on for the application at the network;
   * `emails` is absent if the account has no confirmed address.
   */
  includeEmail?: boolean | undefined;
  /** `user.fields` of the users lookup. @default created_at description entities location profile_image_url protected url verified verified_type */
  userFields?: string | readonly string[] | undefined;
  /** `expansions` of the users lookup: `pinned_tweet_id`, or `pinned_post_id` in the newer API description. @default none */
  expansions?: string | readonly string[] | undefined;
  /** `tweet.fields` of the users lookup, for posts that `expansions` asks for. @default none */
  tweetFields?: string | readonly string[] | undefined;
  /** `post.fields`, as the newer API description calls them. @default none */
  postFields?: string | readonly string[] | undefined;
  /** Where `strategy.revoke` ends a token. @default the network's */
  revocationURL?: string | undefined;
}

/** What `passport.authenticate('microblog', options)` accepts beyond Passport's own. */
export interface MicroblogAuthenticateOptions extends OAuth2AuthenticateOptions, OAuth1AuthenticateOptions {
  /** OAuth 1.0a: ask for the password even if the user is logged in at the network. */
  forceLogin?: boolean | undefined;
  /** OAuth 1.0a: the handle to fill in. */
  screenName?: string | undefined;
  /** OAuth 1.0a: what the token may do, if less than the application. */
  accessType?: 'read' | 'write' | undefined;
}

const STRATEGY = 'MicroblogStrategy';

/** The options of both versions. */
const SHARED_OPTIONS = {
  name: option.withDefault(option.text, 'microblog'),
  includeEmail: option.withDefault(option.flag, false),
  userFields: option.optional(option.namesOf(USER_FIELDS, USER_FIELD_NOTES)),
  expansions: option.withDefault(option.namesOf(EXPANSIONS), []),
  tweetFields: option.withDefault(option.list, []),
  postFields: option.withDefault(option.list, []),
};

/** @param hasScope - Whether the options name the scope of the e-mail address. */
function readFields(
  options: option.Settings<typeof SHARED_OPTIONS> & { readonly profileURL: string },
  hasScope: boolean,
) {
  // As @superfaceai/passport-twitter-oauth2 names them.
  const inURL = new URL(options.profileURL).searchParams.get('user.fields')?.split(',');
  const { userFields = inURL ?? DEFAULT_USER_FIELDS, expansions, tweetFields, postFields } = options;
  const namesEmail = userFields.includes(EMAIL_FIELD);
  if (namesEmail && !options.includeEmail && !hasScope) {
    const problem = `names ${EMAIL_FIELD}: set includeEmail: true, which requests its scope, too`;
    throw option.mistake(STRATEGY, 'userFields', problem);
  }
  const fieldChoice = { userFields, expansions, tweetFields, postFields };
  return { fieldChoice, includeEmail: options.includeEmail || namesEmail };
}

/** Options of OAuth 2.0. Without `clientSecret` the client is a public one, and needs `store: cookieLogins({ secrets })`. */
export type MicroblogOAuth2Options = LoginOptions<MicroblogRecord> &
  MicroblogFieldOptions &
  OAuth2Endpoints &
  ClientID & {
    // Types without a value, which the compiler's message quotes.
    [Name in 'consumerKey' | 'consumerSecret']?:
      | { readonly "it belongs to OAuth 1.0a: add version: '1.0'": never }
      | undefined;
  } & {
    /** Selects OAuth 2.0, which is the default. */
    version?: '2.0' | undefined;
    /** For confidential clients: sent by HTTP Basic. @default none: a public client */
    clientSecret?: string | undefined;
  };

const OF_OAUTH1 = option.notTaken(
  "it belongs to OAuth 1.0a. Add version: '1.0', or use clientID, tokenURL and authorizationURL. The sandbox's options for this version are sandbox.options('microblog')",
);

export const OAUTH2_OPTIONS = {
  ...option.oauth2Options(endpoints.AUTHORIZATION_URL, endpoints.TOKEN_URL, endpoints.LOOKUP_URL),
  ...SHARED_OPTIONS,
  version: option.withDefault(option.oneOf('2.0'), '2.0'),
  clientID: option.required(
    option.credential,
    "It is the application's OAuth 2.0 client ID at the network",
    'clientId',
  ),
  clientSecret: option.optional(option.credential),
  scope: option.withDefault(option.list, LOGIN_SCOPES),
  revocationURL: option.url(endpoints.REVOCATION_URL),
  consumerKey: OF_OAUTH1,
  consumerSecret: OF_OAUTH1,
  requestTokenURL: OF_OAUTH1,
  requestTokenUrl: OF_OAUTH1,
  accessTokenURL: OF_OAUTH1,
  userAuthorizationURL: OF_OAUTH1,
};

/** @throws TypeError for every option that cannot be used. */
export function readOAuth2Options(given: unknown) {
  const options = option.readOptions(STRATEGY, given, OAUTH2_OPTIONS);
  const { clientSecret, scope, authorizationURL } = options;
  const lacking = LOGIN_SCOPES.filter((needed) => !scope.includes(needed));
  if (lacking.length > 0 && options.skipUserProfile !== true) {
    const problem = `lacks ${lacking.join(' and ')}, without which the network does not say who logs in`;
    option.throwUnlessElsewhere(option.mistake(STRATEGY, 'scope', problem), options, OAUTH2_OPTIONS);
  }
  const { fieldChoice, includeEmail } = readFields(options, scope.includes(EMAIL_SCOPE));
  const userFields = fieldChoice.userFields.filter((name) => name !== EMAIL_FIELD);
  return {
    ...option.readLogin(STRATEGY, options, clientSecret, { facts: oauth2Facts, authorizationURL }),
    scope: includeEmail ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
    includeEmail,
    /** What every login asks for; the e-mail address is added where it was granted. */
    fieldChoice: { ...fieldChoice, userFields },
  };
}

/** Options of OAuth 1.0a. It has no scopes: the application's permissions decide. */
export type MicroblogOAuth1Options = Omit<LoginOptions<MicroblogOAuth1Record>, 'scope' | 'pkce'> &
  MicroblogFieldOptions &
  Spellings<'requestTokenUrl' | 'accessTokenUrl' | 'authorizationUrl' | 'consumerKey' | 'consumerSecret'> &
  ({ consumerKey: string } | ClientID) &
  ({ consumerSecret: string } | { clientSecret: string }) & {
    /** What selects OAuth 1.0a. */
    version?: '1.0' | undefined;
    /** OAuth 1.0a: where a login gets its request token. @default the network's */
    requestTokenURL?: string | undefined;
    /** OAuth 1.0a: where the request token is exchanged. @default the network's */
    accessTokenURL?: string | undefined;
    /** OAuth 1.0a: where the user is sent. @default the network's */
    userAuthorizationURL?: string | undefined;
    /** OAuth 1.0a: the users lookup, requested if the application may not use `profileURL`. @default the network's */
    lookupURL?: string | undefined;
  };

const OAUTH1_SANDBOX =
  "The sandbox's options for this version are sandbox.options('microblog', { version: '1.0' })";

export const OAUTH1_OPTIONS = {
  ...option.LOGIN_OPTIONS,
  ...SHARED_OPTIONS,
  version: option.withDefault(option.oneOf('1.0'), '1.0'),
  clientID: option.required(
    option.credential,
    "It is the application's API key (consumer key)",
    'clientId',
    'consumerKey',
  ),
  clientSecret: option.required(
    option.credential,
    "It is the application's API key secret",
    'consumerSecret',
  ),
  requestTokenURL: option.url(endpoints.REQUEST_TOKEN_URL, 'requestTokenUrl'),
  accessTokenURL: option.url(endpoints.ACCESS_TOKEN_URL, 'accessTokenUrl'),
  userAuthorizationURL: option.url(endpoints.USER_AUTHORIZATION_URL, 'authorizationUrl'),
  profileURL: option.url(endpoints.VERIFY_CREDENTIALS_URL, 'profileUrl', 'userProfileURL'),
  lookupURL: option.url(endpoints.LOOKUP_URL),
  revocationURL: option.url(endpoints.INVALIDATE_TOKEN_URL),
  scope: option.notTaken('OAuth 1.0a has no scopes; set the permissions of the application at the network'),
  pkce: option.notTaken('OAuth 1.0a has no PKCE; its requests are signed'),
  authorizationURL: option.notTaken(
    `it belongs to OAuth 2.0; in 1.0 it is userAuthorizationURL. ${OAUTH1_SANDBOX}`,
  ),
  tokenURL: option.notTaken(`it belongs to OAuth 2.0; in 1.0 it is accessTokenURL. ${OAUTH1_SANDBOX}`),
  signatureMethod: option.notTaken('the network documents HMAC-SHA1 only'),
  forceLogin: option.notTaken(option.AT_START),
  screenName: option.notTaken(option.AT_START),
  accessType: option.notTaken(option.AT_START),
};

/** @throws TypeError for every option that cannot be used. */
export function readOAuth1Options(given: unknown) {
  const options = option.readOptions(STRATEGY, given, OAUTH1_OPTIONS);
  const { clientSecret, userAuthorizationURL, profileURL } = options;
  const rule = { facts: oauth1Facts, authorizationURL: userAuthorizationURL };
  const login = option.readLogin(STRATEGY, options, clientSecret, rule);
  const { fieldChoice, includeEmail } = readFields(options, false);
  const query = { include_email: includeEmail ? 'true' : undefined };
  return {
    ...login,
    fieldChoice,
    /** `profileURL` with the query of every login. */
    credentialsURL: withQuery(withDefaultQuery(profileURL, { skip_status: 'true' }), query),
  };
}
