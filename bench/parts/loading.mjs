// What a production install contains, and what it costs to load each entry: of the packed package, of what it is built on, and of the
// other packages. Each install has a folder of its own, each load a process of its own.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PASSPORT_PEERS } from '../clients/strategies.mjs';
import { inProcess } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';
import { OURS, ROOT, versionOf } from '../versions.mjs';

const run = promisify(execFile);

/** What every strategy is built on, as one install. */
export const BASE = 'passport-oauth2 + passport-oauth1';
const PEERS = [...Object.values(PASSPORT_PEERS), '@auth/core'];

/** @typedef {{ subject: string[], client: string, folder: string, rounds: Record<string, number>[] }} Install */

/** @param {import('../run.mjs').Context} _context @param {{ rounds: number }} size @returns {Promise<Record<'modules' | 'installs', import('../rounds.mjs').Row[]>>} */
export async function measureLoading(_context, { rounds }) {
  const parent = mkdtempSync(join(tmpdir(), 'bench-installs-'));
  try {
    // Without scripts: `prepare` would build again.
    const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', parent];
    const [{ filename }] = JSON.parse(await npm(ROOT, ...packing));
    const own = await install(parent, OURS, [join(parent, filename)]);
    const base = await install(parent, BASE, BASE.split(' + ').map(pinned));
    const peers = [];
    for (const name of PEERS) peers.push(await install(parent, name, [pinned(name)]));
    const modules = await inRounds(modulesIn(own, base, peers), rounds, ({ folder, specifier, isModule }) =>
      inProcess('parts/load.mjs', { folder, specifier, isModule }),
    );
    return { modules, installs: [own, base, ...peers] };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Every module to load. @param {Install} own @param {Install} base @param {Install[]} peers */
function modulesIn(own, base, peers) {
  const manifest = readFileSync(join(own.folder, 'node_modules', OURS, 'package.json'), 'utf8');
  const entries = Object.keys(JSON.parse(manifest).exports).filter(
    (entry) => !['./package.json', './internal'].includes(entry),
  );
  // The only one without a CommonJS build.
  const isModule = (/** @type {string} */ specifier) => specifier === '@auth/core';
  return [
    ...BASE.split(' + ').map((name) => ({ ...base, client: name, specifier: name })),
    ...entries.map((entry) => ({ ...own, specifier: OURS + entry.slice(1) })),
    ...peers.map((peer) => ({ ...peer, specifier: peer.client })),
  ].map((one) => ({ ...one, subject: [`\`${one.specifier}\``], isModule: isModule(one.specifier) }));
}

/** @param {string} parent @param {string} client - Packages whose versions the table shows. @param {string[]} specifiers @returns {Promise<Install>} */
async function install(parent, client, specifiers) {
  const folder = join(parent, client.replace(/\W+/g, '-'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'an-application', private: true }));
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--omit=dev'];
  await npm(folder, 'install', ...quiet, ...specifiers);
  const all = packagesIn(join(folder, 'node_modules'));
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const figures = {
    packages: all.filter(({ bytes }) => bytes > 0).length,
    bytes: sum(all.map(({ bytes }) => bytes)),
    typePackages: all.filter(({ bytes }) => bytes === 0).length,
    typeBytes: sum(all.map(({ typeBytes }) => typeBytes)),
  };
  const names = client
    .split(' + ')
    .map((name) => (name === OURS ? name : pinned(name).replace(/(?<=.)@/, ' ')));
  return { subject: [names.join(' + ')], client, folder, rounds: [figures] };
}

/** With the version that the benchmark installs. @param {string} name */
const pinned = (name) => `${name}@${versionOf(name)}`;

/** @param {string} cwd @param {string[]} args */
async function npm(cwd, ...args) {
  try {
    return (await run('npm', args, { cwd })).stdout;
  } catch (error) {
    const { stderr = '' } = /** @type {{ stderr?: string }} */ (error);
    const line = stderr.split('\n').find((text) => /npm (error|ERR!)/.test(text)) ?? String(error);
    throw new Error(`npm ${args[0]} failed: ${line}`);
  }
}

const DECLARATIONS = /\.d\.[cm]?ts(\.map)?$/;
const PROGRAM = /\.([cm]?js|node)$/;

/** Bytes of each installed package. Declaration files, and packages with nothing but types, are counted as types. @param {string} modules - A folder node_modules. */
function packagesIn(modules) {
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  return Object.keys(lock.packages).map((place) => {
    const files = filesIn(join(dirname(modules), place));
    const isProgram = files.some(({ path }) => PROGRAM.test(path));
    const sizes = { bytes: 0, typeBytes: 0 };
    for (const { path, bytes } of files)
      sizes[isProgram && !DECLARATIONS.test(path) ? 'bytes' : 'typeBytes'] += bytes;
    return sizes;
  });
}

/** Without nested packages, which have entries of their own in the lockfile. @param {string} folder @returns {{ path: string, bytes: number }[]} */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return entry.isFile() ? [{ path, bytes: statSync(path).size }] : [];
  });
}
