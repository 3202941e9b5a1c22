// Writes the tables of the guides that follow from lib/, between their markers: `tsx tools/tables.mjs`. With --check it writes nothing, and
// fails if one is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hintOf } from '../lib/core/facts.js';
import { oauth1Facts, oauth2Facts, endpoints as x } from '../lib/microblog/facts.js';
import { DEFAULT_USER_FIELDS } from '../lib/microblog/fields.js';
import * as tiktok from '../lib/short-video/facts.js';
import { classicFacts, endpoints as vk, vkIdFacts } from '../lib/social-network/facts.js';

/** @import { ErrorRow } from '../lib/core/facts.js' */

const ROOT = join(import.meta.dirname, '..');
const code = (/** @type {string} */ text) => `\`${text}\``;
const list = (/** @type {Iterable<string>} */ names) => Array.from(names, code).join(', ');

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What the error responses of a protocol mean, in the order in which the rows are looked up. @param {readonly ErrorRow[]} rows */
function codes(rows) {
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

/** The rows of one protocol, without those that the other has, too. @param {{ errorRows: readonly ErrorRow[] }} one @param {{ errorRows: readonly ErrorRow[] }} other */
const ownCodes = (one, other) => codes(one.errorRows.filter((row) => !other.errorRows.includes(row)));
/** @param {{ errorRows: readonly ErrorRow[] }} one @param {{ errorRows: readonly ErrorRow[] }} other */
const commonCodes = (one, other) => codes(one.errorRows.filter((row) => other.errorRows.includes(row)));

/** TikTok's fields by scope. */
function fieldsByScope() {
  const scopes = new Set(Object.values(tiktok.FIELD_SCOPES));
  const fieldsOf = (/** @type {string} */ scope) =>
    list(Object.keys(tiktok.FIELD_SCOPES).filter((field) => tiktok.FIELD_SCOPES[field] === scope));
  return table(
    ['scope', 'fields'],
    [...scopes].map((scope) => [code(scope), fieldsOf(scope)]),
  );
}

/** Page -> name of a table -> what makes it. @type {Readonly<Record<string, Readonly<Record<string, () => string>>>>} */
const TABLES = {
  'docs/deploying.md': {
    'form-action sources': () =>
      table(
        ['network', '`FORM_ACTION_SOURCES`'],
        Object.entries({ 'short-video': tiktok.endpoints, microblog: x, 'social-network': vk }).map(
          ([network, { FORM_ACTION_SOURCES }]) => [code(network), list(FORM_ACTION_SOURCES)],
        ),
      ),
  },
  'docs/tiktok.md': {
    fields: fieldsByScope,
    codes: () => codes(tiktok.facts.errorRows),
  },
  'docs/x.md': {
    'default fields': () => `${list(DEFAULT_USER_FIELDS)}.`,
    'codes of OAuth 2.0': () => ownCodes(oauth2Facts, oauth1Facts),
    'codes of OAuth 1.0a': () => ownCodes(oauth1Facts, oauth2Facts),
    'codes of the API': () => commonCodes(oauth2Facts, oauth1Facts),
  },
  'docs/vk.md': {
    authorities: () =>
      table(
        ['authority', 'SHA-256 of the root certificate', 'published at'],
        (classicFacts.authorities ?? []).map(({ name, fingerprint, download }) => [
          name,
          code(fingerprint),
          `<${download}>`,
        ]),
      ),
    'codes of VK ID': () => ownCodes(vkIdFacts, classicFacts),
    'codes of the classic protocol': () => ownCodes(classicFacts, vkIdFacts),
    'codes of both': () => commonCodes(vkIdFacts, classicFacts),
  },
};

const isCheck = process.argv.includes('--check');
/** @type {string[]} */
const stale = [];
for (const [page, tables] of Object.entries(TABLES)) {
  const path = join(ROOT, page);
  const old = readFileSync(path, 'utf8');
  let text = old;
  for (const [name, make] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${page} needs the markers ${begin} and ${end}.`);
    text = `${text.slice(0, from + begin.length)}\n\n${make()}\n\n${text.slice(to)}`;
  }
  if (text !== old) stale.push(page);
  if (!isCheck) writeFileSync(path, text);
}
if (isCheck && stale.length > 0) {
  console.error(`Stale tables in ${stale.join(', ')}. Write them: npm run step -- tables`);
  process.exitCode = 1;
}
