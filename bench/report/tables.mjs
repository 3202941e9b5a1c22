// The tables of the report: their columns, and their text in Markdown.
import { PASSPORT_PEERS } from '../clients/index.mjs';
import { median, ratiosOf, valuesOf } from '../rounds.mjs';
import { BASELINE } from '../versions.mjs';

/** @typedef {import('../rounds.mjs').Row} Row */
/** @typedef {Record<string, Row[]>} Results - Rows by the name of their table, of the parts that ran. */
/**
 * @typedef {object} Column
 * @property {string} head
 * @property {string} figure - Name of the figure in a row's rounds.
 * @property {number} [digits] - After the decimal point. Default: 0.
 * @property {number} [divisor] - For example 1,000 to show bytes as kB.
 * @property {'lower' | 'higher'} [better] - Which of two versions is better. Without it, versions are not compared by this figure.
 * @property {number} [resolution] - Smaller differences between two versions are ignored. Default: one unit of the last digit shown.
 * @property {(row: Row, other: Row) => boolean} [relativeTo] - Shows the ratio to the row for which it returns true, not the figure itself.
 */
/**
 * @typedef {object} Table
 * @property {string} part
 * @property {string} name - In the results.
 * @property {string[]} labels - Heads of the leading columns: those of a row's subject, and `client` if the table has such a column.
 * @property {Column[]} columns
 */

const isPeer = (/** @type {Row} */ row, /** @type {Row} */ other) =>
  other.subject[0] === row.subject[0] && other.client === PASSPORT_PEERS[row.subject[0] ?? ''];
const isOAuth2 = (/** @type {Row} */ _row, /** @type {Row} */ other) => other.client === 'passport-oauth2';

/** What the part `anonymous` measures, and how the table calls it: what is long or many in the callback. */
export const CALLBACKS = {
  nothing: 'nothing',
  state: 'state',
  code: 'code',
  error: 'error',
  description: 'error_description',
  parameters: 'parameters',
  cookies: 'cookies',
  declined: 'error_description of a pending login',
};

/** @type {Table[]} */
export const TABLES = [
  {
    part: 'deployed',
    name: 'deployed',
    labels: ['network', 'client'],
    columns: [
      { head: 'Redis commands', figure: 'commands', digits: 1, better: 'lower' },
      ...['get', 'set', 'expire', 'del'].map((figure) => ({ head: figure.toUpperCase(), figure, digits: 1 })),
      { head: 'CPU µs', figure: 'cpu', better: 'lower' },
      { head: 'peer = 1', figure: 'cpu', digits: 2, relativeTo: isPeer },
    ],
  },
  {
    part: 'speed',
    name: 'speed',
    labels: ['network', 'client'],
    columns: [
      { head: 'logins/s', figure: 'loginsPerSecond', better: 'higher' },
      { head: 'peer = 1', figure: 'loginsPerSecond', digits: 2, relativeTo: isPeer },
      { head: 'CPU µs', figure: 'cpu', better: 'lower' },
      { head: 'peer = 1', figure: 'cpu', digits: 2, relativeTo: isPeer },
      { head: 'p50 ms', figure: 'p50', digits: 1, better: 'lower' },
      { head: 'p99 ms', figure: 'p99', digits: 1, better: 'lower' },
      { head: 'connections', figure: 'connections', digits: 2, better: 'lower' },
      { head: 'requests', figure: 'requests', digits: 2, better: 'lower' },
    ],
  },
  {
    part: 'anonymous',
    name: 'anonymous',
    labels: ['network'],
    columns: Object.entries(CALLBACKS).map(([figure, head]) => ({
      head,
      figure,
      digits: 2,
      divisor: 1e3,
      better: 'lower',
      resolution: 100,
    })),
  },
  {
    part: 'latency',
    name: 'latency',
    labels: ['network', 'client'],
    columns: [
      { head: 'requests', figure: 'requests', better: 'lower' },
      { head: 'cold connections', figure: 'coldConnections', better: 'lower' },
      { head: 'cold round trips', figure: 'coldRoundTrips', better: 'lower' },
      { head: 'cold ms', figure: 'coldDuration', better: 'lower' },
      { head: 'warm connections', figure: 'warmConnections', better: 'lower' },
      { head: 'warm round trips', figure: 'warmRoundTrips', better: 'lower' },
      { head: 'warm ms', figure: 'warmDuration', better: 'lower' },
    ],
  },
  {
    part: 'loading',
    name: 'modules',
    labels: ['module'],
    columns: [
      { head: 'ms', figure: 'milliseconds', digits: 1, better: 'lower' },
      { head: 'passport-oauth2 = 1', figure: 'milliseconds', digits: 2, relativeTo: isOAuth2 },
      { head: 'heap kB', figure: 'heap', divisor: 1e3, better: 'lower' },
      { head: 'process kB', figure: 'rss', divisor: 1e3, better: 'lower' },
    ],
  },
  {
    part: 'loading',
    name: 'installs',
    labels: ['production install'],
    columns: [
      { head: 'packages', figure: 'packages', better: 'lower' },
      { head: 'kB', figure: 'bytes', divisor: 1e3, better: 'lower' },
      { head: 'packages of types', figure: 'typePackages', better: 'lower' },
      { head: 'kB of types', figure: 'typeBytes', divisor: 1e3, better: 'lower' },
    ],
  },
  {
    part: 'flight',
    name: 'flight',
    labels: ['waiting at once', 'client'],
    columns: [
      { head: 'succeeded', figure: 'finished', better: 'higher' },
      { head: 'heap kB each', figure: 'heap', digits: 1, divisor: 1e3, better: 'lower' },
      { head: 'process kB each', figure: 'rss', digits: 1, divisor: 1e3, better: 'lower' },
      { head: 'longest stall ms', figure: 'longest', better: 'lower', resolution: 5 },
      { head: 'logins/s', figure: 'loginsPerSecond', better: 'higher' },
    ],
  },
  {
    part: 'tabs',
    name: 'tabs',
    labels: ['tabs'],
    columns: [
      { head: 'logins kept', figure: 'kept', better: 'higher' },
      { head: 'bytes of cookies', figure: 'cookies', better: 'lower' },
      { head: 'bytes of session', figure: 'session', better: 'lower' },
      { head: 'start µs', figure: 'start', better: 'lower', resolution: 20 },
    ],
  },
  {
    part: 'tabs',
    name: 'pending',
    labels: ['kept by the process'],
    // The heap varies by some hundred kB, regardless of the logins.
    columns: [{ head: 'heap bytes each', figure: 'heap', better: 'lower', resolution: 50 }],
  },
];

/** @param {number} value @param {number} [digits] */
export const number = (value, digits = 0) =>
  Number.isNaN(value)
    ? '-'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A column's text for a value. @param {Column} column @param {number} value */
export const show = ({ digits, divisor = 1 }, value) => number(value / divisor, digits);

/** @param {string[]} head @param {string[][]} rows @param {number} texts - How many leading columns are left-aligned. */
export function markdown(head, rows, texts) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column < texts ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** The leading cells of a row. @param {Table} table @param {Row} row */
function labelsOf({ labels }, { subject, client }) {
  if (labels.includes('client')) return [...subject, client];
  // Without a column for it, the baseline's rows say so in the first one.
  const [first = '', ...others] = subject;
  return [client === BASELINE ? `${first} (baseline)` : first, ...others];
}

/** @param {Table} table @param {Row[]} rows */
export function tableText(table, rows) {
  const subjects = [...new Set(rows.map(({ subject }) => subject.join('\t')))];
  const sorted = [...rows].sort(
    (one, other) => subjects.indexOf(one.subject.join('\t')) - subjects.indexOf(other.subject.join('\t')),
  );
  const cells = sorted.map((row) => {
    const labels = labelsOf(table, row);
    if (row.failure !== undefined) {
      return [
        ...labels,
        `failed: ${row.failure.replaceAll('|', '/')}`,
        ...table.columns.slice(1).map(() => ''),
      ];
    }
    return [...labels, ...table.columns.map((column) => cell(column, row, rows))];
  });
  return markdown([...table.labels, ...table.columns.map(({ head }) => head)], cells, table.labels.length);
}

/** @param {Column} column @param {Row} row @param {Row[]} rows */
function cell(column, row, rows) {
  const values = valuesOf(row, column.figure);
  if (!column.relativeTo) return show(column, median(values));
  const other = rows.find((one) => column.relativeTo?.(row, one));
  return number(median(ratiosOf(values, valuesOf(other, column.figure))), column.digits);
}
