import type { Agent } from 'node:http';
import { isLoginStore, type LoginStore, type SkipUserProfile, sessionLogins } from '../login/index.js';
import type { MappedProfile } from '../profile.js';
import type { OptionReader } from './option-reader.js';
import { RedirectURI, type RedirectURIRule } from './redirect-uri.js';

/** The options that all strategies share, except those that decide the arguments of verify. */
export interface LoginOptions<P> {
  /** URL registered with the network. A relative one is resolved against the request. @default '/api/auth/callback/<name>' */
  callbackURL?: string;
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
  /** Where pending logins are kept. `true`, as in passport-oauth2, means the session. @default sessionLogins() */
  store?: LoginStore | true;
  /** Largest `state` that `passport.authenticate` may be given, in bytes of JSON. @default 1024 */
  stateLimit?: number;
  /** An agent for every request: a proxy, a private certificate authority. @default a shared one with keep-alive */
  agent?: Agent;
  /**
   * Whether requests share connections to the network. `false`: each request opens its own, so that a response that somebody sent too much
   * can never be taken for the response to another request. Costs each request a handshake. @default true
   */
  shareConnections?: boolean;
  /** Deadline of one request to the network in milliseconds. @default 10000 */
  timeout?: number;
  /** Whether to trust `X-Forwarded-Proto` and `X-Forwarded-Host` when a relative callbackURL is resolved. @default false */
  proxy?: boolean;
  /** Headers for every request to the network. */
  customHeaders?: Readonly<Record<string, string>>;
  /** Name of the session property that holds pending logins. @default 'pendingLogins' */
  sessionKey?: string;
  /** Accepted for configurations taken over from passport-oauth2: the state is always on. */
  state?: true;
  /** Accepted for configurations taken over from passport-oauth2: PKCE is on wherever the network supports it. */
  pkce?: true | 'S256';
}

/** The client ID, under at least one of its two spellings. */
export type ClientID<ID extends string | number = string> =
  | { clientID?: ID; clientId: ID }
  | { clientID: ID; clientId?: ID };

/** Names of the options that every strategy takes, for {@link OptionReader}. */
export const COMMON_OPTIONS = [
  'clientID',
  'clientSecret',
  'callbackURL',
  'scope',
  'profileURL',
  'profile',
  'name',
  'store',
  'stateLimit',
  'agent',
  'shareConnections',
  'timeout',
  'passReqToCallback',
  'passParamsToCallback',
  'skipUserProfile',
  'proxy',
  'customHeaders',
  'sessionKey',
  'state',
  'pkce',
] as const;

export const COMMON_ALIASES = {
  clientId: 'clientID',
  profileUrl: 'profileURL',
  userProfileURL: 'profileURL',
} as const;

/** The common options, with the defaults filled in. */
export interface LoginSettings {
  readonly name: string;
  readonly callbackURL: string;
  readonly redirectURI: RedirectURI;
  readonly store: LoginStore;
  readonly stateLimit: number | undefined;
  readonly sessionKey: string;
  readonly agent: Agent | undefined;
  readonly shareConnections: boolean;
  readonly timeout: number;
  readonly passReqToCallback: boolean;
  readonly passParamsToCallback: boolean;
  readonly skipUserProfile: SkipUserProfile;
  readonly customHeaders: Record<string, string>;
  readonly mapProfile: ((record: never) => MappedProfile) | undefined;
}

/** @throws TypeError for every option that cannot be used. */
export function readLoginSettings(
  options: OptionReader,
  defaultName: string,
  rule: RedirectURIRule,
): LoginSettings {
  const name = options.string('name') ?? defaultName;
  const defaultURL = `/api/auth/callback/${name}`;
  const given = options.string('callbackURL');
  const callbackURL = given ?? defaultURL;
  checkCallbackURL(options, callbackURL);
  refuseWeakening(options);
  const redirectURI = new RedirectURI(
    options.strategy,
    rule,
    options.boolean('proxy') ?? false,
    given === undefined ? defaultURL : undefined,
  );
  redirectURI.warn(callbackURL);
  const sessionKey = options.string('sessionKey') ?? 'pendingLogins';
  return {
    name,
    callbackURL,
    redirectURI,
    store: readStore(options) ?? defaultStore(sessionKey),
    stateLimit: options.count('stateLimit'),
    sessionKey,
    agent: options.agent('agent'),
    shareConnections: readShareConnections(options),
    timeout: options.milliseconds('timeout') ?? 10_000,
    passReqToCallback: options.boolean('passReqToCallback') ?? false,
    passParamsToCallback: options.boolean('passParamsToCallback') ?? false,
    skipUserProfile: readSkip(options),
    customHeaders: options.headers('customHeaders'),
    mapProfile: options.function('profile'),
  };
}

function checkCallbackURL(options: OptionReader, callbackURL: string): void {
  const base = 'https://relative.invalid';
  if (!URL.canParse(callbackURL, base)) throw options.mistake('callbackURL', 'must be a URL or a path');
  if (!URL.canParse(callbackURL) && /^[^/.?#]+\.[^/]/.test(callbackURL)) {
    throw options.mistake(
      'callbackURL',
      'must begin with https:// or, for a path of this application, with a slash',
    );
  }
  const { protocol, hash } = new URL(callbackURL, base);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw options.mistake('callbackURL', 'must begin with https://, http:// or a slash');
  }
  // RFC 6749 section 3.1.2.
  if (hash !== '') throw options.mistake('callbackURL', 'must not have a fragment');
}

/** Key of the session -> its store. Strategies with the same key keep their logins in the same place, and share its replay guard. */
const defaultStores = new Map<string, LoginStore>();

function defaultStore(key: string): LoginStore {
  const store = defaultStores.get(key) ?? sessionLogins({ key });
  defaultStores.set(key, store);
  return store;
}

function readStore(options: OptionReader): LoginStore | undefined {
  const store = options.raw('store');
  if (store === undefined || store === true) return undefined;
  if (isLoginStore(store)) return store;
  throw options.mistake(
    'store',
    'must be a login store, an object with the methods save and take: sessionLogins(), cookieLogins() or your own. Stores made for passport-oauth2 or passport-oauth1 do not fit',
  );
}

function readShareConnections(options: OptionReader): boolean {
  const share = options.boolean('shareConnections');
  if (share !== undefined && options.raw('agent') !== undefined) {
    throw options.mistake('shareConnections', 'has no effect on your own agent: leave one of them out');
  }
  return share ?? true;
}

function readSkip(options: OptionReader): SkipUserProfile {
  const skip = options.raw('skipUserProfile');
  if (skip === undefined || typeof skip === 'boolean' || typeof skip === 'function') {
    return (skip ?? false) as SkipUserProfile;
  }
  throw options.mistake('skipUserProfile', 'must be true, false or a function');
}

function refuseWeakening(options: OptionReader): void {
  const state = options.raw('state');
  if (state !== undefined && state !== true) {
    throw options.mistake(
      'state',
      'cannot be turned off. Give your own state to passport.authenticate(name, { state })',
    );
  }
  const pkce = options.raw('pkce');
  if (pkce !== undefined && pkce !== true && pkce !== 'S256') {
    throw options.mistake('pkce', 'cannot be weakened: PKCE is S256 wherever the network supports it');
  }
}
