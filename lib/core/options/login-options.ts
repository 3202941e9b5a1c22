import type { Agent } from 'node:http';
import type { Request } from 'express';
import { isLoopback } from '../hosts.js';
import {
  CookieLogins,
  callbackProblem,
  cookieLogins,
  isLoginStore,
  type LinkSettings,
  type LoginStore,
  RedirectURI,
  type RedirectURIRule,
  type SkipUserProfile,
  STORE_WITH_SECRET,
  weaknessOf,
} from '../login/index.js';
import type { MappedProfile } from '../profile.js';
import type { OptionReader } from './option-reader.js';

/** The options that all strategies share, except those that decide the arguments of verify. */
export interface LoginOptions<P> {
  /** URL registered with the network. A relative one is resolved against `baseURL`. @default '/api/auth/callback/<name>' */
  callbackURL?: string;
  /**
   * Where browsers reach the application, `https://your.domain`. Without it a relative `callbackURL` follows the `Host` header of the request
   * that begins a login, which anyone can send.
   */
  baseURL?: string | undefined;
  /** Scopes to ask for, a string (commas or spaces) or an array. @default the least that a login needs */
  scope?: string | readonly string[];
  /** URL of the user's record. @default the network's */
  profileURL?: string;
  /** Another spelling of `profileURL`. */
  profileUrl?: string;
  /** Another spelling of `profileURL`. */
  userProfileURL?: string;
  /** Replaces the mapping of the network's record onto the Passport profile. */
  profile?: (record: P) => MappedProfile;
  /** The strategy's name, for two applications at one network. It becomes `profile.provider`. */
  name?: string;
  /** Where pending logins are kept. `true`, as in passport-oauth2, means the default. @default cookieLogins() */
  store?: LoginStore | true;
  /**
   * Says whom `passport.authorize` links to: what tells the user of a request apart from all others; `undefined` if nobody is signed in. For
   * applications without Passport's session, with tenants, or with impersonation. @default what Passport keeps in the session, with `req.user.id`
   *
   * @example
   * linksTo: (req) => `${req.user.tenant} ${req.user.id}`
   */
  linksTo?: (req: Request) => string | null | undefined;
  /** Largest `state` that `passport.authenticate` may be given, in bytes of JSON. @default 1024 */
  stateLimit?: number;
  /**
   * An agent for every request: a proxy, a private certificate authority. One without `keepAlive` opens a connection for each request, so that a
   * response that the network sent too much is never taken for the response to another request. @default a shared one with keep-alive
   */
  agent?: Agent;
  /** Deadline of one request to the network in milliseconds. @default 10000 */
  timeout?: number;
  /** Whether to trust `X-Forwarded-Proto` and `X-Forwarded-Host` when a relative callbackURL is resolved. @default false */
  proxy?: boolean;
  /** Headers for every request to the network. */
  customHeaders?: Readonly<Record<string, string>>;
  /** Accepted for configurations taken over from passport-oauth2: the state is always on. */
  state?: true;
  /** Accepted for configurations taken over from passport-oauth2: PKCE is on wherever the network supports it. */
  pkce?: true | 'S256';
}

/** The client ID, under at least one of its two spellings. */
export type ClientID<ID extends string | number = string> =
  | { clientID?: ID; clientId: ID }
  | { clientID: ID; clientId?: ID };

const CLIENT = ['clientID', 'clientSecret', 'callbackURL', 'baseURL', 'scope', 'name'];
const LOGIN = ['store', 'linksTo', 'stateLimit', 'state', 'pkce', 'proxy'];
const REQUESTS = ['agent', 'timeout', 'customHeaders'];
const USER = ['profileURL', 'profile', 'skipUserProfile', 'passReqToCallback', 'passParamsToCallback'];

/** Names of the options that every strategy takes. */
export const COMMON_OPTIONS = [...CLIENT, ...LOGIN, ...REQUESTS, ...USER];

export const COMMON_ALIASES = {
  clientId: 'clientID',
  profileUrl: 'profileURL',
  userProfileURL: 'profileURL',
};

/** The common options, with the defaults filled in. */
export type LoginSettings = Readonly<ReturnType<typeof readLoginSettings>>;

/** What the key of a pending login's cookie is derived from. `secret`: the client secret, or another one; absent for public clients. */
type KeyMaterial = { readonly clientID: string; readonly secret: string | undefined };

/** @throws TypeError for every option that cannot be used. */
export function readLoginSettings(
  options: OptionReader,
  defaultName: string,
  rule: RedirectURIRule,
  key: KeyMaterial,
) {
  const name = options.string('name') ?? defaultName;
  const given = options.string('callbackURL');
  const callbackURL = given ?? `/api/auth/callback/${name}`;
  const problem = callbackProblem(callbackURL);
  if (problem !== undefined) throw options.mistake('callbackURL', problem);
  const proxy = options.boolean('proxy') ?? false;
  const baseURL = readBaseURL(options);
  const noState =
    'is always on: leave it out. Give a state of your own to passport.authenticate(name, { state }); it comes back as req.authInfo.state';
  options.oneOf('state', [true], noState);
  options.oneOf('pkce', [true, 'S256'], 'cannot be weakened: PKCE is S256 wherever the network supports it');
  return {
    name,
    callbackURL,
    redirectURI: new RedirectURI(options.strategy, rule, proxy, callbackURL, baseURL, given === undefined),
    store: readStore(options, name, key),
    keySecret: key.secret,
    linksTo: options.function<NonNullable<LinkSettings['linksTo']>>('linksTo'),
    stateLimit: options.count('stateLimit'),
    agent: options.agent('agent'),
    timeout: options.milliseconds('timeout') ?? 10_000,
    passReqToCallback: options.boolean('passReqToCallback') ?? false,
    passParamsToCallback: options.boolean('passParamsToCallback') ?? false,
    skipUserProfile:
      options.read<SkipUserProfile>('skipUserProfile', isSkip, 'must be true, false or a function') ?? false,
    customHeaders: options.headers('customHeaders'),
    mapProfile: options.function<(record: never) => MappedProfile>('profile'),
  };
}

function isSkip(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'function';
}

function readBaseURL(options: OptionReader): string | undefined {
  const baseURL = options.endpoint('baseURL', isLoopback);
  if (baseURL === undefined) return undefined;
  const { origin, pathname, search } = new URL(baseURL);
  if (pathname === '/' && search === '') return origin;
  const problem = 'must be an origin without a path or a query, such as https://your.domain';
  throw options.mistake('baseURL', problem);
}

/** The default store. */
const COOKIES = cookieLogins();

function readStore(options: OptionReader, name: string, { clientID, secret }: KeyMaterial): LoginStore {
  const given = options.raw('store');
  const store = given === undefined || given === true ? COOKIES : given;
  if (!isLoginStore(store)) {
    throw options.mistake(
      'store',
      'must be a login store: cookieLogins(), or an object of your own with the methods save and take. Stores made for passport-oauth2 or passport-oauth1 do not fit',
    );
  }
  if (!(store instanceof CookieLogins && store.needsSecret)) return store;
  const weakness = secret === undefined ? undefined : weaknessOf(secret);
  if (secret !== undefined && weakness === undefined) return store.withClientSecret(secret, name, clientID);
  const reason =
    weakness === undefined
      ? 'a pending login is kept in an encrypted cookie, and this client has no secret to make its key from'
      : `the secret of this client ${weakness}, so it cannot make the key of a pending login's cookie`;
  throw options.mistake('store', `is required: ${reason}. Add ${STORE_WITH_SECRET}`);
}
