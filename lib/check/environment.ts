import type { Agent } from 'node:http';
import type { Strategy } from 'passport';
import { isLoopback } from '../core/http/index.js';
import { cookieLogins, type LoginStore, randomSecret } from '../core/login/index.js';
import {
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  endpoints as microblog,
} from '../microblog/index.js';
import { ShortVideoStrategy, endpoints as shortVideo } from '../short-video/index.js';
import { SocialNetworkStrategy, endpoints as socialNetwork } from '../social-network/index.js';
import { microblogOAuth1, microblogOAuth2 } from './microblog.js';
import type { NetworkKnowledge } from './network-knowledge.js';
import { ProxyAgent } from './proxy.js';
import { type CheckReport, type Finding, GUIDES } from './report.js';
import { shortVideo as knownShortVideo } from './short-video.js';
import { classic, vkId } from './social-network.js';

/** Environment variables. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A mistake in arguments or variables that keeps the command from checking anything. The message repeats no value. */
export class UsageError extends Error {}

interface Addresses {
  readonly authorizationURL?: string;
  readonly tokenURL?: string;
  readonly profileURL?: string;
  readonly requestTokenURL?: string;
  readonly accessTokenURL?: string;
  readonly userAuthorizationURL?: string;
  readonly lookupURL?: string;
}

interface TargetOptions extends Addresses {
  readonly name: string;
  readonly clientID: string;
  readonly timeout?: number;
  readonly agent?: Agent;
  readonly store?: LoginStore;
}

/** A strategy of the examples, which the environment can describe. */
interface Target {
  /** The strategy's name. */
  readonly name: string;
  /** How its variables begin: `SHORT_VIDEO_CLIENT_ID`. */
  readonly prefix: string;
  /** The option that holds the secret. */
  readonly secret: 'clientSecret' | 'serviceToken';
  readonly isSecretRequired: boolean;
  readonly knowledge: NetworkKnowledge;
  /** The defaults. */
  readonly addresses: Addresses;
  /** How the paths of its endpoints begin at the sandbox. */
  readonly sandboxPath: string;
  readonly make: (options: TargetOptions, secret: string | undefined) => Strategy;
}

// Nobody logs in.
const verify = () => false;

const VK_ID = {
  secret: 'serviceToken',
  isSecretRequired: false,
  knowledge: vkId,
  addresses: {
    authorizationURL: socialNetwork.VK_ID_AUTHORIZATION_URL,
    tokenURL: socialNetwork.VK_ID_TOKEN_URL,
    profileURL: socialNetwork.VK_ID_PROFILE_URL,
  },
  sandboxPath: '/vk-id',
  make: (options, serviceToken) =>
    new SocialNetworkStrategy(
      { ...options, version: '2.1', ...(serviceToken !== undefined && { serviceToken }) },
      verify,
    ),
} as const satisfies Omit<Target, 'name' | 'prefix'>;

/** In the order of the output. The first of a name counts whose secret is there. */
const TARGETS: readonly Target[] = [
  {
    name: 'short-video',
    prefix: 'SHORT_VIDEO',
    secret: 'clientSecret',
    isSecretRequired: true,
    knowledge: knownShortVideo,
    addresses: {
      authorizationURL: shortVideo.AUTHORIZATION_URL,
      tokenURL: shortVideo.TOKEN_URL,
      profileURL: shortVideo.PROFILE_URL,
    },
    sandboxPath: '/short-video',
    make: (options, clientSecret = '') => new ShortVideoStrategy({ ...options, clientSecret }, verify),
  },
  {
    name: 'microblog',
    prefix: 'MICROBLOG',
    secret: 'clientSecret',
    isSecretRequired: false,
    knowledge: microblogOAuth2,
    addresses: {
      authorizationURL: microblog.AUTHORIZATION_URL,
      tokenURL: microblog.TOKEN_URL,
      profileURL: microblog.LOOKUP_URL,
    },
    sandboxPath: '/microblog',
    make: (options, clientSecret) =>
      new MicroblogOAuth2Strategy(
        { ...options, ...(clientSecret !== undefined && { clientSecret }) },
        verify,
      ),
  },
  {
    name: 'microblog-1.0',
    prefix: 'MICROBLOG_1_0',
    secret: 'clientSecret',
    isSecretRequired: true,
    knowledge: microblogOAuth1,
    addresses: {
      requestTokenURL: microblog.REQUEST_TOKEN_URL,
      accessTokenURL: microblog.ACCESS_TOKEN_URL,
      userAuthorizationURL: microblog.USER_AUTHORIZATION_URL,
      profileURL: microblog.VERIFY_CREDENTIALS_URL,
      lookupURL: microblog.LOOKUP_URL,
    },
    sandboxPath: '/microblog',
    make: (options, clientSecret = '') => new MicroblogOAuth1Strategy({ ...options, clientSecret }, verify),
  },
  {
    name: 'social-network',
    prefix: 'SOCIAL_NETWORK',
    secret: 'clientSecret',
    isSecretRequired: true,
    knowledge: classic,
    addresses: {
      authorizationURL: socialNetwork.AUTHORIZATION_URL,
      tokenURL: socialNetwork.TOKEN_URL,
      profileURL: socialNetwork.PROFILE_URL,
    },
    sandboxPath: '/social-network',
    make: (options, clientSecret = '') => new SocialNetworkStrategy({ ...options, clientSecret }, verify),
  },
  // Only VK ID has no secret.
  { ...VK_ID, name: 'social-network', prefix: 'SOCIAL_NETWORK' },
  // The login example's name, and that of the framework examples.
  { ...VK_ID, name: 'social-network-vk-id', prefix: 'SOCIAL_NETWORK_VK_ID' },
  { ...VK_ID, name: 'social-network-2.1', prefix: 'SOCIAL_NETWORK_2_1' },
];

/** Names that the command takes. */
export const NAMES: readonly string[] = [...new Set(TARGETS.map(({ name }) => name))];

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
  const isDescribed = ({ prefix, secret }: Target) =>
    read(`${prefix}_CLIENT_ID`) !== undefined || read(variable(prefix, secret)) !== undefined;
  const names =
    settings.names.length > 0 ? settings.names : TARGETS.filter(isDescribed).map(({ name }) => name);
  if (names.length === 0) {
    const variables = [...new Set(TARGETS.map(({ prefix }) => `${prefix}_CLIENT_ID`))].join(', ');
    throw new UsageError(`nothing to check. Set credentials, or name a file with --env-file: ${variables}`);
  }
  // Not the name: somebody may have typed a secret.
  if (!names.every((name) => NAMES.includes(name))) {
    throw new UsageError(`there is no strategy of that name. There are: ${NAMES.join(', ')}`);
  }
  const proxy = readProxy(read('HTTPS_PROXY') ?? read('https_proxy'));
  const targets = NAMES.filter((name) => names.includes(name)).flatMap((name) => targetFor(name, read));
  return targets.map((target) => {
    const { name } = target;
    const callbackURL = readCallback(target, read);
    const missing = missingVariables(target, read);
    if (missing.length > 0) {
      const findings = missing.map((one) => missingFinding(one, target));
      return { report: failedReport(name, findings) };
    }
    const addresses = addressesOf(target, read, settings.sandbox);
    // The strategy's constructor says what is wrong with an address that is no URL.
    const isRemote = Object.values(addresses).every((url) => URL.canParse(url) && !isLoopback(new URL(url)));
    const agent = proxy && isRemote ? new ProxyAgent(proxy) : undefined;
    const secret = read(variable(target.prefix, target.secret));
    try {
      const strategy = target.make(
        {
          name,
          clientID: read(`${target.prefix}_CLIENT_ID`) ?? '',
          ...addresses,
          ...(settings.timeout !== undefined && { timeout: settings.timeout }),
          ...(agent && { agent }),
          // The secret of a client makes the key of its cookies, which can be too weak for production. Nobody logs in without one.
          ...(secret === undefined && { store: cookieLogins({ secrets: randomSecret() }) }),
        },
        secret,
      );
      return { strategy, ...(callbackURL !== undefined && { callbackURL }) };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { report: failedReport(name, [mistakeIn(error, target)]) };
    }
  });
}

type Read = (variable: string) => string | undefined;

/** The first target of a name that has all its variables, otherwise the first one. */
function targetFor(name: string, read: Read): Target[] {
  const targets = TARGETS.filter((target) => target.name === name);
  const complete = targets.filter((target) => missingVariables(target, read).length === 0);
  return [...complete, ...targets].slice(0, 1);
}

function missingVariables({ prefix, secret, isSecretRequired }: Target, read: Read): string[] {
  const needed = [`${prefix}_CLIENT_ID`, ...(isSecretRequired ? [variable(prefix, secret)] : [])];
  return needed.filter((name) => read(name) === undefined);
}

/** `SHORT_VIDEO_TOKEN_URL` for the option `tokenURL`. */
function variable(prefix: string, option: string): string {
  return `${prefix}_${option.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`;
}

/** The addresses of variables or of the sandbox; nothing where the default counts. */
function addressesOf({ prefix, addresses, sandboxPath }: Target, read: Read, sandbox?: string): Addresses {
  const found = Object.entries(addresses).map(([option, standard]) => {
    const own = read(variable(prefix, option));
    const { pathname } = new URL(standard);
    const atSandbox = sandbox && `${sandbox.replace(/\/$/, '')}${sandboxPath}${pathname}`;
    return [option, own ?? atSandbox ?? standard];
  });
  return Object.fromEntries(found) as Addresses;
}

function readCallback({ name, prefix }: Target, read: Read): string | undefined {
  const own = read(`${prefix}_CALLBACK_URL`);
  const base = read('BASE_URL');
  if (own !== undefined) return absolute(own, `${prefix}_CALLBACK_URL`);
  return base && new URL(`/api/auth/callback/${name}`, absolute(base, 'BASE_URL')).href;
}

function absolute(url: string, name: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new UsageError(`${name} must be an absolute URL such as https://your.domain`);
}

function readProxy(url: string | undefined): URL | undefined {
  return url === undefined ? undefined : new URL(absolute(url, 'HTTPS_PROXY'));
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
function mistakeIn({ message }: TypeError, { prefix }: Target): Finding {
  const [, option = '', problem = message] = /: option (\w+) (.*)$/s.exec(message) ?? [];
  return failed(option ? variable(prefix, option) : prefix, problem);
}

function failed(subject: string, message: string): Finding {
  return { subject, verdict: 'failed', message };
}

function failedReport(provider: string, findings: readonly Finding[]): CheckReport {
  return { provider, network: 'not checked', verdict: 'failed', findings };
}
