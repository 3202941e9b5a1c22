// Begins a network: `node tools/add-network.mjs photo-network` fills in the template under this name and adds it to the lists of networks. The
// template is a network that does what the standards say and nothing else. The checklist in MAINTAINING.md says what to replace.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Where each part of the template goes. */
const PLACES = {
  lib: 'lib/template-network',
  sandbox: 'sandbox/lib/template-network',
  test: 'test/template-network',
  exchanges: 'test/exchanges/template-network/2',
  'page.md': 'docs/template-network.md',
};

/** How each list names the template. Everything else that depends on the networks follows from these lists and from the folders. */
const LISTS = {
  'lib/index.ts': (/** @type {string} */ text) =>
    `${text}export {
  type TemplateNetworkAuthenticateOptions,
  type TemplateNetworkOptions,
  TemplateNetworkStrategy,
} from './template-network/index.js';
export type * from './template-network/record.js';
`,
  'sandbox/lib/networks.ts': (/** @type {string} */ text) =>
    text
      .replace(/^\n/m, "import { templateNetwork } from './template-network/index.js';\n\n")
      .replace(/^\] as const satisfies readonly NetworkDefinition/m, '  templateNetwork,\n$&'),
  'package.json': (/** @type {string} */ text) => {
    const manifest = JSON.parse(text);
    const file = (/** @type {string} */ kind) => `./dist/template-network/index.${kind}`;
    manifest.exports['./template-network'] = {
      import: { types: file('d.mts'), default: file('mjs') },
      require: { types: file('d.ts'), default: file('js') },
    };
    manifest.typesVersions['*']['template-network'] = [file('d.ts')];
    return JSON.stringify(manifest);
  },
};

try {
  const name = process.argv[2] ?? '';
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new TypeError(
      `"${name}" is not a valid name: use lower-case letters, digits and single hyphens, as in photo-network`,
    );
  const taken = Object.values(PLACES).find((place) => existsSync(join(ROOT, rename(place, name))));
  if (taken !== undefined) throw new TypeError(`${rename(taken, name)} already exists`);
  // Prepare everything before writing anything, so that an error changes nothing.
  const made = Object.entries(PLACES).flatMap(([part, place]) => filled(part, rename(place, name), name));
  const changed = Object.entries(LISTS).map(
    ([file, add]) => /** @type {const} */ ([file, rename(add(readFileSync(join(ROOT, file), 'utf8')), name)]),
  );
  for (const [file, text] of [...made, ...changed]) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), text);
  }
  format([...made, ...changed].map(([file]) => file));
  for (const [file] of made) console.log(`made     ${file}`);
  for (const [file] of changed) console.log(`changed  ${file}`);
  console.log('\nNext: the checklist "Add a network" in MAINTAINING.md.');
} catch (error) {
  console.error(`add-network: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}

/** @param {string} text @param {string} name */
function rename(text, name) {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const pascal = words.join('');
  return text
    .replaceAll('Template Network', words.join(' '))
    .replaceAll('TemplateNetwork', pascal)
    .replaceAll('templateNetwork', pascal.charAt(0).toLowerCase() + pascal.slice(1))
    .replaceAll('template-network', name);
}

/** The files of a part of the template, where they belong. @param {string} part @param {string} place @param {string} name @returns {[file: string, text: string][]} */
function filled(part, place, name) {
  const source = join(ROOT, 'template', part);
  if (part.endsWith('.md')) return [[place, rename(readFileSync(source, 'utf8'), name)]];
  return readdirSync(source).map((file) => {
    const text = readFileSync(join(source, file), 'utf8')
      // From the template, a room of the package is two folders up; from the network's folder, it is beside it.
      .replaceAll(`'../../${dirname(place)}/`, "'../")
      .replaceAll("'../lib/", `'../../lib/${name}/`)
      // The template is in no list, so its name needs this.
      .replaceAll(' as never', '');
    return [`${place}/${file}`, rename(text, name)];
  });
}

/** Names differ in length and order. @param {string[]} files */
function format(files) {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const settings = ['--write', '--linter-enabled=false', '--colors=off'];
  const words = ['check', ...settings, ...files.filter((file) => !file.endsWith('.md'))];
  const { status, stderr } = spawnSync(process.execPath, [biome, ...words], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`biome cannot format what was created:\n${stderr}`);
}
