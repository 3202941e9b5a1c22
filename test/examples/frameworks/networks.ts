import type { Sandbox, SandboxFaultRule, SandboxPerson } from '../../../sandbox/lib/index.js';

/** One version of a network, as every example offers it. */
export interface Network {
  /** The strategy's name, which is also the last segment of the routes. */
  readonly name: string;
  readonly options: (sandbox: Sandbox) => object;
  /** The ID of a sandbox user at the network. */
  readonly identify: (person: SandboxPerson) => string;
  /** The sandbox endpoint that exchanges the code or request token for tokens. */
  readonly tokenRequest: Pick<SandboxFaultRule, 'network' | 'version' | 'endpoint'>;
}

export const NETWORKS: readonly Network[] = [
  {
    name: 'short-video',
    options: ({ options }) => options('short-video'),
    identify: ({ openId }) => openId,
    tokenRequest: { network: 'short-video', endpoint: 'token' },
  },
  {
    name: 'microblog',
    options: ({ options }) => options('microblog'),
    identify: ({ microblogId }) => microblogId,
    tokenRequest: { network: 'microblog', version: '2.0', endpoint: 'token' },
  },
  {
    name: 'microblog-1.0',
    options: ({ options }) => options('microblog', { version: '1.0' }),
    identify: ({ microblogId }) => microblogId,
    tokenRequest: { network: 'microblog', version: '1.0', endpoint: 'access token' },
  },
  {
    name: 'social-network',
    options: ({ options }) => options('social-network'),
    identify: ({ socialNetworkId }) => String(socialNetworkId),
    tokenRequest: { network: 'social-network', version: '2.0', endpoint: 'token' },
  },
  {
    name: 'social-network-2.1',
    options: ({ options }) => options('social-network', { version: '2.1' }),
    identify: ({ socialNetworkId }) => String(socialNetworkId),
    tokenRequest: { network: 'social-network', version: '2.1', endpoint: 'token' },
  },
];

/** The options of every network at a sandbox, in the examples' format. */
export function sandboxNetworks(sandbox: Sandbox): Readonly<Record<string, object>> {
  return Object.fromEntries(NETWORKS.map(({ name, options }) => [name, options(sandbox)]));
}

/** The account that an example creates for a sandbox user. */
export function accountOf({ name, identify }: Network, { people }: Sandbox, id: string): object {
  const person = people.find((candidate) => candidate.id === id) as SandboxPerson;
  return { provider: name, id: identify(person), displayName: person.displayName };
}
