// Runs the benchmarks and writes their tables into bench/README.md.
//   --only=speed,loading   some parts, see bench/README.md
//   --quick                short rounds, and nothing is written: to see that it runs
//   --baseline=<folder>    compares with an earlier checkout of this package, built; prints the comparison
//   --out=<file>           writes what is printed to a file as well
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Deployment } from './clients/deployment.mjs';
import { startNetwork } from './network/network.mjs';
import { measureAnonymous } from './parts/anonymous.mjs';
import { measureDeployed } from './parts/deployed.mjs';
import { measureFlight } from './parts/flight.mjs';
import { measureLoading } from './parts/loading.mjs';
import { inProcess } from './processes.mjs';
import { ROUND_TRIP } from './report/figures.mjs';
import { comparisonText, sectionsOf, surroundings, withoutBaseline, writePage } from './report/report.mjs';
import { failureText } from './rounds.mjs';
import { versionsOf } from './versions.mjs';

/**
 * @typedef {object} Context
 * @property {import('./network/network.mjs').NetworkAddresses} addresses
 * @property {Record<string, string>} env - For processes that ask the network.
 * @property {import('./versions.mjs').Version[]} versions
 * @property {Deployment} deployment - For all parts, because applications take long to start.
 */
/** @typedef {keyof ReturnType<typeof sizesOf>} Part */

const OPTIONS = /** @type {const} */ ({
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
  baseline: { type: 'string' },
  out: { type: 'string' },
});

/** npm changes the folder; a path is relative to the one that npm was started in. @param {string} path */
const pathOf = (path) => resolve(process.env.INIT_CWD ?? '.', path);

/** @param {boolean} isQuick @param {boolean} isComparison */
const sizesOf = (isQuick, isComparison) => ({
  deployed: isQuick ? { rounds: 2, logins: 16, warming: 16 } : { rounds: 7, logins: 300, warming: 1_500 },
  speed: isQuick ? { rounds: 2, logins: 16, warming: 16 } : { rounds: 9, logins: 1_000, warming: 6_000 },
  anonymous: isQuick ? { rounds: 1, callbacks: 4 } : { rounds: 5, callbacks: 25 },
  latency: { rounds: isQuick ? 1 : 7 },
  loading: { rounds: isQuick ? 3 : 31 },
  // One round takes two minutes. A single one shows the order of magnitude, but not the difference of two versions.
  flight: { rounds: isComparison && !isQuick ? 3 : 1, sizes: isQuick ? [100] : [1_000, 10_000] },
  tabs: isQuick ? { rounds: 1, times: 5, logins: 500 } : { rounds: 5, times: 40, logins: 10_000 },
});

/** @param {Part} part @param {Context} context @param {ReturnType<typeof sizesOf>} sizes @returns {Promise<import('./report/figures.mjs').Results>} */
async function measure(part, context, sizes) {
  const { addresses, env, versions } = context;
  const shared = { addresses, versions, roundTrip: ROUND_TRIP };
  if (part === 'loading') return measureLoading(context, sizes.loading);
  if (part === 'deployed') return { deployed: await measureDeployed(context, sizes.deployed) };
  if (part === 'anonymous') return { anonymous: await measureAnonymous(context, sizes.anonymous) };
  if (part === 'flight') return { flight: await measureFlight(context, sizes.flight) };
  const result = await inProcess(`parts/${part}.mjs`, { ...shared, ...sizes[part] }, env);
  return part === 'tabs' ? result : { [part]: result };
}

/** @param {Part[]} parts @param {import('./versions.mjs').Version[]} versions @param {ReturnType<typeof sizesOf>} sizes */
async function measureAll(parts, versions, sizes) {
  const { addresses, env, stop } = await startNetwork();
  const deployment = new Deployment({ addresses, env, versions });
  /** @type {import('./report/figures.mjs').Results} */
  const results = {};
  try {
    for (const part of parts) {
      const begin = performance.now();
      process.stdout.write(`${part} ... `);
      Object.assign(results, await measure(part, { addresses, env, versions, deployment }, sizes));
      console.log(`${Math.round((performance.now() - begin) / 1_000)} s`);
    }
    return results;
  } finally {
    await deployment.stop();
    stop();
  }
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS });
  const { only, quick, baseline, out } = values;
  const versions = versionsOf(baseline === undefined ? undefined : pathOf(baseline));
  const sizes = sizesOf(quick, baseline !== undefined);
  const names = Object.keys(sizes);
  const parts = only?.split(',') ?? names;
  const unknown = parts.find((part) => !names.includes(part));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${names.join(', ')}.`);
  const about = surroundings(versions);
  const results = await measureAll(/** @type {Part[]} */ (parts), versions, sizes);
  const texts = sectionsOf(results, about).map(({ name, text }) => `${name}\n\n${text}`);
  if (baseline !== undefined) texts.push(comparisonText(results));
  const text = texts.join('\n\n');
  console.log(`\n${text}`);
  if (out !== undefined) {
    writeFileSync(pathOf(out), `${text}\n`);
    console.log(`\nWritten to ${pathOf(out)}.`);
  }
  const failures = Object.values(results)
    .flat()
    .filter(({ failure }) => failure !== undefined);
  for (const { subject, client, failure } of failures) {
    console.error(`bench: ${[...subject, client].join(', ')} failed: ${failure}`);
    process.exitCode = 1;
  }
  if (quick) return;
  const page = sectionsOf(withoutBaseline(results), surroundings(versions.slice(0, 1)));
  console.log(`\nWritten to ${writePage(page)}.`);
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
