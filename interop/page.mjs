// The tables of interop/results.md, between their markers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, 'results.md');
const COLUMNS = ['name', 'version', 'flow', 'result', 'source'];

/**
 * Puts rows into the page. Rows of packages that did not run stay. The source of a row that brings none is written into the page by hand, and stays
 * as long as the result does.
 */
export function pageWith(tables) {
  let text = readFileSync(PAGE, 'utf8');
  const differences = [];
  for (const [table, found] of Object.entries(tables)) {
    const [begin, end] = [`<!-- interop:${table} -->`, `<!-- /interop:${table} -->`];
    const [before = '', rest = ''] = text.split(begin);
    const [lines, after] = rest.split(end);
    if (lines === undefined || after === undefined) throw new Error(`${PAGE} needs ${begin} and ${end}.`);
    const [head = '', line = '', ...others] = lines.trim().split('\n');
    const old = others.map(rowIn);
    for (const row of found) {
      const same = old.find((one) => one.name === row.name && one.flow === row.flow);
      if (same?.result === row.result) row.source ||= same.source;
    }
    const kept = old.filter(({ name }) => !found.some((row) => row.name === name));
    // By bytes, not by the rules of a language.
    const rows = [...found, ...kept].map(lineOf).sort();
    text = [before, begin, '\n', [head, line, ...rows].join('\n'), '\n', end, after].join('');
    const [was, is] = [others.map(comparable), rows.map(comparable)];
    differences.push(...was.filter((one) => !is.includes(one)).map((one) => `- ${one}`));
    differences.push(...is.filter((one) => !was.includes(one)).map((one) => `+ ${one}`));
  }
  return { differences, write: () => writeFileSync(PAGE, text) };
}

const lineOf = (row) => `| ${COLUMNS.map((column) => escaped(row[column])).join(' | ')} |`;
const escaped = (cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

/** Debian's version depends on the machine. */
const comparable = (row) => row.replace(/\| Debian [^|]*/, '| Debian ');

function rowIn(line) {
  const cells = line.slice(2, -2).split(/ \| /);
  const [name = '', version = '', flow = '', result = '', source = ''] = cells.map((cell) =>
    cell.replaceAll('\\|', '|').replaceAll('&lt;', '<').trim(),
  );
  return { name, version, flow, result, source };
}
