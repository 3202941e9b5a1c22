// A program: logins as fast as possible, eight at once, with every client in this one process.
import { allClients } from '../clients/index.mjs';
import { askStub } from '../network/network.mjs';
import { finish, settings } from '../processes.mjs';
import { inRounds, quantile } from '../rounds.mjs';

const AT_ONCE = 8;
/** A slow client does fewer logins: milliseconds after which it starts no more. */
const LONGEST = { warming: 8_000, warmingAgain: 500, measuring: 2_500 };

const { addresses, versions, rounds, logins, warming } = settings();
const warmed = new Set();

/**
 * @param {import('../clients/passport-client.mjs').Client} client
 * @param {number} most - Logins.
 * @param {number} longest - Milliseconds.
 * @returns {Promise<number[]>} Milliseconds of each login.
 */
async function run(client, most, longest) {
  /** @type {number[]} */
  const durations = [];
  let left = most;
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
  // Waits for all workers even if one fails: a login that goes on would disturb the next client.
  const outcomes = await Promise.allSettled(workers);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return durations;
}

/** @param {import('../clients/passport-client.mjs').Client} client */
async function measure(client) {
  // Opens the connections and lets V8 compile. Again in each round, because V8 discards compiled code during the other clients' turns.
  if (warmed.has(client)) await run(client, logins, LONGEST.warmingAgain);
  else await run(client, warming, LONGEST.warming);
  warmed.add(client);
  // Removes the previous client's garbage. Not a full collection, which would discard compiled code.
  globalThis.gc?.({ type: 'minor' });
  await askStub(addresses, 'reset');
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  const durations = await run(client, logins, LONGEST.measuring);
  const elapsed = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { connections, requests, rejected } = await askStub(addresses, 'counts');
  if (rejected > 0) throw new Error(`the network rejected ${rejected} of ${requests} requests`);
  const done = durations.length;
  return {
    loginsPerSecond: (done / elapsed) * 1_000,
    /** Microseconds of all threads of this process. */
    cpu: (user + system) / done,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
    connections: connections / done,
    requests: requests / done,
  };
}

// The kernel charges the work of waking the stub's process to the client that writes to it, and a slow client would wake it more often.
// Real networks run on other machines.
await askStub(addresses, 'awake');
const check = () => askStub(addresses, 'counts');
const rows = await inRounds(allClients(addresses, versions), rounds, measure, { check });
await askStub(addresses, 'asleep');
finish(rows);
