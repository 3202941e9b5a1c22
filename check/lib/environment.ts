import type { Strategy } from 'passport';
import {
  cookieLogins,
  isLoopback,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  microblogEndpoints as microblog,
  mostEditsOf,
  nearest,
  randomSecret,
  ShortVideoStrategy,
  SocialNetworkStrategy,
  shortVideoEndpoints as shortVideo,
  socialNetworkEndpoints as socialNetwork,
} from 'passport-social-networks/internal';
import { microblogOAuth1, microblogOAuth2 } from './microblog.js';
import type { NetworkKnowledge } from './network-knowledge.js';
import { ProxyAgent } from './proxy.js';
import { type CheckReport, type Finding, GUIDES, overall } from './report.js';
import { shortVideo as knownShortVideo } from './short-video.js';
import { classic, vkId } from './social-network.js';

/** Environment variables. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A mistake in arguments or variables that keeps the command from checking anything. The message repeats no value. */
export class UsageError extends Error {}

/** Option -> URL. */
type Addresses = Readonly<Record<string, string>>;

/** A strategy of the examples, which the environment can describe. */
interface Target {
  /** The strategy's name, and how its variables begin: `SHORT_VIDEO_CLIENT_ID`. */
  readonly name: string;
  readonly Strategy: new (options: never, verify: () => boolean) => Strategy;
  readonly version?: string;
  /** The option that holds the secret. */
  readonly secret: 'clientSecret' | 'serviceToken';
  readonly isSecretRequired: boolean;
  readonly knowledge: NetworkKnowledge;
  /** The defaults. */
  readonly addresses: Addresses;
  /** How the paths of its endpoints begin at the sandbox. */
  readonly sandboxPath: string;
}

const CONFIDENTIAL = { secret: 'clientSecret', isSecretRequired: true } as const;
const VK_ID: Omit<Target, 'name'> = {
  Strategy: SocialNetworkStrategy,
  version: '2.1',
  secret: 'serviceToken',
  isSecretRequired: false,
  knowledge: vkId,
  addresses: {
    authorizationURL: socialNetwork.VK_ID_AUTHORIZATION_URL,
    tokenURL: socialNetwork.VK_ID_TOKEN_URL,
    profileURL: socialNetwork.VK_ID_PROFILE_URL,
  },
  sandboxPath: '/vk-id',
};

/** In the order of the output. The first of a name counts whose secret is there. */
const TARGETS: readonly Target[] = [
  {
    name: 'short-video',
    Strategy: ShortVideoStrategy,
    ...CONFIDENTIAL,
    knowledge: knownShortVideo,
    addresses: addressesFrom(shortVideo),
    sandboxPath: '/short-video',
  },
  {
    name: 'microblog',
    Strategy: MicroblogOAuth2Strategy,
    ...CONFIDENTIAL,
    isSecretRequired: false,
    knowledge: microblogOAuth2,
    addresses: addressesFrom({ ...microblog, PROFILE_URL: microblog.LOOKUP_URL }),
    sandboxPath: '/microblog',
  },
  {
    name: 'microblog-1-0',
    Strategy: MicroblogOAuth1Strategy,
    ...CONFIDENTIAL,
    knowledge: microblogOAuth1,
    addresses: {
      requestTokenURL: microblog.REQUEST_TOKEN_URL,
      accessTokenURL: microblog.ACCESS_TOKEN_URL,
      userAuthorizationURL: microblog.USER_AUTHORIZATION_URL,
      profileURL: microblog.VERIFY_CREDENTIALS_URL,
      lookupURL: microblog.LOOKUP_URL,
    },
    sandboxPath: '/microblog',
  },
  {
    name: 'social-network',
    Strategy: SocialNetworkStrategy,
    ...CONFIDENTIAL,
    knowledge: classic,
    addresses: addressesFrom(socialNetwork),
    sandboxPath: '/social-network',
  },
  // Only VK ID has no secret. The other is its name in the examples.
  ...['social-network', 'social-network-vk-id'].map((name) => ({ ...VK_ID, name })),
];

/** Of the authorization code flow. */
function addressesFrom(
  endpoints: Readonly<Record<'AUTHORIZATION_URL' | 'TOKEN_URL' | 'PROFILE_URL', string>>,
): Addresses {
  const { AUTHORIZATION_URL, TOKEN_URL, PROFILE_URL } = endpoints;
  return { authorizationURL: AUTHORIZATION_URL, tokenURL: TOKEN_URL, profileURL: PROFILE_URL };
}

/** Names that the command takes. */
export const NAMES: readonly string[] = [...new Set(TARGETS.map(({ name }) => name))];

/** How the variables of each begin. */
export const PREFIXES: readonly string[] = NAMES.map((name) => variable(name, '').replace(/_$/, ''));

/** What people call the networks. */
const BRANDS: readonly (readonly [RegExp, prefix: string])[] = [
  [/^TIKTOK_/, 'SHORT_VIDEO_'],
  [/^(X|TWITTER)_/, 'MICROBLOG_'],
  [/^VK(ID|_ID)?_|^VKONTAKTE_/, 'SOCIAL_NETWORK_'],
];

/** What the portals call an ID and a secret. X has API keys in OAuth 1.0a only. */
const PORTAL_NAMES: readonly (readonly [RegExp, name: string])[] = [
  [/^MICROBLOG_(1_0_)?(API|CONSUMER)_KEY$/, 'MICROBLOG_1_0_CLIENT_ID'],
  [/^MICROBLOG_(1_0_)?(API|API_KEY|CONSUMER)_SECRET$/, 'MICROBLOG_1_0_CLIENT_SECRET'],
  [/_(CLIENT_KEY|APP_ID)$/, '_CLIENT_ID'],
  [/_(SECURE_KEY|PROTECTED_KEY|APP_SECRET)$/, '_CLIENT_SECRET'],
];

/** A strategy that the environment describes, or what keeps it from existing. */
export type Described =
  | { readonly strategy: Strategy; readonly callbackURL?: string }
  | { readonly report: CheckReport };

/** Arguments of the command that change strategies. */
export interface TargetSettings {
  /** Strategies to check; empty: those with variables. */
  readonly names: readonly string[];
  /** URL of a sandbox to check in place of the networks. */
  readonly sandbox?: string;
  /** Milliseconds. */
  readonly timeout?: number;
}

/**
 * Makes the strategies that the environment describes.
 *
 * @throws {@link UsageError} if there is none, or a variable for all of them cannot be used.
 */
export function describedStrategies(environment: Environment, settings: TargetSettings): Described[] {
  const read = (name: string) => environment[name] || undefined;
  const isDescribed = (target: Target) => variablesOf(target).some((name) => read(name) !== undefined);
  const names =
    settings.names.length > 0 ? settings.names : TARGETS.filter(isDescribed).map(({ name }) => name);
  if (names.length === 0) {
    const variables = NAMES.map((name) => variable(name, 'clientID')).join(', ');
    const hints = misspelt(environment, NAMES).map(({ subject, message }) => `${subject} ${message}`);
    const others = Object.keys(environment)
      .filter((name) => /^\w+_CLIENT_(ID|SECRET)$/.test(name) && read(name) !== undefined)
      .filter((name) => !KNOWN.includes(name) && !hints.some((hint) => hint.startsWith(`${name} `)))
      .map((name) => `${name} is set, but its prefix fits no strategy.`);
    const nothing = `nothing to check. Set credentials, or name a file with --env-file: ${variables}.`;
    throw new UsageError([nothing, ...hints, ...others].join(' '));
  }
  // Not the name: somebody may have typed a secret.
  if (!names.every((name) => NAMES.includes(name))) {
    throw new UsageError(`there is no strategy of that name. There are: ${NAMES.join(', ')}`);
  }
  const proxy = readProxy(read('HTTPS_PROXY') ?? read('https_proxy'));
  const hints = misspelt(environment, settings.names.length > 0 ? names : NAMES);
  const described = NAMES.filter((name) => names.includes(name)).map((name): Described => {
    const target = targetFor(name, read);
    const callbackURL = readCallback(name, read);
    const missing = missingVariables(target, read).map((one) => missingFinding(one, target));
    if (missing.length > 0) return { report: reportOf(name, 'not checked', missing) };
    const addresses = addressesOf(target, read, settings.sandbox);
    // The strategy's constructor says what is wrong with an address that is no URL.
    const isRemote = Object.values(addresses).every((url) => URL.canParse(url) && !isLoopback(new URL(url)));
    const { Strategy, version, secret: option } = target;
    const secret = read(variable(name, option));
    const options = {
      name,
      clientID: read(variable(name, 'clientID')),
      ...addresses,
      ...(version !== undefined && { version }),
      ...(settings.timeout !== undefined && { timeout: settings.timeout }),
      ...(proxy && isRemote && { agent: new ProxyAgent(proxy) }),
      // A client without a secret has none that could make the key of its cookies. Nobody logs in.
      ...(secret === undefined ? { store: cookieLogins({ secrets: randomSecret() }) } : { [option]: secret }),
    };
    try {
      const strategy = new Strategy(options as never, () => false);
      return { strategy, ...(callbackURL !== undefined && { callbackURL }) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { report: reportOf(name, 'not checked', [mistakeIn(error, name)]) };
    }
  });
  return hints.length > 0
    ? [{ report: reportOf('environment', 'variables', hints) }, ...described]
    : described;
}

type Read = (variable: string) => string | undefined;

/** The first target of a name that has all its variables, otherwise the first one. */
function targetFor(name: string, read: Read): Target {
  const targets = TARGETS.filter((target) => target.name === name);
  const complete = targets.filter((target) => missingVariables(target, read).length === 0);
  return [...complete, ...targets][0] as Target;
}

function missingVariables(target: Target, read: Read): string[] {
  const needed = variablesOf(target).slice(0, target.isSecretRequired ? 2 : 1);
  return needed.filter((name) => read(name) === undefined);
}

/** Those of the ID and of the secret. */
function variablesOf({ name, secret }: Target): [string, string] {
  return [variable(name, 'clientID'), variable(name, secret)];
}

/** `MICROBLOG_1_0_TOKEN_URL` for the option `tokenURL` of `microblog-1-0`. */
function variable(name: string, option: string): string {
  return `${name}_${option.replace(/([a-z])([A-Z])/g, '$1_$2')}`.replace(/\W/g, '_').toUpperCase();
}

/** The addresses of variables or of the sandbox; otherwise the defaults. */
function addressesOf({ name, addresses, sandboxPath }: Target, read: Read, sandbox?: string): Addresses {
  const found = Object.entries(addresses).map(([option, standard]) => {
    const atSandbox = sandbox && `${sandbox.replace(/\/$/, '')}${sandboxPath}${new URL(standard).pathname}`;
    return [option, read(variable(name, option)) ?? atSandbox ?? standard];
  });
  return Object.fromEntries(found) as Addresses;
}

function readCallback(name: string, read: Read): string | undefined {
  const own = read(variable(name, 'callbackURL'));
  const base = read('BASE_URL');
  if (own !== undefined) return absolute(own, variable(name, 'callbackURL'));
  return base && new URL(`/api/auth/callback/${name}`, absolute(base, 'BASE_URL')).href;
}

function absolute(url: string, name: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new UsageError(`${name} must be an absolute URL such as https://your.domain`);
}

function readProxy(url: string | undefined): URL | undefined {
  return url === undefined ? undefined : new URL(absolute(url, 'HTTPS_PROXY'));
}

/** Variables of the strategies. */
function variablesFor(names: readonly string[]): string[] {
  const options = ['clientID', 'clientSecret', 'serviceToken', 'callbackURL'];
  return TARGETS.filter(({ name }) => names.includes(name)).flatMap(({ name, addresses }) =>
    [...options, ...Object.keys(addresses)].map((option) => variable(name, option)),
  );
}

/** Not `HTTPS_PROXY`: `HTTP_PROXY` is no mistake. */
const KNOWN: readonly string[] = ['BASE_URL', ...variablesFor(NAMES)];

/** Variables that look like an unset one of these strategies, or begin with its brand. Never their values. */
function misspelt(environment: Environment, names: readonly string[]): Finding[] {
  const wanted = ['BASE_URL', ...variablesFor(names)].filter((name) => !environment[name]);
  return Object.keys(environment).flatMap((name) => {
    if (!environment[name] || !/^\w+$/.test(name) || KNOWN.includes(name)) return [];
    const prefix = BRANDS.find(([brand]) => brand.test(name))?.[1];
    const ours = prefix ? name.replace(/^[^_]+_(ID_)?/, prefix) : name;
    const meant = PORTAL_NAMES.reduce((text, [pattern, own]) => text.replace(pattern, own), ours);
    const near = nearest(meant, KNOWN, mostEditsOf(meant));
    if (near === undefined || !wanted.includes(near)) return [];
    // The others may be another program's.
    const isOurs = near !== 'BASE_URL' && nearest(name, [near], 2) !== undefined;
    const message = `is set. Did you mean ${near}?`;
    return [{ subject: name, verdict: isOurs ? 'failed' : 'unknown', message, guide: GUIDES.check }];
  });
}

function missingFinding(subject: string, { isSecretRequired, knowledge }: Target): Finding {
  const names = knowledge.credentialNames({ clientID: '', secret: isSecretRequired ? '' : undefined });
  return {
    ...failed(subject, 'is not set'),
    remedy: `Copy the ${names} from ${knowledge.portal}, and set this variable in the environment or in the file of --env-file.`,
    guide: GUIDES.check,
  };
}

/** The mistake that a strategy's constructor reports, with the variable in place of the option. */
function mistakeIn({ message }: TypeError, name: string): Finding {
  const [, option = '', problem = message] = /: option (\w+) (.*)$/s.exec(message) ?? [];
  return failed(variable(name, option).replace(/_$/, ''), problem);
}

function failed(subject: string, message: string): Finding {
  return { subject, verdict: 'failed', message };
}

function reportOf(provider: string, network: string, findings: readonly Finding[]): CheckReport {
  return { provider, network, verdict: overall(findings), findings };
}
