// Begins a new network as a copy of short-video. `node tools/add-network.mjs photo-network` copies its folders under the new name, and prints
// the lines to add to the lists of networks. The copy works in the sandbox; its URLs and facts are those of the other network. The checklist
// in MAINTAINING.md says what to replace.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

const ROOT = join(import.meta.dirname, '..');
const MODEL = 'short-video';
const PARENTS = ['lib', 'sandbox/lib', 'test', 'test/exchanges'];
const PAGE = 'docs/tiktok.md';

/** The lists of networks, and what each has of the model: statements, members of arrays, entries of package.json. */
const LISTS = [
  'lib/index.ts',
  'sandbox/lib/index.ts',
  'sandbox/lib/networks.ts',
  'test/networks.ts',
  'package.json',
];
const LISTED =
  /^(?:import|export) [^;]*\/short-video\/[^;]*;$|\bshortVideo,|^( +)"(?:\.\/)?short-video": [{[].*?^\1[}\]],$/gms;

try {
  const name = process.argv[2] ?? '';
  checkName(name);
  const taken = PARENTS.map((parent) => `${parent}/${name}`).find((folder) => existsSync(join(ROOT, folder)));
  if (taken !== undefined) throw new TypeError(`${taken} already exists`);
  // Prepare everything before writing anything, so that an error changes nothing.
  const lines = linesToAdd(name);
  const page = /** @type {const} */ ([
    `docs/${name}.md`,
    rename(readFileSync(join(ROOT, PAGE), 'utf8'), name),
  ]);
  const created = [...PARENTS.flatMap((parent) => copies(parent, name)), page];
  for (const [file, text] of created) {
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), text);
  }
  format(created.map(([file]) => file));
  for (const [file] of created) console.log(`made  ${file}`);
  console.log(`\nAdd these lines, each below the same line of ${MODEL}:\n\n${lines}`);
  console.log('\nThen run npm run format. Next: the checklist "Add a network" in MAINTAINING.md.');
} catch (error) {
  console.error(`add-network: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}

/**
 * @param {string} name - Becomes the folder, the subpath and the name of the strategy.
 * @throws {TypeError} if it is not a valid folder name or TypeScript identifier
 */
function checkName(name) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new TypeError(
      `"${name}" is not a valid name: use lower-case letters, digits and single hyphens, as in photo-network`,
    );
  }
  const factory = rename('shortVideo', name);
  try {
    new Script(`'use strict'; const ${factory} = 0;`);
  } catch {
    throw new TypeError(`"${factory}" is a reserved word, and the factory would have this name`);
  }
}

/**
 * Replaces the model's name in every spelling, and its brand. Links to headings of the guides stay, and so do the URLs and sources of facts.
 *
 * @param {string} text
 * @param {string} name
 */
function rename(text, name) {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const pascal = words.join('');
  /** @type {Readonly<Record<string, string>>} */
  const spellings = {
    'short-video network': `${name.replace(/-network$/, '')} network`,
    'short-video': name,
    ShortVideo: pascal,
    shortVideo: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    SHORT_VIDEO: name.replaceAll('-', '_').toUpperCase(),
    TikTok: words.join(' '),
  };
  const found = /(?<!#\S*)short-video( network)?|ShortVideo|shortVideo|SHORT_VIDEO|(?<!\/)\bTikTok\b/g;
  return text.replace(found, (spelling) => spellings[spelling] ?? spelling);
}

/**
 * @param {string} parent
 * @param {string} name
 * @returns {[file: string, text: string][]}
 */
function copies(parent, name) {
  const files = readdirSync(join(ROOT, parent, MODEL), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .map((file) => [rename(file.slice(ROOT.length + 1), name), rename(readFileSync(file, 'utf8'), name)]);
}

/** @param {string} name */
function linesToAdd(name) {
  return LISTS.flatMap((file) => {
    const found = readFileSync(join(ROOT, file), 'utf8').match(LISTED) ?? [];
    return found.map((lines) => `${file}\n${rename(lines, name)}\n`);
  }).join('\n');
}

/**
 * Formats the files, because the name's length and spelling affect line breaks and the order of imports.
 *
 * @param {string[]} files
 */
function format(files) {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const settings = ['--write', '--linter-enabled=false', '--colors=off'];
  const words = ['check', ...settings, ...files.filter((file) => !file.endsWith('.md'))];
  const { status, stderr } = spawnSync(process.execPath, [biome, ...words], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`biome cannot format what was created:\n${stderr}`);
}
