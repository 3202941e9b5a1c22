// The tables of interop/results.md, between their markers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, 'results.md');

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
  contract: ['package', 'behaviour', 'here', 'because'],
});
/** @typedef {keyof typeof TABLES} Table */

/**
 * Puts the rows of a table into the page. Rows of packages that did not run stay. A reason why a contract differs is written into the page by
 * hand, and stays.
 *
 * @param {Table} table
 * @param {readonly Row[]} found - Gets those reasons.
 * @returns {{ differences: string[], write: () => void }} The rows that differ from the old ones, and what writes the new ones.
 * @throws {Error} when a marker is missing.
 */
export function pageWith(table, found) {
  const old = readRows(sectionOf(table).section);
  for (const row of found) {
    if (!row.result.startsWith('different')) continue;
    row.source = old.find(({ name, flow }) => name === row.name && flow === row.flow)?.source ?? '';
  }
  const names = new Set(found.map(({ name }) => name));
  // Stable: the flows of a package keep their order.
  const rows = [...found, ...old.filter(({ name }) => !names.has(name))].sort((a, b) =>
    compare(a.name, b.name),
  );
  const [name, ...rest] = TABLES[table];
  const head = [name, 'version', ...rest];
  const lines = [head, head.map(() => '---'), ...rows.map(cellsOf)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  const write = () => {
    const { before, after } = sectionOf(table);
    writeFileSync(PAGE, `${before}\n${lines.join('\n')}\n${after}`);
  };
  return { differences: differencesOf(old, rows), write };
}

/** What stands between the markers of a table, and around them. @param {Table} table @throws {Error} when a marker is missing. */
function sectionOf(table) {
  const text = readFileSync(PAGE, 'utf8');
  const [begin, end] = [`<!-- interop:${table} -->`, `<!-- /interop:${table} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`${PAGE} needs the markers ${begin} and ${end}.`);
  return { before: text.slice(0, from), section: text.slice(from, to), after: text.slice(to) };
}

/** By bytes, not by the rules of a language. @param {string} a @param {string} b */
export const compare = (a, b) => (a < b ? -1 : Number(a > b));

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
