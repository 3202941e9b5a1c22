// The tables of interop/results.md, between their markers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, 'results.md');

/** `isFromDebian`: the version depends on the machine, and is not compared; `source`: of a refusal or a verdict, empty where there is none. @typedef {{ name: string, version: string, isFromDebian: boolean, flow: string, result: string, source: string }} Row */

/** What the rows of each table are about. */
const TABLES = /** @type {const} */ ({
  clients: ['client', 'version', 'flow', 'result', 'source of a refusal'],
  servers: ['server', 'version', 'flow', 'result', 'source of a refusal'],
  checks: ['server', 'version', 'credentials', 'what `check` says of them', 'source of the verdict'],
  contract: ['package', 'version', 'behaviour', 'here', 'because'],
});

/**
 * Puts rows into the page. Rows of packages that did not run stay. The source of a row that brings none is written into the page by hand, and stays
 * as long as the result does.
 *
 * @param {Readonly<Record<keyof typeof TABLES, readonly Row[]>>} tables - Their rows get those sources.
 * @returns {{ differences: string[], write: () => void }} The rows that differ from the old ones, and what writes the new ones.
 * @throws {Error} when a marker is missing.
 */
export function pageWith(tables) {
  let text = readFileSync(PAGE, 'utf8');
  /** @type {string[]} */
  const differences = [];
  for (const [table, head] of Object.entries(TABLES)) {
    const [begin, end] = [`<!-- interop:${table} -->`, `<!-- /interop:${table} -->`];
    const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
    if (from < begin.length || to < from) throw new Error(`${PAGE} needs the markers ${begin} and ${end}.`);
    const old = rowsIn(text.slice(from, to));
    const found = tables[/** @type {keyof typeof TABLES} */ (table)];
    for (const row of found) {
      const before = old.find((one) => one.name === row.name && one.flow === row.flow);
      if (before?.result === row.result || row.result.startsWith('different'))
        row.source ||= before?.source ?? '';
    }
    const names = new Set(found.map(({ name }) => name));
    const rows = [...found, ...old.filter(({ name }) => !names.has(name))];
    // By bytes, not by the rules of a language. Behaviours keep their order.
    if (table !== 'contract') rows.sort((a, b) => compare(a.flow, b.flow));
    rows.sort((a, b) => compare(a.name, b.name));
    const lines = [head, head.map(() => '---'), ...rows.map(cellsOf)].map(
      (cells) => `| ${cells.join(' | ')} |`,
    );
    text = `${text.slice(0, from)}\n${lines.join('\n')}\n${text.slice(to)}`;
    const [before, after] = [old, rows].map((list) => list.map(comparable));
    differences.push(
      ...(before ?? []).filter((line) => !after?.includes(line)).map((line) => `- ${line}`),
      ...(after ?? []).filter((line) => !before?.includes(line)).map((line) => `+ ${line}`),
    );
  }
  return { differences, write: () => writeFileSync(PAGE, text) };
}

/** @param {string} a @param {string} b */
const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** @param {Row} row */
const comparable = (row) => cellsOf(row.isFromDebian ? { ...row, version: '' } : row).join(' | ');

/** @param {Row} row */
const cellsOf = ({ name, version, isFromDebian, flow, result, source }) =>
  [name, isFromDebian ? `Debian ${version}`.trim() : version, flow, result, source].map((cell) =>
    cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' '),
  );

/** @param {string} text @returns {Row[]} */
function rowsIn(text) {
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const cells = line.slice(2, -2).split(/ \| /);
    const [name = '', version = '', flow = '', result = '', source = ''] = cells.map((cell) =>
      cell.replaceAll('\\|', '|').replaceAll('&lt;', '<').trim(),
    );
    const isFromDebian = version.startsWith('Debian ');
    return { name, version: version.replace('Debian ', ''), isFromDebian, flow, result, source };
  });
}
