// Writes the tables of the guides that follow from lib/, between their markers: `tsx tools/tables.mjs`. With --check it writes nothing, and
// fails if one is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hintOf } from '../lib/core/facts.js';
import { oauth1Facts, oauth2Facts, endpoints as x } from '../lib/microblog/facts.js';
import { DEFAULT_USER_FIELDS } from '../lib/microblog/fields.js';
import { OAUTH1_OPTIONS, OAUTH2_OPTIONS } from '../lib/microblog/options.js';
import * as tiktok from '../lib/short-video/facts.js';
import { OPTIONS } from '../lib/short-video/options.js';
import { classicFacts, endpoints as vk, vkIdFacts } from '../lib/social-network/facts.js';
import { CLASSIC_OPTIONS, VK_ID_OPTIONS } from '../lib/social-network/options.js';

/** @import { Option, OptionTable } from '../lib/core/options/index.js' */
/** @typedef {{ errorRows: readonly import('../lib/core/facts.js').ErrorRow[] }} Protocol */

const ROOT = join(import.meta.dirname, '..');
const code = (/** @type {string} */ text) => `\`${text}\``;
const list = (/** @type {Iterable<string>} */ names) => Array.from(names, code).join(', ');

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

/** What the error responses of a protocol mean, in the order in which the rows are looked up: those that the other protocol has too, or has not. @param {Protocol} one @param {Protocol} [other] @param {boolean} [areCommon] */
function codes({ errorRows }, other, areCommon = false) {
  const rows = errorRows.filter((row) => (other?.errorRows ?? []).includes(row) === areCommon);
  return table(
    ['`networkCode`', '`means`', 'what usually helps', 'how sure'],
    rows.map((row) => {
      const names = row.code === undefined ? 'any' : list([row.code].flat());
      const words = row.words ? ` with ${row.words.map((word) => `"${word}"`).join(' or ')}` : '';
      const step = row.step ? ` at the step ${row.step}` : '';
      return [names + words + step, row.means, hintOf(row), row.source.split(':', 1)[0] ?? ''];
    }),
  );
}

/** TikTok's fields by scope. */
function fieldsByScope() {
  const fields = Object.entries(tiktok.FIELD_SCOPES);
  const rows = [...new Set(Object.values(tiktok.FIELD_SCOPES))].map((scope) => [
    code(scope),
    list(fields.filter(([, own]) => own === scope).map(([name]) => name)),
  ]);
  return table(['scope', 'fields'], rows);
}

/** @type {Readonly<Record<string, OptionTable>>} */
const STRATEGIES = {
  '[TikTok](tiktok.md)': OPTIONS,
  '[X](x.md)': OAUTH2_OPTIONS,
  '[X](x.md), OAuth 1.0a': OAUTH1_OPTIONS,
  '[VK](vk.md)': CLASSIC_OPTIONS,
  '[VK ID](vk.md#vk-id)': VK_ID_OPTIONS,
};

/** What the docstrings of the options of all strategies say. @returns {Map<string, [meaning: string, standard: string | undefined]>} */
function documentedOptions() {
  const sources = ['core/options/login-options', 'core/login/verify'].map((file) =>
    readFileSync(join(ROOT, `lib/${file}.ts`), 'utf8'),
  );
  const members = sources.join().matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(\w+)\?:/g);
  return new Map(
    Array.from(members, ([, comment = '', name = '']) => {
      const text = comment.replace(/@example[\s\S]*/, '').replaceAll(/(\s|\*)+/g, ' ');
      const [meaning = '', standard] = text.trim().split(/ ?@default /);
      return [name, [meaning, standard?.replace(/^'(.*)'$/, '`$1`')]];
    }),
  );
}

/** The options that set something. @param {OptionTable} options */
const setting = (options) => Object.entries(options).filter(([, { isInert }]) => !isInert);
/** @param {string} name @param {Option<unknown>} option */
const spelt = (name, { spellings }) =>
  spellings.length > 0 ? `${code(name)}, also ${list(spellings)}` : code(name);

/** @param {Option<unknown>} option */
function standardOf({ standard, required }) {
  const words = [standard ?? []].flat().map(String).join(' ');
  return required === undefined ? words && code(words) : 'required';
}

/** Those of all strategies, and those of one. */
function options() {
  const documented = documentedOptions();
  const common = setting({ ...OAUTH2_OPTIONS, ...OPTIONS }).flatMap(([name, option]) => {
    const [meaning, standard = standardOf(option)] = documented.get(name) ?? [];
    return meaning === undefined ? [] : [[spelt(name, option), meaning, standard || 'none']];
  });
  const own = Object.entries(STRATEGIES).map(([strategy, one]) => {
    const cells = setting(one)
      .filter(([name]) => !documented.has(name))
      .map(([name, option]) => [spelt(name, option), standardOf(option)].filter(Boolean).join(': '));
    return [strategy, cells.join('; ')];
  });
  const head = ['strategy', 'its own options: what they are by default'];
  return `${table(['option', 'meaning', 'default'], common)}\n\n${table(head, own)}`;
}

function formActionSources() {
  const networks = { 'short-video': tiktok.endpoints, microblog: x, 'social-network': vk };
  const rows = Object.entries(networks).map(([name, one]) => [code(name), list(one.FORM_ACTION_SOURCES)]);
  return table(['network', '`FORM_ACTION_SOURCES`'], rows);
}

function authorities() {
  const rows = (classicFacts.authorities ?? []).map((one) => [
    one.name,
    code(one.fingerprint),
    `<${one.download}>`,
  ]);
  return table(['authority', 'SHA-256 of the root certificate', 'published at'], rows);
}

/** Page -> name of a table -> what makes it. @type {Readonly<Record<string, Readonly<Record<string, () => string>>>>} */
const TABLES = {
  'docs/deploying.md': { 'form-action sources': formActionSources },
  'docs/options.md': { options },
  'docs/tiktok.md': { fields: fieldsByScope, codes: () => codes(tiktok.facts) },
  'docs/x.md': {
    'default fields': () => `${list(DEFAULT_USER_FIELDS)}.`,
    'codes of OAuth 2.0': () => codes(oauth2Facts, oauth1Facts),
    'codes of OAuth 1.0a': () => codes(oauth1Facts, oauth2Facts),
    'codes of the API': () => codes(oauth2Facts, oauth1Facts, true),
  },
  'docs/vk.md': {
    authorities,
    'codes of VK ID': () => codes(vkIdFacts, classicFacts),
    'codes of the classic protocol': () => codes(classicFacts, vkIdFacts),
    'codes of both': () => codes(vkIdFacts, classicFacts, true),
  },
};

const isCheck = process.argv.includes('--check');
for (const [page, tables] of Object.entries(TABLES)) {
  const path = join(ROOT, page);
  const old = readFileSync(path, 'utf8');
  let text = old;
  for (const [name, make] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [before, rest = ''] = text.split(begin);
    const [, after] = rest.split(end);
    if (after === undefined) throw new Error(`${page} needs the markers ${begin} and ${end}.`);
    text = `${before}${begin}\n\n${make()}\n\n${end}${after}`;
  }
  if (!isCheck) writeFileSync(path, text);
  else if (text !== old) {
    console.error(`Stale tables in ${page}. Write them: npm run step -- tables`);
    process.exitCode = 1;
  }
}
