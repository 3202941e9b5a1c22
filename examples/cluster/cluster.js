// @ts-check
// Starts the application in three processes behind nginx, until Ctrl+C: `node cluster.js`, or `node cluster.js sessionless`.
import { randomBytes, randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { hasNginx, startBalancer } from './balancer.js';
import { freePorts } from './ports.js';
import { end, startNode } from './processes.js';
import { hasServers, Servers } from './servers.js';

/** One process of the application. */
class Instance {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  child = undefined;

  /** @param {number} port @param {Readonly<Record<string, string>>} environment */
  constructor(port, environment) {
    this.url = `http://127.0.0.1:${port}`;
    this.environment = { ...environment, PORT: String(port) };
  }

  /** Starts it, and waits until it accepts requests. @param {Readonly<Record<string, string>>} [changes] Of its environment */
  async start(changes = {}) {
    this.child = await startNode({ ...this.environment, ...changes });
  }

  async kill() {
    await end(this.child, 'SIGKILL');
    this.child = undefined;
  }

  /** @throws {Error} if it has crashed */
  async stop() {
    const isGone = this.child && (this.child.exitCode ?? this.child.signalCode) !== null;
    await end(this.child, 'SIGTERM');
    if (isGone) throw new Error('An instance crashed.');
  }
}

/**
 * Starts instances behind a balancer: of the login example if there are servers, of the sessionless example otherwise.
 *
 * @param {object} settings
 * @param {Pick<import('passport-social-networks-sandbox').Sandbox, 'url' | 'options'>} settings.sandbox
 * @param {number} settings.count How many instances
 * @param {Servers} [settings.servers]
 * @param {Readonly<Record<string, string>>} [settings.environment] Further variables of all instances
 */
export async function startCluster({ sandbox: { url, options }, count, servers, environment }) {
  // Reserve all ports in one call: the first ones are still unused when the last is chosen.
  const [balancerPort, ...ports] = await freePorts(count + 1);
  const balancer = await startBalancer(ports, balancerPort);
  const networks = {
    'short-video': options('short-video'),
    microblog: options('microblog'),
    'microblog-1-0': options('microblog', { version: '1.0' }),
    'social-network': options('social-network'),
    'social-network-vk-id': options('social-network', { version: '2.1' }),
  };
  const shared = {
    SANDBOX: JSON.stringify({ url, networks }),
    SESSION_SECRET: randomBytes(32).toString('base64'),
    BASE_URL: balancer.url,
    ...(servers && {
      // A new database for each cluster.
      DATABASE_URL: await servers.createDatabase(`cluster_${randomUUID().replaceAll('-', '')}`),
      REDIS_URL: servers.redisURL,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATA_FOLDER: servers.folder,
    }),
    ...environment,
  };
  const instances = ports.map((port) => new Instance(port, shared));
  await Promise.all(instances.map((instance) => instance.start()));
  const close = async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await balancer.close();
  };
  return { url: balancer.url, networks: Object.keys(networks), instances, close };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
  if (hasNginx && hasServers) await main(process.argv[2] === 'sessionless');
  else {
    console.error(
      'This example needs nginx, PostgreSQL and Redis: apt-get install nginx-light postgresql redis-server.',
    );
    process.exitCode = 1;
  }
}

/** @param {boolean} isSessionless */
async function main(isSessionless) {
  const { startSandbox } = await import('passport-social-networks-sandbox');
  const servers = isSessionless ? undefined : await Servers.start();
  const cluster = await startCluster({
    sandbox: await startSandbox(),
    count: 3,
    ...(servers && { servers }),
  });
  const processes = cluster.instances.map(({ child }) => child?.pid).join(', ');
  console.log(`Log in at ${cluster.url}, and kill some of the processes ${processes} meanwhile.`);
}
