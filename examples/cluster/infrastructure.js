// @ts-check
import { Balancer } from './balancer.js';
import { Instances } from './instances.js';
import { freePorts } from './ports.js';
import { makeFolder, removeFolder } from './processes.js';
import { Servers } from './servers.js';
import { startSharedSandbox } from './shared-sandbox.js';
import { Visitors } from './visitors.js';

/** The databases and the sandbox, shared by all clusters of a run. */
export class Infrastructure {
  /**
   * @private
   * @param {Servers} servers
   * @param {Awaited<ReturnType<typeof startSharedSandbox>>} sandbox
   * @param {string} folder
   */
  constructor(servers, sandbox, folder) {
    this.servers = servers;
    this.sandbox = sandbox;
    this.folder = folder;
  }

  static async start() {
    const [servers, sandbox] = await Promise.all([Servers.start(), startSharedSandbox()]);
    return new Infrastructure(servers, sandbox, makeFolder('cluster-data'));
  }

  async stop() {
    await Promise.all([this.servers.stop(), this.sandbox.stop()]);
    removeFolder(this.folder);
  }
}

/**
 * Starts instances of a variant behind a balancer, runs `work` with them and stops them.
 *
 * @template T
 * @param {Pick<Infrastructure, 'servers' | 'folder'> & { sandbox: Pick<Infrastructure['sandbox'], 'shared'> }} infrastructure
 * @param {import('./variants.js').Variant} variant
 * @param {number} count How many instances
 * @param {(cluster: { instances: Instances, visitors: Visitors }) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withCluster({ servers, sandbox, folder }, variant, count, work) {
  // Reserve all ports in one call: the first ones are still unused when the last is chosen.
  const [balancerPort, ...ports] = await freePorts(count + 1);
  const balancer = await Balancer.start(ports, balancerPort);
  const instances = await Instances.start(ports, {
    ...(await variant.environment(servers, folder)),
    SHARED_SANDBOX: JSON.stringify(sandbox.shared),
    BASE_URL: balancer.url,
  });
  try {
    return await work({ instances, visitors: new Visitors(variant.journey, balancer.url) });
  } finally {
    await instances.stop();
    await balancer.stop();
  }
}
