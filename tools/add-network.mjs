// Generates a new network from the templates. `node tools/add-network.mjs photo-network` writes its folder in lib/, its folder
// in the sandbox and a first test, adds it to the lists of networks, and prints the export line to add. The new network follows the
// standards and has made-up URLs. The checklist in CONTRIBUTING.md has the next steps.
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
    throw new TypeError(`lib/${name} or sandbox/lib/${name} already exists`);
  }
  // Prepare every file before writing any, so that a place that is not found changes nothing.
  const changed = [...registered(names), packageExports(names)];
  const created = filesOf(names);
  for (const [file, text] of [...created, ...changed]) write(file, text);
  format([...created, ...changed].map(([file]) => file));
  report(names, created, changed);
} catch (error) {
  console.error(`add-network: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}

/**
 * Fills in the templates. Each keeps its path, except that the folder `network` gets the network's name.
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
 * Adds the network to the files that list all networks.
 *
 * @param {Names} names
 * @returns {[file: string, text: string][]}
 * @throws {Error} if a place is not found exactly once
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
 * Adds the subpath to package.json, before the sandbox. `typesVersions` is for compilers that do not read `exports`.
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
 * @param {Record<string, unknown>} properties
 * @param {string} before
 * @param {string} key
 * @param {unknown} value
 */
function insertedBefore(properties, before, key, value) {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      name === before
        ? [
            [key, value],
            [name, property],
          ]
        : [[name, property]],
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
 * Formats the files, because the name's length and spelling affect line breaks and the order of imports.
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
  if (status !== 0) throw new Error(`biome cannot format what was created:\n${stderr}`);
}

/**
 * @param {Names} names
 * @param {[file: string, text: string][]} created
 * @param {[file: string, text: string][]} changed
 */
function report(names, created, changed) {
  const { PascalName: name } = names;
  const types = ['AuthenticateOptions', 'Options', 'Params', 'Profile', 'Values'];
  const exported = [...types.map((type) => `type ${name}${type}`), `${name}Strategy`];
  for (const [file] of created) console.log(`made     ${file}`);
  for (const [file] of changed) console.log(`changed  ${file}`);
  console.log(`
Add this line to lib/index.ts, then run npm run format:

export { ${exported.join(', ')} } from './${names['kebab-name']}/index.js';

Next: the checklist "Add a network" in CONTRIBUTING.md.`);
}
