// A process of its own with many logins waiting on a slow network at once: what each takes of memory, how long the event loop
// stood still, and whether all end. Arguments: which client, and how many. Prints its figures as JSON.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { floor } from '../clients/floor.mjs';
import { ours } from '../clients/ours.mjs';
import { askStub } from '../network/processes.mjs';
import { failureText } from '../rounds.mjs';

const [which, size] = process.argv.slice(2);
const logins = Number(size);
const addresses = JSON.parse(process.env.BENCH_NETWORK ?? '{}');
/** How many people come in a second, and how many answers when the network wakes up. */
const PER_SECOND = 500;
/** Milliseconds between two looks at the clock. */
const RESOLUTION = 5;
/** Milliseconds: longer than the network lets anybody wait here, or the strategies would give up, as they should. */
const TIMEOUT = 300_000;

const clients = which === 'floor' ? floor(addresses) : ours(addresses, { timeout: TIMEOUT });
const client = /** @type {import('../clients/passport-client.mjs').Client} */ (
  clients.find(({ network }) => network === 'microblog 2.0')
);
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
const stopWatch = () => {
  delays.disable();
  longest = Math.max(longest, delays.max / 1e6 - RESOLUTION);
  delays.reset();
};

/** @type {Promise<void>[]} */
const pending = [];
let finished = 0;
let failure = '';
const begin = performance.now();
delays.enable();
while (pending.length < logins) {
  const due = Math.min(logins, Math.ceil(((performance.now() - begin) / 1_000) * PER_SECOND));
  // Some at a time: a late clock must not let a thousand in at once.
  for (const end = Math.min(due, pending.length + 10); pending.length < end; ) {
    pending.push(
      client.login().then(
        () => {
          finished += 1;
        },
        (error) => {
          failure ||= failureText(error);
        },
      ),
    );
  }
  await pause(1);
}
const arrived = async () => (await askStub(addresses, 'counts')).requests;
while (!failure && (await arrived()) < logins) await pause(50);
// The collection that makes memory comparable is the benchmark's own stall.
stopWatch();
const during = memory();
await pause(20);
delays.enable();
await askStub(addresses, `release?per-second=${PER_SECOND}`);
await Promise.all(pending);
stopWatch();
const seconds = (performance.now() - begin) / 1_000;
process.stdout.write(
  JSON.stringify({
    logins,
    finished,
    heap: (during.heap - before.heap) / logins,
    rss: (during.rss - before.rss) / logins,
    longest,
    loginsPerSecond: finished / seconds,
    ...(failure && { failure }),
  }),
);
process.exit();
