// A program: logins as fast as possible, eight at once, with every client in this one process.
import { allClients } from '../clients/strategies.mjs';
import { askStub } from '../network/network.mjs';
import { finish, settings } from '../processes.mjs';
import { inRounds, logInRepeatedly, quantile } from '../rounds.mjs';

/** A slow client does fewer logins: milliseconds after which it starts no more. */
const LONGEST = { warming: 8_000, warmingAgain: 500, measuring: 2_500 };

const { addresses, rounds, logins, warming } = settings();
const warmed = new Set();

/** @param {import('../clients/passport-client.mjs').Client} client */
async function measure(client) {
  // Opens the connections and lets V8 compile. Again in each round, because V8 discards compiled code during the other clients' turns.
  if (warmed.has(client)) await logInRepeatedly(client, logins, LONGEST.warmingAgain);
  else await logInRepeatedly(client, warming, LONGEST.warming);
  warmed.add(client);
  // Removes the previous client's garbage. Not a full collection, which would discard compiled code.
  globalThis.gc?.({ type: 'minor' });
  await askStub(addresses, 'reset');
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  const durations = await logInRepeatedly(client, logins, LONGEST.measuring);
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
const rows = await inRounds(await allClients(addresses), rounds, measure, { check });
await askStub(addresses, 'asleep');
finish(rows);
