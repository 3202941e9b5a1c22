// Tables in Markdown between the markers of a page: the parts in bench/README.md, and the questions to other packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { meanOf, median, ratioOf, ratiosOf, valuesOf } from '../rounds.mjs';
import { ROOT, versionOf } from '../versions.mjs';
import { TABLES, targetsOf } from './figures.mjs';

const PAGE = join(ROOT, 'bench', 'README.md');

/** @typedef {import('../rounds.mjs').Row} Row */
/** @typedef {import('./figures.mjs').Column} Column */
/** @typedef {import('./figures.mjs').Table} Table */
/** @typedef {import('./figures.mjs').Target} Target */
/** @typedef {import('./figures.mjs').Results} Results */
/** @typedef {{ name: string, text: string }} Section - `name` is that of the part and of its markers. */

/** What stands before, between and after the markers of a section. @param {string} page @param {string} name @throws {Error} when a marker is missing. */
function split(page, name) {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (start < begin.length || to < start) throw new Error(`${page} needs the markers ${begin} and ${end}.`);
  return { before: text.slice(0, start), section: text.slice(start, to), after: text.slice(to) };
}

/** @param {string} page @param {string} name @param {string} text */
export function writeSection(page, name, text) {
  const { before, after } = split(page, name);
  writeFileSync(page, `${before}\n${text}\n${after}`);
}

/** @param {string[]} head @param {string[][]} rows @param {number} [texts] - How many leading columns are left-aligned. Default: all. */
export function markdown(head, rows, texts = head.length) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column < texts ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** The date, the versions, the machine and its load. */
export function surroundings() {
  const date = new Date().toISOString().slice(0, 10);
  const processors = cpus();
  const machine = `${processors.length} x ${processors[0]?.model.trim() ?? arch()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)} at the start`;
  const { node, openssl } = process.versions;
  return `${date}, version ${versionOf()}, Node ${node}, OpenSSL ${openssl}, ${machine}, ${load}.`;
}

/** @param {Results} results @param {string} about - Stands above the tables. @returns {Section[]} One for each part that ran. */
export const sectionsOf = (results, about) =>
  Object.entries(TABLES).flatMap(([name, table]) => {
    const rows = results[name];
    if (rows === undefined) return [];
    return [
      { name, text: [about, tableText(table, rows), targetText(name, targetsOf(name, rows))].join('\n\n') },
    ];
  });

/** @param {Section[]} sections @returns {string} The page's path. @throws {Error} when a marker is missing. */
export function writePage(sections) {
  for (const { name, text } of sections) writeSection(PAGE, `bench:${name}`, text);
  return relative(process.cwd(), PAGE);
}

/** @param {Table} table @param {Row[]} rows */
function tableText({ labels, columns }, rows) {
  const subjects = [...new Set(rows.map(({ subject }) => subject.join('\t')))];
  const place = (/** @type {Row} */ { subject }) => subjects.indexOf(subject.join('\t'));
  const cells = [...rows]
    .sort((one, other) => place(one) - place(other))
    .map((row) => {
      const { subject, client, failure } = row;
      const leading = labels.includes('client') ? [...subject, client] : subject;
      if (failure === undefined) return [...leading, ...columns.map((column) => cell(column, row, rows))];
      return [...leading, `failed: ${failure.replaceAll('|', '/')}`, ...columns.slice(1).map(() => '')];
    });
  return markdown([...labels, ...columns.map(({ head }) => head)], cells, labels.length);
}

/** @param {Column} column @param {Row} row @param {Row[]} rows */
function cell({ figure, digits, divisor = 1, relativeTo, isMean }, row, rows) {
  const values = valuesOf(row, figure);
  if (isMean) {
    const other = relativeTo && rows.find((one) => relativeTo(row, one));
    if (relativeTo && !other) return '-';
    if (other === row) return number(1, digits);
    const { mean, error } = other ? ratioOf(values, valuesOf(other, figure)) : meanOf(values);
    return withError(mean, error, digits);
  }
  if (!relativeTo) return number(median(values) / divisor, digits);
  const other = rows.find((one) => relativeTo(row, one));
  return number(median(ratiosOf(values, valuesOf(other, figure))), digits);
}

/** The goals of a part, as the page has them, with what was measured. @param {string} part @param {Target[]} targets */
function targetText(part, targets) {
  const { section } = split(PAGE, `bench:${part}`);
  const goals = section.slice(section.indexOf('| target |')).trim().split('\n').slice(2);
  if (goals.length !== targets.length) throw new Error(`${PAGE} needs ${targets.length} goals of ${part}.`);
  const rows = targets.map((target, index) => {
    const [what = '', goal = '', reason = ''] = (goals[index] ?? '').slice(2).split(' | ');
    return [what, goal, reason, ...outcomeOf(target, goal)];
  });
  return markdown(['target', 'goal', 'reason', 'measured', 'result'], rows);
}

/** What was measured, and whether that, as it is shown, meets the goal. @param {Target} target @param {string} goal @returns {[measured: string, result: string]} */
function outcomeOf({ rows, value, digits, error = () => 0 }, goal) {
  const failed = rows.find(({ failure }) => failure !== undefined);
  if (failed)
    return [`${[...new Set([...failed.subject, failed.client])].join(', ')} failed`, 'not measured'];
  // `at most 20 kB`, `none`, or a number, the usual one and that of some networks: `2; microblog 1.0: 3`.
  const [usual = '', ...others] = goal.split('; ');
  const [, limit = '0', unit = ''] = /([\d.,]+)(?: (kB|MB|ms|bytes)\b)?/.exec(usual) ?? [];
  const limits = new Map(others.map((one) => /** @type {[string, string]} */ (one.split(': '))));
  const measured = rows.flatMap((row) => {
    const name = row.subject[0] ?? '';
    const found = value(row);
    const shown = found === undefined ? Number.NaN : Number(found.toFixed(digits));
    const most = Number((limits.get(name) ?? limit).replaceAll(',', ''));
    if (Number.isNaN(shown)) return [];
    const within = error(row);
    return [{ name, shown, within, isMet: shown + within <= most, isMissed: shown - within > most }];
  });
  const [worst] = [...measured].sort((one, other) => other.shown - one.shown);
  if (!worst) return ['-', 'not measured'];
  const isMissed = measured.some((one) => one.isMissed);
  const result = isMissed ? '**missed**' : measured.every(({ isMet }) => isMet) ? 'met' : 'within its error';
  if (/^\d/.test(goal)) {
    const differing = measured.filter(({ shown }) => String(shown) !== usual);
    return [[usual, ...differing.map(({ name, shown }) => `${name}: ${shown}`)].join('; '), result];
  }
  const [way, size] = goal.endsWith(' slower')
    ? [worst.shown < 0 ? ' faster' : ' slower', Math.abs(worst.shown)]
    : ['', worst.shown];
  const shown = worst.within === 0 ? number(size, digits) : withError(size, worst.within, digits);
  const text = `${shown}${unit && ` ${unit}`}${way}`;
  return [worst.shown === 0 || measured.length === 1 ? text : `${text} (${worst.name})`, result];
}

/** @param {number} value @param {number} error @param {number} [digits] */
const withError = (value, error, digits) =>
  Number.isNaN(error) ? number(value, digits) : `${number(value, digits)} ± ${number(error, digits)}`;

/** @param {number} value @param {number} [digits] */
const number = (value, digits = 0) =>
  Number.isNaN(value)
    ? '-'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
