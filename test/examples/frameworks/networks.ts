import type { Sandbox, SandboxFaultRule, SandboxPerson } from '../../../lib/sandbox/index.js';

/** One network in one version, as every example offers it. */
export interface Network {
  /** The strategy's name, which is also the last part of the routes. */
  readonly name: string;
  readonly options: (sandbox: Sandbox) => object;
  /** How the network identifies a person. */
  readonly identify: (person: SandboxPerson) => string;
  /** Where the sandbox exchanges the code, or request token. */
  readonly exchange: Pick<SandboxFaultRule, 'network' | 'version' | 'endpoint'>;
}

export const NETWORKS: readonly Network[] = [
  {
    name: 'short-video',
    options: ({ options }) => options('short-video'),
    identify: ({ openId }) => openId,
    exchange: { network: 'short-video', endpoint: 'token' },
  },
  {
    name: 'microblog',
    options: ({ options }) => options('microblog'),
    identify: ({ microblogId }) => microblogId,
    exchange: { network: 'microblog', version: '2.0', endpoint: 'token' },
  },
  {
    name: 'microblog-1.0',
    options: ({ options }) => options('microblog', { version: '1.0' }),
    identify: ({ microblogId }) => microblogId,
    exchange: { network: 'microblog', version: '1.0', endpoint: 'access token' },
  },
  {
    name: 'social-network',
    options: ({ options }) => options('social-network'),
    identify: ({ socialNetworkId }) => String(socialNetworkId),
    exchange: { network: 'social-network', version: '2.0', endpoint: 'token' },
  },
  {
    name: 'social-network-2.1',
    options: ({ options }) => options('social-network', { version: '2.1' }),
    identify: ({ socialNetworkId }) => String(socialNetworkId),
    exchange: { network: 'social-network', version: '2.1', endpoint: 'token' },
  },
];

/** Options of every network at a sandbox, as the examples take them. */
export function sandboxNetworks(sandbox: Sandbox): Readonly<Record<string, object>> {
  return Object.fromEntries(NETWORKS.map(({ name, options }) => [name, options(sandbox)]));
}

/** What an example knows of a person who logged in. */
export function accountOf({ name, identify }: Network, { people }: Sandbox, id: string): object {
  const person = people.find((candidate) => candidate.id === id) as SandboxPerson;
  return { provider: name, id: identify(person), displayName: person.displayName };
}
