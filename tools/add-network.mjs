// Makes a new network from the templates: `node tools/add-network.mjs photo-network` writes its folder in lib/, its folder in the
// sandbox and a first test, makes it known where networks are listed, and prints the export line that is left to add. What it
// makes is a network that follows the standards, with invented addresses: the checklist in CONTRIBUTING.md says how to go on.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fillIn, namesOf } from './network-template/names.mjs';
import { REGISTRATIONS } from './network-template/registrations.mjs';

/** @typedef {import('./network-template/names.mjs').Names} Names */

const ROOT = join(import.meta.dirname, '..');
const TEMPLATES = join(import.meta.dirname, 'network-template');
const SUFFIX = '.template';

try {
  const name = process.argv[2] ?? '';
  const names = namesOf(name, new Date());
  if (existsSync(join(ROOT, 'lib', name)) || existsSync(join(ROOT, 'lib/sandbox', name))) {
    throw new TypeError(`lib/${name} or lib/sandbox/${name} is there already`);
  }
  // Everything is worked out before anything is written: a place that is not found leaves the tree as it was.
  const changed = [...registered(names), packageExports(names)];
  const made = filesOf(names);
  for (const [file, text] of [...made, ...changed]) write(file, text);
  format([...made, ...changed].map(([file]) => file));
  report(names, made, changed);
} catch (error) {
  console.error(`add-network: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}

/**
 * The network's own files: each template at its own path, with the network's name for the folder `network`.
 *
 * @param {Names} names
 * @returns {[file: string, text: string][]}
 */
function filesOf(names) {
  return readdirSync(TEMPLATES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(SUFFIX))
    .sort()
    .map((path) => {
      const parts = path.slice(0, -SUFFIX.length).split(sep);
      const file = parts.map((part) => (part === 'network' ? names['kebab-name'] : part)).join('/');
      return [file, fillIn(readFileSync(join(TEMPLATES, path), 'utf8'), names)];
    });
}

/**
 * The files that list the networks, with the new one in them.
 *
 * @param {Names} names
 * @returns {[file: string, text: string][]}
 * @throws {Error} When a place is not there, or not the only one of its kind.
 */
function registered(names) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const { file, place, add } of REGISTRATIONS) {
    const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
    const count = [...text.matchAll(place)].length;
    if (count !== 1) {
      throw new Error(
        `${file} has ${count} places that look like ${place}, and should have one: correct registrations.mjs`,
      );
    }
    texts.set(file, text.replace(place, fillIn(add, names)));
  }
  return [...texts];
}

/**
 * The package's own list of subpaths, the new one before the sandbox. `typesVersions` is for compilers that do not read `exports`.
 *
 * @param {Names} names
 * @returns {[file: string, text: string]}
 */
function packageExports({ 'kebab-name': name }) {
  const file = 'package.json';
  const description = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const entry = (/** @type {string} */ module, /** @type {string} */ types) => ({
    types: `./dist/${name}/index.${types}`,
    default: `./dist/${name}/index.${module}`,
  });
  const subpath = { import: entry('mjs', 'd.mts'), require: entry('js', 'd.ts') };
  description.exports = insertedBefore(description.exports, './sandbox', `./${name}`, subpath);
  const types = [`./dist/${name}/index.d.ts`];
  description.typesVersions['*'] = insertedBefore(description.typesVersions['*'], 'sandbox', name, types);
  return [file, `${JSON.stringify(description, null, 2)}\n`];
}

/**
 * @param {Record<string, unknown>} members
 * @param {string} before
 * @param {string} key
 * @param {unknown} value
 */
function insertedBefore(members, before, key, value) {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) =>
      name === before
        ? [
            [key, value],
            [name, member],
          ]
        : [[name, member]],
    ),
  );
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), text);
}

/**
 * Names of different lengths break lines in different places, and sort in different orders.
 *
 * @param {string[]} files
 */
function format(files) {
  const code = files.filter((file) => /\.(ts|mjs|json)$/.test(file));
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const { status, stderr } = spawnSync(
    process.execPath,
    [biome, 'check', '--write', '--colors=off', ...code],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`biome is not content with what was made:\n${stderr}`);
}

/**
 * @param {Names} names
 * @param {[file: string, text: string][]} made
 * @param {[file: string, text: string][]} changed
 */
function report(names, made, changed) {
  const { PascalName: name } = names;
  const types = ['AuthenticateOptions', 'Options', 'Params', 'Profile'].map((type) => `type ${name}${type}`);
  for (const [file] of made) console.log(`made     ${file}`);
  for (const [file] of changed) console.log(`changed  ${file}`);
  console.log(`
Add this line to lib/index.ts, then run npm run format:

export { ${types.join(', ')}, ${name}Strategy } from './${names['kebab-name']}/index.js';

Next: the checklist "Add a network" in CONTRIBUTING.md.`);
}
