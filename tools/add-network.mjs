// Begins a network: `node tools/add-network.mjs photo-network` fills in the template under this name and adds it to the lists of networks. The
// template is a network that does what the standards say and nothing else. The checklist in MAINTAINING.md says what to replace.
import { execFileSync } from 'node:child_process';
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

const name = process.argv[2] ?? '';
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
  throw new TypeError(
    `"${name}" is not a valid name: use lower-case letters, digits and single hyphens, as in photo-network`,
  );
const places = Object.entries(PLACES).map(([part, place]) => ({ part, place: rename(place) }));
const taken = places.find(({ place }) => existsSync(join(ROOT, place)));
if (taken !== undefined) throw new TypeError(`${taken.place} already exists`);
// Prepare everything before writing anything, so that an error changes nothing.
const made = places.flatMap(({ part, place }) => filled(part, place));
const changed = Object.entries(LISTS).map(([file, add]) => ({
  file,
  text: rename(add(readFileSync(join(ROOT, file), 'utf8'))),
}));
for (const { file, text } of [...made, ...changed]) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), text);
}
// Names differ in length and order.
const code = [...made, ...changed].map(({ file }) => file).filter((file) => !file.endsWith('.md'));
const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--linter-enabled=false'];
execFileSync(process.execPath, [...biome, ...code], { cwd: ROOT });
for (const { file } of made) console.log(`made     ${file}`);
for (const { file } of changed) console.log(`changed  ${file}`);
console.log('\nNext: the checklist "Add a network" in MAINTAINING.md.');

/** @param {string} text */
function rename(text) {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const [first = '', ...rest] = words;
  return text
    .replaceAll('Template Network', words.join(' '))
    .replaceAll('TemplateNetwork', words.join(''))
    .replaceAll('templateNetwork', first.toLowerCase() + rest.join(''))
    .replaceAll('template-network', name);
}

/** The files of a part of the template, where they belong. @param {string} part @param {string} place */
function filled(part, place) {
  const source = join(ROOT, 'template', part);
  const files = part.endsWith('.md') ? [''] : readdirSync(source);
  return files.map((name) => {
    const text = readFileSync(join(source, name), 'utf8')
      // From the template, a room of the package is two folders up; from the network's folder, it is beside it.
      .replaceAll(`'../../${dirname(place)}/`, "'../")
      .replaceAll("'../lib/", `'../../${rename(PLACES.lib)}/`)
      // The template is in no list, so its name needs this.
      .replaceAll(' as never', '');
    return { file: join(place, name), text: rename(text) };
  });
}
