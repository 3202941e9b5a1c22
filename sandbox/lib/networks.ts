import type { SandboxOptions } from './clients.js';
import { microblog } from './microblog/index.js';
import type { NetworkDefinition } from './network.js';
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

/** Creates `sandbox.options()` for the sandbox at a URL. */
export function strategyOptions(url: string): StrategyOptions {
  const options = (network: string, choice?: SandboxChoice): SandboxOptions => {
    const found = NETWORKS.find(({ name }) => name === network);
    if (!found) throw new TypeError(`sandbox.options: unknown network ${network} (known: ${names()})`);
    return (found.options(url) as (network: string, choice?: SandboxChoice) => SandboxOptions)(
      network,
      choice,
    );
  };
  return options as StrategyOptions;
}

function names(): string {
  return NETWORKS.map(({ name }) => name).join(', ');
}
