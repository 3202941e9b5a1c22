// Logins as fast as they go, eight at once: logins per second, CPU, latency, connections and requests of each client.
import { allClients } from '../clients/index.mjs';
import { askStub } from '../network/processes.mjs';
import { inRounds, quantile } from '../rounds.mjs';

/**
 * @typedef {object} SpeedFigures
 * @property {number} loginsPerSecond
 * @property {number} cpu - Microseconds of this process, all its threads, for one login.
 * @property {number} p50 - Milliseconds.
 * @property {number} p99 - Milliseconds.
 * @property {number} connections - For one login.
 * @property {number} requests - For one login.
 */
/** @typedef {{ name: string, network: string, failure?: string, rounds: SpeedFigures[] }} SpeedResult */

const AT_ONCE = 8;
/** Milliseconds after which a slow client starts no more: its figures are as good with fewer. */
const LONGEST = { warming: 8_000, warmingAgain: 500, measuring: 2_500 };

/**
 * @param {import('../clients/passport-client.mjs').Client} client
 * @param {number} logins - At most.
 * @param {number} longest - Milliseconds after which no more are begun.
 * @returns {Promise<number[]>} Milliseconds of each.
 */
async function run(client, logins, longest) {
  /** @type {number[]} */
  const durations = [];
  let left = logins;
  const end = performance.now() + longest;
  const worker = async () => {
    while (left > 0 && performance.now() < end) {
      left -= 1;
      const begin = performance.now();
      await client.login();
      durations.push(performance.now() - begin);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error) => {
      left = 0;
      throw error;
    }),
  );
  // All of them, also after a failure: what goes on would run in the next client's time.
  const outcomes = await Promise.allSettled(workers);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return durations;
}

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @param {{ rounds: number, logins: number, warming: number }} size
 * @returns {Promise<SpeedResult[]>}
 */
export async function measureSpeed(addresses, { rounds, logins, warming }) {
  const warmed = new Set();
  const stubIsThere = () => askStub(addresses, 'counts');
  /** @param {import('../clients/passport-client.mjs').Client} client */
  const measure = async (client) => {
    // Until its code is compiled and its connections are open: collections in the others' turns throw compiled code away.
    if (warmed.has(client)) await run(client, logins, LONGEST.warmingAgain);
    else await run(client, warming, LONGEST.warming);
    warmed.add(client);
    // What the one before left behind is not this one's work. No full collection: it would throw compiled code away.
    globalThis.gc?.({ type: 'minor' });
    await askStub(addresses, 'reset');
    const cpuBefore = process.cpuUsage();
    const begin = performance.now();
    const durations = await run(client, logins, LONGEST.measuring);
    const elapsed = performance.now() - begin;
    const { user, system } = process.cpuUsage(cpuBefore);
    const { connections, requests, refused } = await askStub(addresses, 'counts');
    if (refused > 0) throw new Error(`the network refused ${refused} of ${requests} requests`);
    const done = durations.length;
    return {
      loginsPerSecond: (done / elapsed) * 1_000,
      cpu: (user + system) / done,
      p50: quantile(durations, 0.5),
      p99: quantile(durations, 0.99),
      connections: connections / done,
      requests: requests / done,
    };
  };
  // A process that sleeps has to be woken, and the kernel charges that to whoever writes to it: the more, the slower the client.
  // Real networks are on machines of their own.
  await askStub(addresses, 'awake');
  const series = await inRounds(allClients(addresses), rounds, measure, stubIsThere);
  await askStub(addresses, 'asleep');
  return series.map(({ subject: { name, network }, ...rest }) => ({ name, network, ...rest }));
}
