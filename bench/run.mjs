// Runs the benchmarks and writes their tables into docs/performance.md.
//   node run.mjs                        everything
//   node run.mjs --only=speed,loading   some parts: speed, latency, loading, flight, tabs
//   node run.mjs --quick                short rounds, nothing written: to see that it runs
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCertificate } from './network/certificate.mjs';
import { startStub } from './network/processes.mjs';
import { installAll } from './package/installs.mjs';
import { measureLoading } from './package/loading.mjs';
import { surroundings, writePage } from './report/page.mjs';
import { sectionsOf } from './report/sections.mjs';
import { targetsOf } from './report/targets.mjs';
import { failureText } from './rounds.mjs';

const PARTS = ['speed', 'latency', 'loading', 'flight', 'tabs'];
const FULL = {
  speed: { rounds: 9, logins: 1_000, warming: 6_000 },
  latency: { rounds: 7 },
  loading: { rounds: 31 },
  flight: { sizes: [1, 100, 1_000, 10_000] },
  tabs: {},
};
const QUICK = {
  speed: { rounds: 3, logins: 40, warming: 80 },
  latency: { rounds: 1 },
  loading: { rounds: 3 },
  flight: { sizes: [1, 100] },
  tabs: {},
};

/**
 * @param {import('./network/processes.mjs').NetworkAddresses} addresses
 * @param {string} certificate
 * @param {string} part
 * @param {object} size
 * @returns {Promise<unknown>}
 */
function measure(addresses, certificate, part, size) {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate, BENCH_NETWORK: JSON.stringify(addresses) };
  const child = fork(join(import.meta.dirname, 'measure.mjs'), [part, JSON.stringify(size)], {
    env,
    execArgv: ['--expose-gc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { failure, result } = /** @type {{ failure?: string, result?: unknown }} */ (message);
      if (failure === undefined) resolve(result);
      else reject(new Error(failure));
    });
    child.once('exit', (code) =>
      reject(new Error(`The part ${part} ended with code ${code} and no result.`)),
    );
  });
}

/** @param {{ rounds: number }} size */
async function measurePackage(size) {
  const { installs, remove } = await installAll();
  try {
    return { installs, loads: await measureLoading(installs, size) };
  } finally {
    remove();
  }
}

/** @param {string[]} parts @param {typeof FULL} sizes */
async function measureAll(parts, sizes) {
  const certificate = makeCertificate();
  const stub = await startStub(certificate);
  /** @type {Record<string, any>} */
  const results = {};
  try {
    for (const part of /** @type {(keyof typeof FULL)[]} */ (parts)) {
      const begin = performance.now();
      process.stdout.write(`${part} ... `);
      results[part] =
        part === 'loading'
          ? await measurePackage(sizes.loading)
          : await measure(stub.addresses, certificate.certificate, part, sizes[part]);
      console.log(`${Math.round((performance.now() - begin) / 1_000)} s`);
    }
    return results;
  } finally {
    stub.stop();
    certificate.remove();
  }
}

try {
  const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean' } } });
  const parts = values.only?.split(',') ?? PARTS;
  const unknown = parts.find((part) => !PARTS.includes(part));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${PARTS.join(', ')}.`);
  const about = surroundings();
  const results = await measureAll(parts, values.quick ? QUICK : FULL);
  const targets = targetsOf(results);
  const sections = sectionsOf(results, targets, about);
  for (const { name, text } of sections) console.log(`\n${name}\n\n${text}`);
  if (!values.quick) console.log(`\nWritten into ${writePage(sections)}.`);
} catch (error) {
  console.error(`\nbench: ${failureText(error)}`);
  process.exitCode = 1;
}
