// Runs the benchmarks and writes their tables into bench/README.md.
//   --only=flight,loading  some parts, see bench/README.md
//   --quick                short rounds, and nothing is written: to see that it runs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Deployment } from './clients/deployment.mjs';
import { PASSPORT_PEERS } from './clients/strategies.mjs';
import { askStub, startNetwork } from './network/network.mjs';
import { measureAnonymous, measureDeployed } from './parts/deployed.mjs';
import { inProcess } from './processes.mjs';
import { ROUND_TRIP } from './report/figures.mjs';
import { sectionsOf, surroundings, writePage } from './report/report.mjs';
import { failureText, inRounds } from './rounds.mjs';
import { OURS, ROOT } from './versions.mjs';

/** `env`: for processes that ask the network; `deployment`: for all parts, because applications take long to start. @typedef {{ addresses: import('./network/network.mjs').NetworkAddresses, env: Record<string, string>, deployment: Deployment }} Context */
/** @typedef {import('./report/figures.mjs').Results} Results */
/** @typedef {{ measure: (context: Context, size: any) => Promise<Results[string]>, usual: object, quick: object }} Part */

/** Milliseconds: ten thousand logins arrive and end in 40 seconds. */
const DEADLINE = 300_000;

/** Many logins waiting for the network at once: each number of logins in a process of its own. @param {Context} context @param {{ sizes: number[] }} size */
function measureFlight({ addresses, env }, { sizes }) {
  const subjects = sizes.map((logins) => ({
    subject: [logins.toLocaleString('en-US')],
    client: OURS,
    logins,
  }));
  const measure = async (/** @type {(typeof subjects)[number]} */ { logins }) => {
    try {
      return await inProcess('parts/waiting.mjs', { addresses, logins }, env);
    } finally {
      // A process that died leaves requests waiting.
      await askStub(addresses, 'release?per-second=1000');
    }
  };
  return inRounds(subjects, 1, measure, { deadline: DEADLINE });
}

/** Without a CommonJS build. */
const MODULES = ['@auth/core'];

/** What it costs to load each entry of this package as it was built, and the other packages. Each load has a process of its own. @param {Context} _context @param {{ rounds: number }} size */
function measureLoading(_context, { rounds }) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const own = Object.keys(exports)
    .filter((entry) => !['./package.json', './internal'].includes(entry))
    .map((entry) => ({ client: OURS, folder: ROOT, specifier: OURS + entry.slice(1) }));
  const names = ['passport-oauth2', ...Object.values(PASSPORT_PEERS), ...MODULES];
  const others = names.map((name) => ({ client: name, folder: join(ROOT, 'bench'), specifier: name }));
  const subjects = [...others, ...own].map((one) => ({ ...one, subject: [`\`${one.specifier}\``] }));
  return inRounds(subjects, rounds, ({ folder, specifier }) =>
    inProcess('parts/load.mjs', { folder, specifier, isModule: MODULES.includes(specifier) }),
  );
}

/** @type {Record<string, Part>} */
const PARTS = {
  deployed: {
    measure: measureDeployed,
    usual: { rounds: 5, logins: 2_500, warming: 6_000 },
    quick: { rounds: 1, logins: 8, warming: 0 },
  },
  anonymous: {
    measure: measureAnonymous,
    usual: { rounds: 5, callbacks: 25 },
    quick: { rounds: 1, callbacks: 1 },
  },
  latency: {
    // All clients in one process.
    measure: ({ addresses, env }, size) =>
      inProcess('parts/latency.mjs', { addresses, roundTrip: ROUND_TRIP, ...size }, env),
    usual: { rounds: 7 },
    quick: { rounds: 1, roundTrip: 10 },
  },
  loading: { measure: measureLoading, usual: { rounds: 31 }, quick: { rounds: 1 } },
  flight: { measure: measureFlight, usual: { sizes: [1_000, 10_000] }, quick: { sizes: [100] } },
};

/** @param {[name: string, part: Part][]} parts @param {boolean} isQuick */
async function measureAll(parts, isQuick) {
  const { addresses, env, stop } = await startNetwork();
  const deployment = new Deployment(env);
  /** @type {Results} */
  const results = {};
  try {
    for (const [name, { measure, usual, quick }] of parts) {
      const begin = performance.now();
      process.stdout.write(`${name} ... `);
      results[name] = await measure({ addresses, env, deployment }, isQuick ? quick : usual);
      console.log(`${Math.round((performance.now() - begin) / 1_000)} s`);
    }
    return results;
  } finally {
    await deployment.stop();
    stop();
  }
}

async function main() {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const names = values.only?.split(',') ?? Object.keys(PARTS);
  const parts = names.map((name) => {
    const part = PARTS[name];
    if (!part) throw new Error(`There is no part ${name}: ${Object.keys(PARTS).join(', ')}.`);
    return /** @type {[string, Part]} */ ([name, part]);
  });
  const about = surroundings();
  const results = await measureAll(parts, values.quick);
  const sections = sectionsOf(results, about);
  console.log(`\n${sections.map(({ name, text }) => `${name}\n\n${text}`).join('\n\n')}`);
  for (const { subject, client, failure } of Object.values(results).flat()) {
    if (failure === undefined) continue;
    console.error(`bench: ${[...subject, client].join(', ')} failed: ${failure}`);
    process.exitCode = 1;
  }
  if (!values.quick) console.log(`\nWritten to ${writePage(sections)}.`);
}

// The processes that this one has started are stopped when it exits.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

try {
  await main();
} catch (error) {
  console.error(`bench: ${failureText(error)}`);
  process.exitCode = 1;
}
