import type { SandboxOptions } from './core/clients.js';
import type { NetworkDefinition } from './core/network.js';
import { microblog } from './microblog/index.js';
import { shortVideo } from './short-video/index.js';
import { socialNetwork } from './social-network/index.js';

/** The networks that the sandbox plays. Everything else that depends on the network is derived from this list. */
export const NETWORKS = [
  shortVideo,
  microblog,
  socialNetwork,
] as const satisfies readonly NetworkDefinition[];

type Definition = (typeof NETWORKS)[number];

/** A network that the sandbox plays. @useDeclaredType */
export type SandboxNetwork = Definition['name'];

/** A protocol version of a network that has two. @useDeclaredType */
export type SandboxVersion = Definition['versions'][number];

/** Protocol version and kind of client for `sandbox.options()`. */
export interface SandboxChoice {
  /** `1.0` or `2.0` at microblog, `2.0` or `2.1` at social-network. Default: the strategy's own default. */
  readonly version?: SandboxVersion;
  /** Default: `confidential`, but `public` for VK ID. */
  readonly client?: 'confidential' | 'public';
}

/** What the networks are called elsewhere, letters only: a brand, or the name of a protocol. */
const OTHER_NAMES: Readonly<Record<string, SandboxNetwork>> = {
  tiktok: 'short-video',
  x: 'microblog',
  xcom: 'microblog',
  twitter: 'microblog',
  vk: 'social-network',
  vkontakte: 'social-network',
};

/** A protocol that people know by a name of its own. */
const VK_ID = 'vkid';

type OptionsOfNetwork = ReturnType<Definition['options']>;

/** Options for any of the networks. */
export type AnySandboxOptions = ReturnType<OptionsOfNetwork>;

/** Intersection of the members of a union: of the call signatures of all networks. */
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  member: infer All,
) => void
  ? All
  : never;

/**
 * Returns the sandbox's credentials and URLs for a network, to spread into the options of a strategy.
 *
 * @throws TypeError for a version or client that the network does not have.
 */
export type StrategyOptions = Intersection<OptionsOfNetwork> &
  ((network: SandboxNetwork, choice?: SandboxChoice) => AnySandboxOptions);

/** Creates `sandbox.options()` for the sandbox at a URL. @param register - Puts the registered credentials in. */
export function strategyOptions(url: string, register: <T extends SandboxOptions>(options: T) => T) {
  const options = (network: string, choice?: SandboxChoice): SandboxOptions => {
    const found = NETWORKS.find(({ name }) => name === network);
    if (!found)
      throw new TypeError(`sandbox.options: unknown network ${quoted(network)}. ${suggestion(network)}`);
    const optionsAt = found.options(url) as (network: string, choice?: SandboxChoice) => SandboxOptions;
    return register(optionsAt(network, choice));
  };
  return options as StrategyOptions;
}

/** "Did you mean ...?" for a brand, a strategy's class or another spelling, otherwise the whole list. */
function suggestion(network: unknown): string {
  const word = lettersOf(String(network)).replace(/strategy$/, '');
  if (word === VK_ID) return "Did you mean sandbox.options('social-network', { version: '2.1' })?";
  const meant =
    NETWORKS.find(({ name }) => lettersOf(name) === word)?.name ??
    (Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined);
  if (meant !== undefined) return `Did you mean sandbox.options('${meant}')?`;
  return `There are ${NETWORKS.map(({ name }) => quoted(name)).join(', ')}.`;
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const quoted = (name: unknown): string => (typeof name === 'string' ? `'${name}'` : String(name));
