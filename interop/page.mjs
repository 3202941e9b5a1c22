// docs/interop.md: its tables, between their markers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '..', 'docs', 'interop.md');

const NO_TOKEN_TYPE = '"response" body "token_type" property must be a string';

/** Where refusals come from that are not the sandbox's own, by the result in the table. What the sandbox refuses has its source in its beliefs. @type {Readonly<Record<string, string>>} */
export const SOURCES = {
  [`refused by the client: ${NO_TOKEN_TYPE}`]:
    "documented: VK's token response has no `token_type`, https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11); nextauthjs/next-auth#13436",
  'refused by the client: JWT "aud" (audience) claim missing':
    'documented (quoted by libraries): the claims of VK\'s `id_token` are `iss`, `sub`, `app`, `exp`, `iat` and `jti`, page "tokens/id-token" of the VK ID documentation',
  'refused: open-api.tiktok.com is closed':
    'documented: TikTok switched version 1 off on 2024-02-29, https://developers.tiktok.com/bulletin/migration-guidance-oauth-v1 (read 2026-11)',
  'refused: invalid_client: Invalid client: client is invalid':
    'documented: RFC 6749 section 2.3.1 has the secret form-encoded in HTTP Basic; this server does not decode it (`lib/handlers/token-handler.js`)',
};

/**
 * @typedef {object} Row
 * @property {string} name - Of the package.
 * @property {string} version
 * @property {boolean} isFromDebian - Debian's version depends on the machine, and is not compared.
 * @property {string} flow
 * @property {string} result
 * @property {string} source - Of a refusal or a verdict; empty where there is none.
 */

/** What the rows of each table are about. */
const TABLES = /** @type {const} */ ({
  clients: ['client', 'flow', 'result', 'source of a refusal'],
  servers: ['server', 'flow', 'result', 'source of a refusal'],
  checks: ['server', 'credentials', 'what `check` says of them', 'source of the verdict'],
});
/** @typedef {keyof typeof TABLES} Table */

/**
 * Puts rows into the page. Rows of packages that did not run stay.
 *
 * @param {Readonly<Record<Table, readonly Row[]>>} tables
 * @returns {{ text: string, differences: string[] }} The new text of the page, and the rows that differ from the old one.
 * @throws {Error} when a marker is missing.
 */
export function readPage(tables) {
  let text = readFileSync(PAGE, 'utf8');
  /** @type {string[]} */
  const differences = [];
  for (const table of /** @type {Table[]} */ (Object.keys(TABLES))) {
    const [begin, end] = [`<!-- interop:${table} -->`, `<!-- /interop:${table} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${PAGE} needs the markers ${begin} and ${end}.`);
    const old = readRows(text.slice(from + begin.length, to));
    const names = new Set(tables[table].map(({ name }) => name));
    const rows = [...tables[table], ...old.filter(({ name }) => !names.has(name))].sort(byName);
    differences.push(...differencesOf(old, rows));
    text = `${text.slice(0, from + begin.length)}\n${tableText(table, rows)}\n${text.slice(to)}`;
  }
  return { text, differences };
}

/** @param {string} text @returns {string} What was written. */
export function writePage(text) {
  writeFileSync(PAGE, text);
  return 'docs/interop.md';
}

/** @param {Table} table @param {readonly Row[]} rows */
function tableText(table, rows) {
  const [name, ...rest] = TABLES[table];
  const head = [name, 'version', ...rest];
  return [head, head.map(() => '---'), ...rows.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** @param {Row} row */
function cellsOf({ name, version, isFromDebian, flow, result, source }) {
  return [name, isFromDebian ? `Debian ${version}`.trim() : version, flow, result, source].map((cell) =>
    cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' '),
  );
}

/** @param {string} text @returns {Row[]} */
function readRows(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => {
      const [name = '', version = '', flow = '', result = '', source = ''] = line
        .slice(2, -2)
        .split(/ \| /)
        .map((cell) => cell.replaceAll('\\|', '|').replaceAll('&lt;', '<').trim());
      const isFromDebian = version.startsWith('Debian ');
      return { name, version: version.replace('Debian ', ''), isFromDebian, flow, result, source };
    });
}

/** @param {readonly Row[]} old @param {readonly Row[]} rows */
function differencesOf(old, rows) {
  const [before, after] = [old, rows].map((list) =>
    list.map((row) => cellsOf(row.isFromDebian ? { ...row, version: '' } : row).join(' | ')),
  );
  return [
    ...(before ?? []).filter((line) => !after?.includes(line)).map((line) => `- ${line}`),
    ...(after ?? []).filter((line) => !before?.includes(line)).map((line) => `+ ${line}`),
  ];
}

/** Stable: the flows of a package keep their order. @param {Row} a @param {Row} b */
const byName = (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name));
