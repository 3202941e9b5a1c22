import type { Agent } from 'node:http';
import { type CallbackDemand, callbackWarning } from './callback-warning.js';
import type { OptionReader } from './options.js';
import type { LoginStore } from './pending-login.js';
import type { MappedProfile } from './profile.js';
import { Transport } from './transport.js';

/**
 * Whether to leave out the profile request: a fact, a question (`() => boolean`, or a promise of it), or, as in
 * passport-oauth2, a question with the token (`(accessToken, done) => void`; in OAuth 1.0a with token and secret).
 */
export type SkipUserProfile =
  | boolean
  | (() => boolean | PromiseLike<boolean>)
  | ((token: string, done: (error?: unknown, skip?: boolean) => void) => void)
  | ((token: string, tokenSecret: string, done: (error?: unknown, skip?: boolean) => void) => void);

/** The options that all strategies share. */
export interface LoginOptions<P> {
  /** Address registered with the network. A relative one is resolved against the request. @default '/api/auth/callback/<name>' */
  callbackURL?: string;
  /** What to ask for, as a text (commas or spaces) or an array. @default the least that a login needs */
  scope?: string | readonly string[];
  /** The person's record at the network. @default the network's own address */
  profileURL?: string;
  /** Another spelling of `profileURL`. */
  profileUrl?: string;
  /** Another spelling of `profileURL`. */
  userProfileURL?: string;
  /** Replaces the mapping of the network's record onto the Passport profile. */
  profile?: (record: P) => MappedProfile;
  /** The strategy's name, for two apps of one network. It becomes `profile.provider`. */
  name?: string;
  /** An agent for every request: a proxy, a private certificate authority. @default one with keep-alive, shared */
  agent?: Agent;
  /** Deadline of one request to the network in milliseconds. @default 10000 */
  timeout?: number;
  /** Whether to leave out the profile request. @default false */
  skipUserProfile?: SkipUserProfile;
  /** Whether to believe `X-Forwarded-Proto` and `X-Forwarded-Host` when a relative callbackURL is resolved. @default false */
  proxy?: boolean;
  /** Headers for every request to the network. */
  customHeaders?: Readonly<Record<string, string>>;
  /** Name of the session's member in which pending logins are kept. @default 'pendingLogins' */
  sessionKey?: string;
  /** Accepted for configurations brought from passport-oauth2: the state is always on. */
  state?: true;
  /** Accepted for configurations brought from passport-oauth2: PKCE is on wherever the network has it. */
  pkce?: true | 'S256';
}

/** The client's credentials under either spelling. */
export type ClientID = { clientID?: string; clientId: string } | { clientID: string; clientId?: string };

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
  'agent',
  'timeout',
  'passReqToCallback',
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

/** The common options, read and completed. */
export interface LoginSettings {
  readonly name: string;
  readonly callbackURL: string;
  /** Warns, once, when an absolute address is not one that the network takes. */
  readonly warnOfCallback: ReturnType<typeof callbackWarning>;
  readonly store: object | undefined;
  readonly sessionKey: string;
  readonly transport: Transport;
  readonly passReqToCallback: boolean;
  readonly skipUserProfile: SkipUserProfile;
  readonly proxy: boolean;
  readonly customHeaders: Record<string, string>;
  readonly mapProfile: ((record: never) => MappedProfile) | undefined;
}

/** @throws TypeError for every option that cannot be used. */
export function readLoginSettings(
  options: OptionReader,
  defaultName: string,
  demand: CallbackDemand,
): LoginSettings {
  const name = options.text('name') ?? defaultName;
  const callbackURL = options.text('callbackURL') ?? `/api/auth/callback/${name}`;
  checkCallbackURL(options, callbackURL);
  refuseWeakening(options);
  const warnOfCallback = callbackWarning(options.strategy, demand);
  warnOfCallback(callbackURL);
  const customHeaders = options.headers('customHeaders');
  return {
    name,
    callbackURL,
    warnOfCallback,
    customHeaders,
    store: readStore(options),
    sessionKey: options.text('sessionKey') ?? 'pendingLogins',
    transport: new Transport({
      provider: name,
      agent: options.agent('agent'),
      timeout: options.milliseconds('timeout') ?? 10_000,
      customHeaders,
    }),
    passReqToCallback: options.flag('passReqToCallback') ?? false,
    skipUserProfile: readSkip(options),
    proxy: options.flag('proxy') ?? false,
    mapProfile: options.callable('profile'),
  };
}

function checkCallbackURL(options: OptionReader, callbackURL: string): void {
  if (!URL.canParse(callbackURL, 'https://relative.invalid')) {
    throw options.mistake('callbackURL', 'must be an address or a path');
  }
  if (!URL.canParse(callbackURL) && /^[^/.?#]+\.[^/]/.test(callbackURL)) {
    throw options.mistake(
      'callbackURL',
      'must begin with https:// or, for a path of this application, with a slash',
    );
  }
  const { protocol, hash } = new URL(callbackURL, 'https://relative.invalid');
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw options.mistake('callbackURL', 'must begin with https://, http:// or a slash');
  }
  // RFC 6749 section 3.1.2.
  if (hash !== '') throw options.mistake('callbackURL', 'must not have a fragment');
}

function readStore(options: OptionReader): object | undefined {
  const store = options.raw('store');
  // passport-oauth2 takes `store: true` for "in the session", which is the default here.
  if (store === undefined || store === true) return undefined;
  if (typeof store !== 'object' || store === null) {
    throw options.mistake('store', 'must be a login store, for example sessionLogins()');
  }
  return store;
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
    throw options.mistake('pkce', 'cannot be weakened: PKCE is S256 wherever the network has it');
  }
}

/** Tells our stores from those of the base packages. */
export function isLoginStore(store: object): store is LoginStore {
  return (
    typeof (store as Partial<LoginStore>).save === 'function' &&
    typeof (store as Partial<LoginStore>).take === 'function'
  );
}
