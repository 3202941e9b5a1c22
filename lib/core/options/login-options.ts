import type { Agent } from 'node:http';
import type { Request } from 'express';
import { isLoopback } from '../hosts.js';
import * as login from '../login/index.js';
import type { MappedProfile } from '../profile.js';
import * as option from './option-table.js';

/** Other spellings of options. */
export type Spellings<Names extends string> = { [Name in Names]?: string | undefined };

/** The options that all strategies share, except those that decide the arguments of verify. */
export interface LoginOptions<P> extends Spellings<'profileUrl' | 'userProfileURL'> {
  /**
   * Redirect URI registered with the network: a URL, or a path of this application. A path is resolved against `baseURL`. A host beyond ASCII is
   * sent as punycode. @default '/api/auth/callback/<name>'
   */
  callbackURL?: string | undefined;
  /** Where browsers reach the application, `https://your.domain`. Without it, a relative `callbackURL` follows the `Host` header, which any client can set. */
  baseURL?: string | undefined;
  /** Scopes to ask for, a string (commas or spaces) or an array. @default the least that a login needs */
  scope?: string | readonly string[] | undefined;
  /** URL of the user's record. @default the network's */
  profileURL?: string | undefined;
  /** Replaces the mapping of the network's record onto the Passport profile. @default built in */
  profile?: ((record: P) => MappedProfile) | undefined;
  /** The strategy's name, for two applications at one network. It becomes `profile.provider`. @default the network's */
  name?: string | undefined;
  /** Where pending logins are kept. `true`, as in passport-oauth2, means the default. @default `cookieLogins()` */
  store?: login.LoginStore | true | undefined;
  /** Largest `state` that `passport.authenticate` may be given, in bytes of JSON. */
  stateLimit?: number | undefined;
  /**
   * An agent for every request: a proxy, a private certificate authority. One without `keepAlive` gives each request a connection of its own, so
   * that no response can be taken for the response to another request. @default a shared one with keep-alive
   */
  agent?: Agent | undefined;
  /**
   * Says whom `passport.authorize` links to: what tells the user of a request apart from all others; `undefined` if nobody is signed in. For
   * applications without Passport's session, with tenants, or with impersonation. @default what Passport keeps in the session, with `req.user.id`
   *
   * @example
   * linksTo: (req) => `${req.user.tenant} ${req.user.id}`
   */
  linksTo?: ((req: Request) => string | null | undefined) | undefined;
  /** `true`: the sandbox's credentials, or endpoints on this machine, are meant in production (`NODE_ENV`). */
  allowSandbox?: boolean | undefined;
  /** Deadline of one request to the network with its retries, in milliseconds. */
  timeout?: number | undefined;
  /** Whether to trust `X-Forwarded-Proto` and `X-Forwarded-Host` when a relative callbackURL is resolved. */
  proxy?: boolean | undefined;
  /** Headers for every request to the network. @default none */
  customHeaders?: Readonly<Record<string, string>> | undefined;
  /** Accepted for configurations taken over from passport-oauth2: the state is always on. @default on */
  state?: true | undefined;
  /** Accepted for configurations taken over from passport-oauth2: PKCE is on wherever the network supports it. @default on */
  pkce?: true | 'S256' | undefined;
}

/** The client ID, under at least one of its two spellings. */
export type ClientID<ID extends string | number = string> =
  | { clientID?: ID | undefined; clientId: ID }
  | { clientID: ID; clientId?: ID | undefined };

/** The endpoints of OAuth 2. */
export interface OAuth2Endpoints extends Spellings<'authorizationUrl' | 'accessTokenUrl'> {
  /** Where the user is sent. A query in it is kept. @default the network's */
  authorizationURL?: string | undefined;
  /** Where the code is exchanged for tokens. @default the network's */
  tokenURL?: string | undefined;
}

/** What an option of `passport.authenticate` needs that is given to the constructor. */
export const AT_START = 'give it to passport.authenticate, when a login starts';

const redirectURI: option.Kind<string> = (value, refuse) => {
  const problem = login.callbackProblem(value);
  return problem === undefined ? (value as string) : refuse(problem);
};

const loginStore: option.Kind<login.LoginStore> = (value, refuse) => {
  if (value === true) return undefined;
  const { save, take } = (value ?? {}) as Partial<login.LoginStore>;
  if (typeof save === 'function' && typeof take === 'function') return value as login.LoginStore;
  return refuse(
    'must be a login store: cookieLogins(), or an object of your own with the methods save and take. Stores made for passport-oauth2 or passport-oauth1 do not fit',
  );
};

const skip = option.valid<login.SkipUserProfile>(
  (value) => typeof value === 'boolean' || typeof value === 'function',
  'must be true, false or a function',
);

/** The options of all strategies, but those whose defaults are a network's. */
export const LOGIN_OPTIONS = {
  callbackURL: option.optional(redirectURI),
  baseURL: option.optional(option.origin(isLoopback)),
  proxy: option.withDefault(option.flag, false),
  store: option.optional(loginStore),
  stateLimit: option.withDefault(option.count, 1_024),
  linksTo: option.optional(option.callable<NonNullable<login.LinkSettings['linksTo']>>()),
  allowSandbox: option.withDefault(option.flag, false),
  agent: option.optional(option.agent),
  timeout: option.withDefault(option.milliseconds, 10_000),
  customHeaders: option.withDefault(option.headers, {}),
  profile: option.optional(option.callable<(record: never) => MappedProfile>()),
  skipUserProfile: option.withDefault(skip, false),
  passReqToCallback: option.withDefault(option.flag, false),
  passParamsToCallback: option.withDefault(option.flag, false),
  state: option.constant(
    [true],
    'is always on: leave it out. Give a state of your own to passport.authenticate(name, { state }); it comes back as req.authInfo.state',
  ),
  clientType: option.notTaken('the client is confidential with a clientSecret, and public without one'),
  fields: option.notTaken('it is profileFields here, and replaces the default list'),
  includeEntities: option.notTaken('give profileURL with this in its query'),
  includeStatus: option.notTaken('give profileURL with this in its query'),
  photoSize: option.notTaken("name the picture in profileFields, for example 'photo_200'"),
  requestTokenStore: option.notTaken('it is store here, with the methods save and take'),
  scopeSeparator: option.notTaken('the network requires one, which is always used'),
  sessionKey: option.notTaken(
    'a pending login is kept in a cookie of its own, not in the session. To keep two applications on one host apart, give store: cookieLogins({ name })',
  ),
  skipExtendedUserProfile: option.notTaken('it is skipUserProfile here, and profile is then undefined'),
};

/** @param authorizationURL - The network's, like the others. */
export function oauth2Options(authorizationURL: string, tokenURL: string, profileURL: string) {
  return {
    ...LOGIN_OPTIONS,
    authorizationURL: option.url(authorizationURL, 'authorizationUrl'),
    tokenURL: option.url(tokenURL, 'accessTokenUrl'),
    profileURL: option.url(profileURL, 'profileUrl', 'userProfileURL'),
    pkce: option.constant(
      [true, 'S256'],
      'cannot be weakened: PKCE is S256 wherever the network supports it',
    ),
  };
}

type Given = option.Settings<typeof LOGIN_OPTIONS> & { readonly name: string; readonly clientID: string };

export type LoginSettings = Readonly<ReturnType<typeof readLogin<Given>>>;

/** @param secret - What the key of a pending login's cookie is derived from; absent for public clients. @throws TypeError for options that do not fit together. */
export function readLogin<Options extends Given>(
  strategy: string,
  options: Options,
  secret: string | undefined,
  rule: login.RedirectURIRule,
) {
  const { name, baseURL, proxy, timeout, profile: mapProfile } = options;
  const isDefault = options.callbackURL === undefined;
  const callbackURL = options.callbackURL ?? `/api/auth/callback/${name}`;
  // It was meant as seconds.
  if (timeout < 1_000) {
    process.emitWarning(
      `${strategy}: option timeout is ${timeout} milliseconds, and hardly a network responds that fast. For ${timeout} seconds, give ${timeout * 1_000}.`,
    );
  }
  return {
    ...options,
    callbackURL,
    redirectURI: new login.RedirectURI(strategy, rule, proxy, callbackURL, baseURL, isDefault),
    store: storeWithKey(strategy, options, secret),
    keySecret: secret,
    mapProfile,
  };
}

const COOKIES = login.cookieLogins();
/** Shortest client secret that makes a key in production, in characters. VK's have 20. */
const SHORTEST_CLIENT_SECRET = 20;

/** The store of the options. Where it has no key of its own, this client's secret makes one. */
function storeWithKey(strategy: string, { store = COOKIES, name, clientID }: Given, secret?: string) {
  if (!(store instanceof login.CookieLogins && store.needsSecret)) return store;
  // Whoever begins a login holds a cookie to guess against.
  const shortest = process.env.NODE_ENV === 'production' ? SHORTEST_CLIENT_SECRET : 0;
  if (secret !== undefined && secret.length >= shortest)
    return store.withClientSecret(secret, name, clientID);
  const reason =
    secret === undefined
      ? 'a pending login is kept in an encrypted cookie, and this client has no secret to make its key from'
      : `the secret of this client has fewer than ${shortest} characters, so it cannot make the key of a pending login's cookie`;
  throw option.mistake(strategy, 'store', `is required: ${reason}. Add ${login.STORE_WITH_SECRET}`);
}
