// @ts-check
import { randomBytes, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { hasNginx, startBalancer } from './balancer.js';
import { Instances } from './instances.js';
import { freePorts, pause } from './ports.js';
import { end, makeFolder, removeFolder, startNode } from './processes.js';
import { hasServers, Servers } from './servers.js';
import { BARE_JOURNEY, LOGIN_JOURNEY, STATELESS_JOURNEY, Visitors } from './visitors.js';

/** A mistake in the setup. The message is one line and says how to fix it. */
class StartError extends Error {}

/** Setting -> default and minimum. README.md says what they mean. One instance must stay up while another is killed. */
const NUMBERS = { INSTANCES: [3, 2], SECONDS: [20, 1], KILLS: [5, 0], LOGINS: [1_500, 1], VISITORS: [12, 1] };

/** @typedef {Record<keyof typeof NUMBERS, number>} Settings */

/** Cluster sizes to compare. */
const SIZES = [1, 2, 4];

/**
 * @typedef {object} Variant
 * @property {string} title
 * @property {import('./visitors.js').Journey} journey
 * @property {(servers: Servers, folder: string) => Promise<Record<string, string>>} environment The environment variables that
 *   all instances of a cluster share
 */

/** The variants of the application. @type {readonly Variant[]} */
export const VARIANTS = [
  {
    title: 'sessions in Redis, accounts in PostgreSQL',
    journey: LOGIN_JOURNEY,
    environment: async (servers, folder) => ({
      VARIANT: 'login',
      // A new database for each cluster.
      DATABASE_URL: await servers.createDatabase(`cluster_${randomUUID().replaceAll('-', '')}`),
      REDIS_URL: servers.redisURL,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SESSION_SECRET: randomBytes(32).toString('base64'),
      DATA_FOLDER: folder,
    }),
  },
  {
    title: 'tokens, nothing shared but secrets',
    journey: STATELESS_JOURNEY,
    environment: async () => ({
      VARIANT: 'stateless',
      SESSION_SECRET: randomBytes(32).toString('base64'),
    }),
  },
];

/** The baseline of the measurements. @type {Variant} */
const BARE = {
  title: 'bare node:http, no logins',
  journey: BARE_JOURNEY,
  environment: async () => ({ VARIANT: 'bare' }),
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
  await main().catch((error) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exit(1);
  });
}

async function main() {
  const { MODE = 'run' } = process.env;
  if (MODE !== 'run' && MODE !== 'measure') throw new StartError('MODE must be run or measure.');
  const settings = readSettings(process.env);
  if (!hasNginx || !hasServers) {
    throw new StartError(
      'This example needs nginx, PostgreSQL and Redis: apt-get install nginx-light postgresql redis-server.',
    );
  }
  const [servers, sandbox] = await Promise.all([Servers.start(), startNode({ VARIANT: 'sandbox' })]);
  const folder = makeFolder('cluster-data');
  /** @type {Infrastructure} */
  const infrastructure = { servers, sandbox: JSON.stringify(sandbox.message), folder };
  try {
    await (MODE === 'measure' ? measureAll : endureAll)(infrastructure, settings);
  } finally {
    await Promise.all([servers.stop(), end(sandbox.child, 'SIGTERM')]);
    removeFolder(folder);
  }
}

/** @param {NodeJS.ProcessEnv} environment @returns {Settings} @throws {StartError} for a value that cannot be used */
function readSettings(environment) {
  const values = Object.entries(NUMBERS).map(([name, [defaultValue, minimum = 0]]) => {
    const text = environment[name] || String(defaultValue);
    if (/^\d{1,6}$/.test(text) && Number(text) >= minimum) return [name, Number(text)];
    throw new StartError(`${name} must be a whole number of at least ${minimum}.`);
  });
  return Object.fromEntries(values);
}

/** @typedef {{ servers: Servers, sandbox: string, folder: string }} Infrastructure Shared by all clusters of a run. The sandbox is JSON */

/**
 * Starts instances of a variant behind a balancer, runs `work` with them and stops them.
 *
 * @template T
 * @param {Infrastructure} infrastructure
 * @param {Variant} variant
 * @param {number} count How many instances
 * @param {(instances: Instances, visitors: Visitors) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withCluster({ servers, sandbox, folder }, variant, count, work) {
  // Reserve all ports in one call: the first ones are still unused when the last is chosen.
  const [balancerPort, ...ports] = await freePorts(count + 1);
  const balancer = await startBalancer(ports, balancerPort);
  const environment = await variant.environment(servers, folder);
  const shared = { SHARED_SANDBOX: sandbox, BASE_URL: balancer.url };
  const instances = await Instances.start(ports, { ...environment, ...shared });
  try {
    return await work(instances, new Visitors(variant.journey, balancer.url));
  } finally {
    await instances.stop();
    await balancer.close();
  }
}

/** Kills instances while users log in. @param {Infrastructure} infrastructure @param {Settings} settings */
async function endureAll(infrastructure, { INSTANCES, SECONDS, KILLS, VISITORS }) {
  console.log(`${INSTANCES} instances behind nginx, ${VISITORS} users at a time`);
  for (const variant of VARIANTS) {
    await withCluster(infrastructure, variant, INSTANCES, async (instances, visitors) => {
      const began = performance.now();
      const seconds = () => (performance.now() - began) / 1_000;
      const logins = visitors.run(VISITORS, () => seconds() >= SECONDS && instances.kills >= KILLS);
      while (instances.kills < KILLS) {
        // One more interval than kills, so that the last kill also hits logins in progress.
        await pause((SECONDS * 1_000) / (KILLS + 1));
        // On a busy machine, the instance killed last may still be restarting.
        while (visitors.inProgress === 0 || !instances.killOne()) await pause(50);
      }
      await logins;
      await Promise.all(instances.restarts);
      const { tried, finished, retried, lost, wrongUser, errors, losses } = visitors.tally;
      const causes = Object.entries(errors).map(([cause, count]) => `${count} times ${cause}`);
      console.log(`${variant.title}: ${instances.kills} kills in ${seconds().toFixed(1)} s`);
      console.log(`  logins tried  ${tried}`);
      console.log(`  finished      ${finished}`);
      console.log(`  retried       ${retried}${causes.length > 0 ? ` (${causes.join(', ')})` : ''}`);
      console.log(`  lost          ${lost}`);
      for (const loss of losses) console.log(`    ${loss}`);
      console.log(`  wrong user    ${wrongUser}`);
      if (lost + wrongUser > 0) process.exitCode = 1;
    });
  }
}

/**
 * Measures the CPU time per login and the logins per second for each cluster size.
 *
 * @param {Infrastructure} infrastructure
 * @param {Settings} settings
 */
async function measureAll(infrastructure, { LOGINS, VISITORS }) {
  const cores = availableParallelism();
  console.log(
    `${cores} ${cores === 1 ? 'core' : 'cores'}, shared with balancer, databases, sandbox and visitors`,
  );
  console.log(`${''.padEnd(41)}  instances   logins  per second   times  CPU per login   times`);
  for (const variant of [...VARIANTS, BARE]) {
    /** The figures of a single instance. @type {[number, number] | undefined} */
    let single;
    for (const size of SIZES) {
      await withCluster(infrastructure, variant, size, async (instances, visitors) => {
        const { tally } = visitors;
        // Warm-up: the first thousands of logins cost more, until the engine has compiled the hot code.
        await visitors.run(VISITORS, () => tally.tried >= LOGINS * size);
        const before = { finished: tally.finished, cpuTime: await instances.cpuTime() };
        const began = performance.now();
        await visitors.run(VISITORS, () => tally.tried >= LOGINS * size * 2);
        const seconds = (performance.now() - began) / 1_000;
        if (tally.finished < tally.tried) throw new Error('A login failed, although no instance was killed.');
        const logins = tally.finished - before.finished;
        const [perSecond, cpuTime] = [
          logins / seconds,
          ((await instances.cpuTime()) - before.cpuTime) / logins,
        ];
        single ??= [perSecond, cpuTime];
        const cells = [
          variant.title.padEnd(41),
          String(size).padStart(9),
          String(logins).padStart(7),
          perSecond.toFixed(1).padStart(9),
          (perSecond / single[0]).toFixed(2).padStart(6),
          `${cpuTime.toFixed(2)} ms`.padStart(13),
          (cpuTime / single[1]).toFixed(2).padStart(6),
        ];
        console.log(cells.join('  '));
      });
    }
  }
}
