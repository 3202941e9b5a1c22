import { ANY, isObject, nearest, parseURL, remedy, shapeProblem } from './core/checks.js';
import { type Client, clientFor, type NetworkDefinition } from './core/network.js';
import type { SandboxOptions } from './core/world.js';
import { microblog } from './microblog/index.js';
import { shortVideo } from './short-video/index.js';
import { socialNetwork } from './social-network/index.js';

/** The networks that the sandbox plays. Everything else that depends on the network is derived from this list. */
export const NETWORKS = [
  shortVideo,
  microblog,
  socialNetwork,
] as const satisfies readonly NetworkDefinition[];

const NAMES = NETWORKS.map(({ name }) => name);

type Definition = (typeof NETWORKS)[number];

/** A network that the sandbox plays. @useDeclaredType */
export type SandboxNetwork = Definition['name'];

/** A protocol version of a network that has two. @useDeclaredType */
export type SandboxVersion = Extract<Definition['clients'][number], { readonly version: string }>['version'];

export function networkAt(path: string): SandboxNetwork | undefined {
  const [, first = ''] = path.split('/');
  return NETWORKS.find(({ prefixes }) => (prefixes as readonly string[]).includes(first))?.name;
}

/** Protocol version and kind of client for `sandbox.options()`. */
export interface SandboxChoice {
  /** `1.0` or `2.0` at microblog, `2.0` or `2.1` at social-network. Default: the strategy's own default. */
  readonly version?: SandboxVersion | undefined;
  /** Default: `confidential`, but `public` for VK ID. */
  readonly client?: 'confidential' | 'public' | undefined;
}

type ClientsOf<Network> = Extract<Definition, { readonly name: Network }>['clients'];

type FirstOf<Clients, Wanted> = Clients extends readonly [infer First extends Client, ...infer Others]
  ? First extends Wanted
    ? ReturnType<First['options']>
    : FirstOf<Others, Wanted>
  : never;

type OfKind<Clients, Wanted, Kind> = Kind extends string
  ? FirstOf<Clients, Wanted & { readonly kind: Kind }>
  : FirstOf<Clients, Wanted>;

/** Options of the first client that a choice means, for every network, version and client that it may name. */
type OptionsFor<Network, Choice> = Network extends SandboxNetwork
  ? Choice extends { readonly version?: infer Version; readonly client?: infer Kind }
    ? Version extends string
      ? OfKind<ClientsOf<Network>, { readonly version: Version }, Kind> & { readonly version: Version }
      : OfKind<ClientsOf<Network>, unknown, Kind>
    : never
  : never;

/** Options for any of the networks. */
export type AnySandboxOptions = ReturnType<Definition['clients'][number]['options']>;

/**
 * Returns the sandbox's credentials and URLs for a network, to spread into the options of a strategy.
 *
 * @throws TypeError for a version or client that the network does not have.
 */
export type StrategyOptions = <
  Network extends SandboxNetwork,
  Choice extends SandboxChoice = Record<never, never>,
>(
  network: Network,
  choice?: Choice,
) => OptionsFor<Network, Choice>;

/**
 * Returns what `sandbox.options()` of a sandbox at a URL, such as `https://sandbox:9000`, returns, as long as its applications are
 * the sandbox's own. It makes no request: the sandbox need not run yet.
 *
 * @throws TypeError for something else than an http or https URL, and as `sandbox.options()`.
 */
export function sandboxOptions<
  Network extends SandboxNetwork,
  Choice extends SandboxChoice = Record<never, never>,
>(url: string, network: Network, choice?: Choice): OptionsFor<Network, Choice> {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(url) || /[?#@\\]/.test(url) || !parseURL(url))
    throw new TypeError(
      `sandboxOptions: the URL of a sandbox is such as 'https://sandbox:9000', without a user, a query or a fragment`,
    );
  return strategyOptions(url.replace(/\/+$/, ''), (options) => options)(network, choice);
}

/** Creates `sandbox.options()` for the sandbox at a URL. @param register - Puts the registered credentials in. */
export function strategyOptions(url: string, register: <T extends SandboxOptions>(options: T) => T) {
  const options = (network: string, choice: SandboxChoice = {}): SandboxOptions => {
    const mistake = (problem: string) => new TypeError(`sandbox.options: ${problem}`);
    const found: NetworkDefinition | undefined = NETWORKS.find(({ name }) => name === network);
    if (!found) {
      const meant = meantNetwork(network);
      // A protocol that people know by a name of its own.
      const other = wordOf(network) === 'vkid' ? ", { version: '2.1' }" : '';
      const known = `There are ${NAMES.map(quoted).join(', ')}.`;
      const hint = meant ? `Did you mean sandbox.options('${meant}'${other})?` : known;
      throw mistake(`unknown network ${quoted(network)}. ${hint}`);
    }
    if (!isObject(choice)) throw mistake("the choice must be an object, such as { version: '2.1' }");
    const { version, client: kind }: SandboxChoice = choice;
    const problem = shapeProblem(choice, { 'version?': ANY, 'client?': ANY })?.[1] ?? versionMistake(version);
    if (problem !== undefined) throw mistake(problem);
    const client = clientFor(found.clients, choice);
    if (client) return register({ ...client.options(url), ...(version !== undefined && { version }) });
    const combination = [network, version, kind].filter((part) => part !== undefined).join(' ');
    const unknown = `unknown combination of network, version and client: ${combination}`;
    throw mistake(`${unknown}. There are ${callsFor(found)}.`);
  };
  return options as StrategyOptions;
}

function callsFor({ name, clients }: NetworkDefinition): string {
  const calls = clients.map(({ version, kind }) => {
    const isOneOfTwo = clients.some((other) => other.version === version && other.kind !== kind);
    const choice = [version && `version: '${version}'`, isOneOfTwo && `client: '${kind}'`].filter(Boolean);
    return `('${name}'${choice.length > 0 ? `, { ${choice.join(', ')} }` : ''})`;
  });
  return calls.join(', ');
}

function meantNetwork(network: unknown): SandboxNetwork | undefined {
  const word = wordOf(network);
  const called = NETWORKS.find(({ name, otherNames }) => [wordOf(name), ...otherNames].includes(word));
  return called?.name ?? nearest(String(network), NAMES);
}

export const unknownNetwork = (network: unknown): string =>
  `unknown network "${String(network)}"${remedy(meantNetwork(network) ?? '', NAMES)}`;

/** That a version is no string: in code and in YAML, 2.1 without quotes is a number. */
export function versionMistake(version: unknown): string | undefined {
  if (version === undefined || typeof version === 'string') return undefined;
  const meant = typeof version === 'number' ? `: did you mean '${version.toFixed(1)}', in quotes?` : '';
  return `version must be a string${meant}`;
}

const wordOf = (network: unknown): string =>
  String(network)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/strategy$/, '');

const quoted = (name: unknown): string => (typeof name === 'string' ? `'${name}'` : String(name));
