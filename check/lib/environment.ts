import type { Strategy } from 'passport';
import {
  cookieLogins,
  isLoopback,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  microblog,
  nearest,
  type ProtocolFacts,
  parseURL,
  randomSecret,
  ShortVideoStrategy,
  SocialNetworkStrategy,
  shortVideo,
  socialNetwork,
} from 'passport-social-networks/internal';
import { namesOf } from './credentials.js';
import { ProxyAgent } from './proxy.js';
import { type CheckReport, type Finding, GUIDES, overall } from './report.js';

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
  readonly facts: ProtocolFacts;
  /** The option that holds the secret. */
  readonly secret: 'clientSecret' | 'serviceToken';
  readonly isSecretRequired: boolean;
  /** The defaults. */
  readonly addresses: Addresses;
  /** How the paths of its endpoints begin at the sandbox. */
  readonly sandboxPath: string;
}

const CONFIDENTIAL = { secret: 'clientSecret', isSecretRequired: true } as const;
const VK_ID: Omit<Target, 'name'> = {
  Strategy: SocialNetworkStrategy,
  version: '2.1',
  facts: socialNetwork.vkIdFacts,
  secret: 'serviceToken',
  isSecretRequired: false,
  addresses: {
    authorizationURL: socialNetwork.endpoints.VK_ID_AUTHORIZATION_URL,
    tokenURL: socialNetwork.endpoints.VK_ID_TOKEN_URL,
    profileURL: socialNetwork.endpoints.VK_ID_PROFILE_URL,
  },
  sandboxPath: '/vk-id',
};

/** In the order of the output. The first of a name counts whose secret is there. */
const TARGETS: readonly Target[] = [
  {
    name: 'short-video',
    Strategy: ShortVideoStrategy,
    ...CONFIDENTIAL,
    facts: shortVideo.facts,
    addresses: addressesFrom(shortVideo.endpoints),
    sandboxPath: '/short-video',
  },
  {
    name: 'microblog',
    Strategy: MicroblogOAuth2Strategy,
    ...CONFIDENTIAL,
    isSecretRequired: false,
    facts: microblog.oauth2Facts,
    addresses: addressesFrom({ ...microblog.endpoints, PROFILE_URL: microblog.endpoints.LOOKUP_URL }),
    sandboxPath: '/microblog',
  },
  {
    name: 'microblog-1-0',
    Strategy: MicroblogOAuth1Strategy,
    ...CONFIDENTIAL,
    facts: microblog.oauth1Facts,
    addresses: {
      requestTokenURL: microblog.endpoints.REQUEST_TOKEN_URL,
      accessTokenURL: microblog.endpoints.ACCESS_TOKEN_URL,
      userAuthorizationURL: microblog.endpoints.USER_AUTHORIZATION_URL,
      profileURL: microblog.endpoints.VERIFY_CREDENTIALS_URL,
      lookupURL: microblog.endpoints.LOOKUP_URL,
    },
    sandboxPath: '/microblog',
  },
  {
    name: 'social-network',
    Strategy: SocialNetworkStrategy,
    ...CONFIDENTIAL,
    facts: socialNetwork.classicFacts,
    addresses: addressesFrom(socialNetwork.endpoints),
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

/** `MICROBLOG_1_0_TOKEN_URL` for the option `tokenURL` of `microblog-1-0`; without an option, what its variables begin with. */
export function variable(name: string, option = ''): string {
  const words = [name, ...option.replace(/([a-z])([A-Z])/g, '$1_$2').split('_')].filter(Boolean);
  return words.join('_').replace(/\W/g, '_').toUpperCase();
}

/** A strategy that the environment describes, or what keeps it from existing. */
export type Described =
  | { readonly strategy: Strategy; readonly callbackURL: string | undefined }
  | { readonly report: CheckReport };

/** Arguments of the command that change strategies. */
export interface TargetSettings {
  /** Strategies to check; empty: those with variables. */
  readonly names: readonly string[];
  /** URL of a sandbox to check in place of the networks. */
  readonly sandbox: string | undefined;
  /** Milliseconds. */
  readonly timeout: number | undefined;
}

type Read = (variable: string) => string | undefined;

/**
 * Makes the strategies that the environment describes.
 *
 * @throws {@link UsageError} if there is none, or a variable for all of them cannot be used.
 */
export function describedStrategies(environment: Environment, settings: TargetSettings): Described[] {
  const read: Read = (name) => environment[name] || undefined;
  // Not the name: somebody may have typed a secret.
  if (!settings.names.every((name) => NAMES.includes(name))) {
    throw new UsageError(`there is no strategy of that name. There are: ${NAMES.join(', ')}`);
  }
  const isNamed = settings.names.length > 0;
  const hints = misspelt(environment, isNamed ? settings.names : NAMES);
  const targets = NAMES.filter((name) => !isNamed || settings.names.includes(name))
    .map((name) => targetFor(name, read))
    .filter((target) => isNamed || credentialVariables(target).some((one) => read(one) !== undefined));
  if (targets.length === 0) {
    const variables = NAMES.map((name) => variable(name, 'clientID')).join(', ');
    const nothing = `nothing to check. Set credentials, or name a file with --env-file: ${variables}.`;
    throw new UsageError(
      [nothing, ...hints.map(({ subject, message }) => `${subject} ${message}`)].join(' '),
    );
  }
  const proxy = absolute('HTTPS_PROXY', read('HTTPS_PROXY') ?? read('https_proxy'));
  const described = targets.map((target) => describe(target, read, settings, proxy));
  if (hints.length === 0) return described;
  return [{ report: reportOf('environment', 'variables', hints) }, ...described];
}

function describe(
  target: Target,
  read: Read,
  { sandbox, timeout }: TargetSettings,
  proxy: string | undefined,
): Described {
  const { name, Strategy, version, secret: option, facts } = target;
  const base = absolute('BASE_URL', read('BASE_URL'));
  const callbackURL =
    absolute(variable(name, 'callbackURL'), read(variable(name, 'callbackURL'))) ??
    (base && new URL(`/api/auth/callback/${name}`, base).href);
  const missing = missingVariables(target, read).map((one) => missingFinding(one, target));
  if (missing.length > 0) return { report: reportOf(name, facts.title, missing) };
  const addresses = addressesOf(target, read, sandbox);
  // The strategy's constructor says what is wrong with an address that is no URL.
  const isRemote = Object.values(addresses).every((address) => {
    const url = parseURL(address);
    return url !== undefined && !isLoopback(url);
  });
  const secret = read(variable(name, option));
  const options = {
    name,
    clientID: read(variable(name, 'clientID')),
    ...addresses,
    ...(version !== undefined && { version }),
    timeout,
    // `--sandbox` means one.
    allowSandbox: sandbox !== undefined,
    ...(proxy && isRemote && { agent: new ProxyAgent(new URL(proxy)) }),
    // A client without a secret has none that could make the key of its cookies. Nobody logs in.
    ...(secret === undefined ? { store: cookieLogins({ secrets: randomSecret() }) } : { [option]: secret }),
  };
  try {
    return { strategy: new Strategy(options as never, () => false), callbackURL };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, wrong, problem = error.message] = /: option (\w+) (.*)$/s.exec(error.message) ?? [];
    return { report: reportOf(name, facts.title, [failed(variable(name, wrong), problem)]) };
  }
}

/** The first target of a name that has all its variables, otherwise the first one. */
function targetFor(name: string, read: Read): Target {
  const targets = TARGETS.filter((target) => target.name === name);
  const complete = targets.find((target) => missingVariables(target, read).length === 0);
  return complete ?? (targets[0] as Target);
}

function missingVariables(target: Target, read: Read): string[] {
  const needed = credentialVariables(target).slice(0, target.isSecretRequired ? 2 : 1);
  return needed.filter((name) => read(name) === undefined);
}

function credentialVariables({ name, secret }: Target): [id: string, secret: string] {
  return [variable(name, 'clientID'), variable(name, secret)];
}

/** The addresses of variables or of the sandbox; otherwise the defaults. */
function addressesOf({ name, addresses, sandboxPath }: Target, read: Read, sandbox?: string): Addresses {
  const found = Object.entries(addresses).map(([option, standard]) => {
    const atSandbox = sandbox && `${sandbox.replace(/\/$/, '')}${sandboxPath}${new URL(standard).pathname}`;
    return [option, read(variable(name, option)) ?? atSandbox ?? standard];
  });
  return Object.fromEntries(found) as Addresses;
}

export function isWebURL(text: string): boolean {
  return /^https?:\/\/[^/\\]/i.test(text) && parseURL(text) !== undefined;
}

/** @throws {@link UsageError} for a value that is no absolute URL. */
function absolute(name: string, url: string | undefined): string | undefined {
  if (url === undefined || isWebURL(url)) return url;
  throw new UsageError(`${name} must be an absolute URL such as https://your.domain`);
}

/** Every variable of these strategies. */
function variablesOf(names: readonly string[]): string[] {
  const options = ['clientID', 'clientSecret', 'serviceToken', 'callbackURL'];
  return TARGETS.filter(({ name }) => names.includes(name)).flatMap(({ name, addresses }) =>
    [...options, ...Object.keys(addresses)].map((option) => variable(name, option)),
  );
}

/** Variables that look like an unset one of these strategies. They may be another program's. Never their values. */
function misspelt(environment: Environment, names: readonly string[]): Finding[] {
  const known = ['BASE_URL', ...variablesOf(NAMES)];
  const wanted = ['BASE_URL', ...variablesOf(names)].filter((name) => !environment[name]);
  return Object.keys(environment).flatMap((name) => {
    if (!environment[name] || !/^\w+$/.test(name) || known.includes(name)) return [];
    const near = nearest(name, known);
    if (near === undefined || !wanted.includes(near)) return [];
    const message = `is set. Did you mean ${near}?`;
    return [{ subject: name, verdict: 'unknown', message, guide: GUIDES.check }];
  });
}

function missingFinding(subject: string, { isSecretRequired, facts }: Target): Finding {
  const names = namesOf({ secret: isSecretRequired ? '' : undefined }, facts);
  return {
    ...failed(subject, 'is not set'),
    remedy: `Copy the ${names} from ${facts.portal}, and set this variable in the environment or in the file of --env-file.`,
    guide: GUIDES.check,
  };
}

function failed(subject: string, message: string): Finding {
  return { subject, verdict: 'failed', message };
}

function reportOf(provider: string, network: string, findings: readonly Finding[]): CheckReport {
  return { provider, network, verdict: overall(findings), findings };
}
