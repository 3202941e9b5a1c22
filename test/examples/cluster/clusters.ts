import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as ClusterModule from '../../../examples/cluster/cluster.js';
import type * as InstancesModule from '../../../examples/cluster/instances.js';
import type * as Ports from '../../../examples/cluster/ports.js';
import type * as Sandboxes from '../../../examples/cluster/sandbox.js';
import type { Servers } from '../../../examples/cluster/servers.js';
import type * as Visitors from '../../../examples/cluster/visitors.js';
import { startSandbox } from '../../../sandbox/lib/index.js';

/** The folder of the cluster example. */
export const FOLDER = join(__dirname, '..', '..', '..', 'examples', 'cluster');

/** Loads a module of the cluster example as Node does. */
export function load<T>(name: string): Promise<T> {
  return import(pathToFileURL(join(FOLDER, name)).href) as Promise<T>;
}

/** Two processes of a variant, without a balancer, with a sandbox that this process can observe. `servers` is for a variant that needs them. */
export async function startCluster(title: string, servers?: Servers) {
  const { VARIANTS } = await load<typeof ClusterModule>('cluster.js');
  const { Instances } = await load<typeof InstancesModule>('instances.js');
  const { freePorts } = await load<typeof Ports>('ports.js');
  const { PEOPLE, shareSandbox } = await load<typeof Sandboxes>('sandbox.js');
  const { Browser } = await load<typeof Visitors>('visitors.js');
  const variant = VARIANTS.find((candidate) => candidate.title === title);
  if (!variant) throw new Error(`There is no variant "${title}".`);
  const sandbox = await startSandbox({ people: PEOPLE });
  const ports = await freePorts(2);
  const [one = '', other = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
  const instances = await Instances.start(ports, {
    ...(await variant.environment(servers as Servers, servers?.folder ?? '')),
    SHARED_SANDBOX: JSON.stringify(shareSandbox(sandbox)),
    BASE_URL: one,
  });

  /** Begins a login and gives consent. @returns The path and query of the callback. */
  const begin = async (url: string, network: string) => {
    const browser = new Browser();
    const start = await browser.get(`${url}/api/auth/signin/${network}`);
    const consent = await browser.get(`${start.location}&auto=allow&person=person-1`);
    const { pathname, search } = new URL(consent.location);
    return { browser, callback: pathname + search };
  };
  /** How many codes and verifiers the networks got. */
  const codes = () =>
    sandbox.requests().filter(({ endpoint }) => ['token', 'access token'].includes(endpoint)).length;

  return {
    networks: variant.journey.networks,

    /** Performs a login whose authorization response reaches both processes at the same moment. */
    async finishTwice(network: string) {
      const { browser, callback } = await begin(one, network);
      const before = codes();
      const pages = await Promise.all([one, other].map((url) => browser.get(url + callback)));
      // The login example redirects to the profile.
      const statuses = pages.map(({ status }) => (status === 302 ? 200 : status));
      return { statuses, codes: codes() - before };
    },

    /** Begins a login in one process and finishes it in the other. @returns Status and text of the responses, for either order. */
    async finishElsewhere(network: string): Promise<string[]> {
      const finish = async (from: string, to: string) => {
        const { browser, callback } = await begin(from, network);
        const { status, text } = await browser.get(to + callback);
        return `${status} ${text}`;
      };
      return [await finish(one, other), await finish(other, one)];
    },

    async close(): Promise<void> {
      await instances.stop();
      await sandbox.close();
    },
  };
}
