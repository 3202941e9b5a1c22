// The text of each part, and its place between the markers in bench/README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { median, ratiosOf, valuesOf } from '../rounds.mjs';
import { BASELINE, OURS, ROOT } from '../versions.mjs';
import { TABLES, targetsOf } from './figures.mjs';

const PAGE = join(ROOT, 'bench', 'README.md');
/** A figure is worse if it is this share above (or below) the baseline's, in the median of the rounds' ratios. The figures shown must differ the same way. */
const TOLERANCE = 0.1;

/** @typedef {import('../rounds.mjs').Row} Row */
/** @typedef {import('./figures.mjs').Column} Column */
/** @typedef {import('./figures.mjs').Table} Table */
/** @typedef {import('./figures.mjs').Target} Target */
/** @typedef {import('./figures.mjs').Results} Results */
/** @typedef {{ name: string, text: string }} Section - `name` is that of the part and of its markers. */

/** The date, the versions, the machine and its load. @param {import('../versions.mjs').Version[]} versions */
export function surroundings([ours, baseline]) {
  const date = new Date().toISOString().slice(0, 10);
  const compared = baseline ? `, baseline ${baseline.version}` : '';
  const processors = cpus();
  const machine = `${processors.length} x ${processors[0]?.model.trim() ?? arch()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)} at the start`;
  const { node, openssl } = process.versions;
  return `${date}, version ${ours?.version}${compared}, Node ${node}, OpenSSL ${openssl}, ${machine}, ${load}.`;
}

/** @param {Results} results @param {string} about - Stands above the tables. @returns {Section[]} One for each part that ran. */
export function sectionsOf(results, about) {
  return [...new Set(TABLES.map(({ part }) => part))].flatMap((part) => {
    const measured = TABLES.filter((table) => table.part === part && results[table.name]);
    if (measured.length === 0) return [];
    const tables = measured.map((table) => tableText(table, results[table.name] ?? []));
    return [
      { name: part, text: [about, ...tables, targetText(part, targetsOf(part, results))].join('\n\n') },
    ];
  });
}

/** @param {Results} results @returns {Results} */
export const withoutBaseline = (results) =>
  Object.fromEntries(
    Object.entries(results).map(([name, rows]) => [name, rows.filter(({ client }) => client !== BASELINE)]),
  );

/** @param {Section[]} sections @returns {string} The page's path. @throws {Error} when a marker is missing. */
export function writePage(sections) {
  let page = readFileSync(PAGE, 'utf8');
  for (const { name, text } of sections) {
    const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${PAGE} needs the markers ${begin} and ${end}.`);
    page = `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
  }
  writeFileSync(PAGE, page);
  return relative(process.cwd(), PAGE);
}

/** The ratios to the baseline of each table, those that are worse in bold. @param {Results} results */
export function comparisonText(results) {
  const texts = TABLES.flatMap(({ name, labels, columns }) => {
    const rows = results[name] ?? [];
    const compared = columns.filter(({ better, relativeTo }) => better !== 'neither' && !relativeTo);
    const ratios = rows.flatMap((row) => {
      const baseline = rows.find((one) => one.client === BASELINE && isSame(one, row));
      return row.client === OURS && baseline
        ? [[...row.subject, ...compared.map((column) => ratioText(column, row, baseline))]]
        : [];
    });
    const leading = labels.filter((label) => label !== 'client');
    const head = [...leading, ...compared.map((column) => column.head)];
    return ratios.length === 0
      ? []
      : [`${name}, this version / baseline\n\n${markdown(head, ratios, leading.length)}`];
  });
  const worse = texts.join('').match(/\*\*/g)?.length ?? 0;
  return [...texts, `${worse / 2} figures are more than 10 % worse than the baseline.`].join('\n\n');
}

/** @param {Row} one @param {Row} other */
const isSame = (one, other) => one.subject.join('\t') === other.subject.join('\t');

/** @param {Column} column @param {Row} ours @param {Row} baseline */
function ratioText({ figure, digits = 0, divisor = 1, better, resolution }, ours, baseline) {
  if (ours.failure !== undefined || baseline.failure !== undefined) return 'failed';
  const [now, before] = [valuesOf(ours, figure), valuesOf(baseline, figure)];
  const ratio = median(ratiosOf(now, before));
  const sign = better === 'higher' ? -1 : 1;
  const isShown = sign * (median(now) - median(before)) >= (resolution ?? divisor / 10 ** digits);
  const text = ratio === Number.POSITIVE_INFINITY ? 'was 0' : number(ratio, 2);
  return sign * (ratio - 1) > TOLERANCE && isShown ? `**${text}**` : text;
}

/** @param {Table} table @param {Row[]} rows */
function tableText({ labels, columns }, rows) {
  const subjects = [...new Set(rows.map(({ subject }) => subject.join('\t')))];
  const place = (/** @type {Row} */ { subject }) => subjects.indexOf(subject.join('\t'));
  const cells = [...rows]
    .sort((one, other) => place(one) - place(other))
    .map((row) => {
      const { subject, client, failure } = row;
      // Without a column for it, the baseline's rows say so in the first one.
      const [first = '', ...others] = subject;
      const marked = [client === BASELINE ? `${first} (baseline)` : first, ...others];
      const leading = labels.includes('client') ? [...subject, client] : marked;
      if (failure === undefined) return [...leading, ...columns.map((column) => cell(column, row, rows))];
      return [...leading, `failed: ${failure.replaceAll('|', '/')}`, ...columns.slice(1).map(() => '')];
    });
  return markdown([...labels, ...columns.map(({ head }) => head)], cells, labels.length);
}

/** @param {Column} column @param {Row} row @param {Row[]} rows */
function cell({ figure, digits, divisor = 1, relativeTo }, row, rows) {
  const values = valuesOf(row, figure);
  if (!relativeTo) return number(median(values) / divisor, digits);
  const other = rows.find((one) => relativeTo(row, one));
  return number(median(ratiosOf(values, valuesOf(other, figure))), digits);
}

/** The goals of a part, as the page has them, with what was measured. @param {string} part @param {Target[]} targets */
function targetText(part, targets) {
  const section =
    readFileSync(PAGE, 'utf8').split(`<!-- bench:${part} -->`)[1]?.split('<!-- /bench')[0] ?? '';
  const goals = section.slice(section.indexOf('| target |')).trim().split('\n').slice(2);
  if (goals.length !== targets.length) throw new Error(`${PAGE} needs ${targets.length} goals of ${part}.`);
  const rows = targets.map((target, index) => {
    const [what = '', goal = '', reason = ''] = (goals[index] ?? '').slice(2).split(' | ');
    return [what, goal, reason, ...outcomeOf(target, goal)];
  });
  return markdown(['target', 'goal', 'reason', 'measured', 'result'], rows, 5);
}

/** What was measured, and whether that, as it is shown, meets the goal. @param {Target} target @param {string} goal @returns {[measured: string, result: string]} */
function outcomeOf({ rows, value, digits }, goal) {
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
    return Number.isNaN(shown) ? [] : [{ name, shown, isMet: shown <= most }];
  });
  const [worst] = [...measured].sort((one, other) => other.shown - one.shown);
  if (!worst) return ['-', 'not measured'];
  const result = measured.every(({ isMet }) => isMet) ? 'met' : '**missed**';
  if (/^\d/.test(goal)) {
    const differing = measured.filter(({ shown }) => String(shown) !== usual);
    return [[usual, ...differing.map(({ name, shown }) => `${name}: ${shown}`)].join('; '), result];
  }
  const [way, size] = goal.endsWith(' slower')
    ? [worst.shown < 0 ? ' faster' : ' slower', Math.abs(worst.shown)]
    : ['', worst.shown];
  const text = `${number(size, digits)}${unit && ` ${unit}`}${way}`;
  return [worst.shown === 0 || measured.length === 1 ? text : `${text} (${worst.name})`, result];
}

/** @param {number} value @param {number} [digits] */
const number = (value, digits = 0) =>
  Number.isNaN(value)
    ? '-'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @param {string[]} head @param {string[][]} rows @param {number} texts - How many leading columns are left-aligned. */
function markdown(head, rows, texts) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column < texts ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
