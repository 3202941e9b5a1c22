// A program: one client with many logins that wait for a slow network at once. Measures the memory of each login, the longest stall of the
// event loop, and how many logins succeed.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { oursAtMicroblog } from '../clients/strategies.mjs';
import { askStub } from '../network/network.mjs';
import { finish, settings } from '../processes.mjs';

/** Logins that start per second, and responses per second once the network sends them. */
const PER_SECOND = 500;
/** Milliseconds between two samples of the event loop's delay. */
const RESOLUTION = 5;
/** Milliseconds: longer than the network holds a response back here, or the logins would end with a timeout. */
const TIMEOUT = 300_000;

const { addresses, logins } = settings();
const client = oursAtMicroblog(addresses, { timeout: TIMEOUT });
for (let warming = 0; warming < 300; warming += 1) await client.login();

await askStub(addresses, 'reset');
await askStub(addresses, 'hold');
const memory = () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
};
memory();
await pause(100);
const before = memory();
const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
let longest = 0;
const stopMonitor = () => {
  delays.disable();
  longest = Math.max(longest, delays.max / 1e6 - RESOLUTION);
  delays.reset();
};

/** @type {Promise<void>[]} */
const pending = [];
/** @type {unknown} */
let failure;
const begin = performance.now();
delays.enable();
while (pending.length < logins) {
  const due = Math.min(logins, Math.ceil(((performance.now() - begin) / 1_000) * PER_SECOND));
  // Ten at a time: after a late timer, hundreds would be due at once.
  for (const end = Math.min(due, pending.length + 10); pending.length < end; ) {
    const login = client.login();
    login.catch((error) => {
      failure ??= error;
    });
    pending.push(login);
  }
  await pause(1);
}
const arrived = async () => (await askStub(addresses, 'counts')).requests;
while (!failure && (await arrived()) < logins) await pause(50);
// The full collection below is a stall that only the benchmark makes.
stopMonitor();
const during = memory();
await pause(20);
delays.enable();
await askStub(addresses, `release?per-second=${PER_SECOND}`);
await Promise.all(pending);
stopMonitor();
finish({
  finished: pending.length,
  // Bytes of the heap and its buffers, and of the process, for one login; milliseconds.
  heap: (during.heap - before.heap) / logins,
  rss: (during.rss - before.rss) / logins,
  longest,
  loginsPerSecond: pending.length / ((performance.now() - begin) / 1_000),
});
