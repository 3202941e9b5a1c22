// Generates a new network from the templates. `node tools/add-network.mjs photo-network` writes its folders in lib/, in the sandbox and in
// the tests, and prints the lines to add to the lists of networks. The new network follows the standards and has made-up URLs. The
// checklist in CONTRIBUTING.md has the next steps.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/**
 * A network's name in every spelling that a template uses as a placeholder.
 *
 * @typedef {Readonly<Record<'kebab-name' | 'camelName' | 'PascalName' | 'CONSTANT_NAME' | 'plain name' | 'month', string>>} Names
 */

const ROOT = join(import.meta.dirname, '..');
const TEMPLATES = join(import.meta.dirname, 'network-template');

try {
  const name = process.argv[2] ?? '';
  const names = namesOf(name, new Date());
  const taken = [`lib/${name}`, `sandbox/lib/${name}`, `test/${name}`].find((folder) =>
    existsSync(join(ROOT, folder)),
  );
  if (taken !== undefined) throw new TypeError(`${taken} already exists`);
  // Prepare every file before writing any, so that an error changes nothing.
  const created = filesOf(names);
  for (const [file, text] of created) write(file, text);
  format(created.map(([file]) => file));
  for (const [file] of created) console.log(`made  ${file}`);
  console.log(linesToAdd(names));
} catch (error) {
  console.error(`add-network: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}

/**
 * Fills in the templates. In each, a line `=== PATH` begins a file.
 *
 * @param {Names} names
 * @returns {[file: string, text: string][]}
 */
function filesOf(names) {
  return readdirSync(TEMPLATES).flatMap((template) => {
    const text = fillIn(readFileSync(join(TEMPLATES, template), 'utf8'), names);
    const parts = text.split(/^=== (.+)\n/m).slice(1);
    return parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : []));
  });
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
 * @returns {string}
 */
function linesToAdd({ 'kebab-name': name, camelName, PascalName }) {
  const types = ['AuthenticateOptions', 'Options', 'Params', 'Values'].map(
    (type) => `type ${PascalName}${type}`,
  );
  const entry = (/** @type {string} */ module, /** @type {string} */ types) => ({
    types: `./dist/${name}/index.${types}`,
    default: `./dist/${name}/index.${module}`,
  });
  const subpath = { import: entry('mjs', 'd.mts'), require: entry('js', 'd.ts') };
  return `
Add these lines:

lib/index.ts
export { ${types.join(', ')}, ${PascalName}Strategy } from './${name}/index.js';
export type * from './${name}/record.js';

sandbox/lib/networks.ts; also add ${camelName} to NETWORKS
import { ${camelName} } from './${name}/index.js';

sandbox/lib/index.ts
export type { ${PascalName}SandboxOptions, ${PascalName}StrategyOptions } from './${name}/options.js';

test/networks.ts; also add ${camelName} to NETWORKS
import { ${camelName} } from './${name}/subjects.js';

package.json, first entry of "exports"
"./${name}": ${JSON.stringify(subpath)},

package.json, first entry of "typesVersions"."*"
"${name}": ["./dist/${name}/index.d.ts"],

Then run npm run format. Next: the checklist "Add a network" in CONTRIBUTING.md.`;
}

/**
 * Spells a network's name.
 *
 * @param {string} name - In lower case with hyphens, such as `photo-network`. Becomes the folder, strategy name and subpath.
 * @param {Date} today - For the "read" dates in the templates.
 * @returns {Names}
 * @throws {TypeError} if it is not a valid folder name or TypeScript identifier
 */
function namesOf(name, today) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new TypeError(
      `"${name}" is not a valid name: use lower-case letters, digits and single hyphens, as in photo-network`,
    );
  }
  const words = name.split('-');
  const pascalName = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const camelName = pascalName.charAt(0).toLowerCase() + pascalName.slice(1);
  checkIdentifier(camelName);
  return {
    'kebab-name': name,
    camelName,
    PascalName: pascalName,
    CONSTANT_NAME: words.join('_').toUpperCase(),
    'plain name': words.at(-1) === 'network' ? words.join(' ') : `${words.join(' ')} network`,
    month: today.toISOString().slice(0, 7),
  };
}

/** @param {string} identifier */
function checkIdentifier(identifier) {
  try {
    new Script(`'use strict'; const ${identifier} = 0;`);
  } catch {
    throw new TypeError(`"${identifier}" is a reserved word, and the factory would have this name`);
  }
}

/**
 * Replaces the placeholders `{{kebab-name}}`, `{{PascalName}}` and so on with the names.
 *
 * @param {string} text
 * @param {Names} names
 * @throws {Error} for an unknown placeholder
 */
function fillIn(text, names) {
  return text.replace(/\{\{([^{}]+)\}\}/g, (_placeholder, key) => {
    if (Object.hasOwn(names, key)) return names[/** @type {keyof Names} */ (key)];
    throw new Error(
      `Unknown placeholder {{${key}}} in a template. Available: ${Object.keys(names).join(', ')}`,
    );
  });
}
