// What a production install brings: the package as npm would publish it, and each peer, each into a folder of its own.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BENCH = dirname(import.meta.dirname);
const ROOT = dirname(BENCH);

/**
 * @typedef {object} Install
 * @property {string} name
 * @property {string} folder
 * @property {string} version
 * @property {number} packages - Those with a program in them.
 * @property {number} bytes - Without declarations.
 * @property {number} typePackages - Packages without any program in them.
 * @property {number} typeBytes
 */

/** Installs of these are compared; the first is ours, the second what it is built on. */
export const BASE = 'passport-oauth2 + passport-oauth1';
const PEERS = [
  'passport-tiktok-auth',
  '@superfaceai/passport-twitter-oauth2',
  'passport-twitter',
  'passport-vkontakte',
  '@auth/core',
];

/**
 * @param {string} cwd
 * @param {string[]} args
 */
async function npm(cwd, ...args) {
  try {
    return (await run('npm', args, { cwd })).stdout;
  } catch (error) {
    const { stderr = '' } = /** @type {{ stderr?: string }} */ (error);
    const line = stderr.split('\n').find((text) => /npm (error|ERR!)/.test(text)) ?? String(error);
    throw new Error(`npm ${args[0]} failed: ${line}`);
  }
}

/** The version that bench/package.json pins. @param {string} name */
function pinned(name) {
  const { dependencies } = JSON.parse(readFileSync(join(BENCH, 'package.json'), 'utf8'));
  return `${name}@${dependencies[name]}`;
}

/**
 * @returns {Promise<{ installs: Install[], remove: () => void }>} Ours first, then what it is built on, then the peers.
 */
export async function installAll() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-installs-'));
  // Without scripts: packing would build again.
  const packed = JSON.parse(
    await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  );
  const tarball = join(folder, packed[0].filename);
  const wanted = [
    { name: packed[0].name, specifiers: [tarball] },
    { name: BASE, specifiers: [pinned('passport-oauth2'), pinned('passport-oauth1')] },
    ...PEERS.map((name) => ({ name, specifiers: [pinned(name)] })),
  ];
  /** @type {Install[]} */
  const installs = [];
  for (const { name, specifiers } of wanted) installs.push(await install(folder, name, specifiers));
  return { installs, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * @param {string} parent
 * @param {string} name
 * @param {string[]} specifiers
 * @returns {Promise<Install>}
 */
async function install(parent, name, specifiers) {
  const folder = join(parent, name.replace(/\W+/g, '-'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'an-application', private: true }));
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--omit=dev'];
  await npm(folder, 'install', ...quiet, ...specifiers);
  const all = packagesIn(join(folder, 'node_modules'));
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  return {
    name,
    folder,
    version: name
      .split(' + ')
      .map((one) => all.find((installed) => installed.name === one)?.version)
      .join(' + '),
    packages: all.filter(({ bytes }) => bytes > 0).length,
    bytes: sum(all.map(({ bytes }) => bytes)),
    typePackages: all.filter(({ bytes }) => bytes === 0).length,
    typeBytes: sum(all.map(({ typeBytes }) => typeBytes)),
  };
}

const DECLARATIONS = /\.d\.[cm]?ts(\.map)?$/;
const PROGRAM = /\.([cm]?js|node)$/;

/**
 * @param {string} modules - A folder node_modules.
 * @returns {{ name: string, version: string, bytes: number, typeBytes: number }[]}
 */
function packagesIn(modules) {
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  return Object.entries(lock.packages).map(([place, { version }]) => {
    const folder = join(dirname(modules), place);
    const files = filesIn(folder);
    const isProgram = files.some(({ path }) => PROGRAM.test(path));
    const isTypes = (/** @type {string} */ path) => !isProgram || DECLARATIONS.test(path);
    const weigh = (/** @type {boolean} */ types) =>
      files.reduce((sum, { path, bytes }) => (isTypes(path) === types ? sum + bytes : sum), 0);
    return {
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      bytes: weigh(false),
      typeBytes: weigh(true),
    };
  });
}

/**
 * Without packages inside a package: they are counted for themselves.
 *
 * @param {string} folder
 * @returns {{ path: string, bytes: number }[]}
 */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return entry.isFile() ? [{ path, bytes: statSync(path).size }] : [];
  });
}
