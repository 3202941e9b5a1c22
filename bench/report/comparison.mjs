// Compares this version with the baseline: a table of ratios for each table of figures, and a list of the figures that became worse.
import { median, ratiosOf, valuesOf } from '../rounds.mjs';
import { BASELINE, OURS } from '../versions.mjs';
import { markdown, number, show, TABLES } from './tables.mjs';

/** @typedef {import('./tables.mjs').Column} Column */
/** @typedef {import('../rounds.mjs').Row} Row */

/** A figure is worse if it is this share above (or below) the baseline's, in the median of the rounds' ratios. The figures shown must differ the same way. */
const TOLERANCE = 0.1;

/**
 * @param {import('./tables.mjs').Results} results
 * @returns {string} In Markdown.
 */
export function comparisonText(results) {
  const ratios = TABLES.flatMap((table) => {
    const pairs = pairsOf(results[table.name] ?? []);
    if (pairs.length === 0) return [];
    const columns = table.columns.filter(({ better }) => better);
    const labels = table.labels.filter((label) => label !== 'client');
    const rows = pairs.map(({ subject, ours, baseline }) => [
      ...subject,
      ...columns.map((column) => ratioCell(column, ours, baseline)),
    ]);
    const head = [...labels, ...columns.map(({ head }) => head)];
    return [`${table.name}, this version / baseline\n\n${markdown(head, rows, labels.length)}`];
  });
  return [...ratios, summaryOf(results)].join('\n\n');
}

/** @param {import('./tables.mjs').Results} results */
function summaryOf(results) {
  const lines = TABLES.flatMap((table) =>
    pairsOf(results[table.name] ?? []).flatMap(({ subject, ours, baseline }) => {
      const name = `${table.name}, ${subject.join(', ')}`;
      if (ours.failure !== undefined && baseline.failure === undefined) {
        return [`- ${name}: failed (${ours.failure}), the baseline did not`];
      }
      return table.columns
        .filter((column) => column.better && compare(column, ours, baseline).isWorse)
        .map((column) => `- ${name}, ${column.head}: ${difference(column, ours, baseline)}`);
    }),
  );
  return lines.length === 0
    ? 'No figure is more than 10 % worse than the baseline.'
    : `${lines.length} ${lines.length === 1 ? 'figure is' : 'figures are'} more than 10 % worse than the baseline:\n\n${lines.join('\n')}`;
}

/** Rows of the same subject in both versions. @param {Row[]} rows */
function pairsOf(rows) {
  return rows
    .filter(({ client }) => client === OURS)
    .flatMap((ours) => {
      const baseline = rows.find(
        (row) => row.client === BASELINE && row.subject.join('\t') === ours.subject.join('\t'),
      );
      return baseline ? [{ subject: ours.subject, ours, baseline }] : [];
    });
}

/** @param {Column} column @param {Row} ours @param {Row} baseline */
function compare(
  { figure, digits = 0, divisor = 1, better, resolution = divisor / 10 ** digits },
  ours,
  baseline,
) {
  const [now, before] = [valuesOf(ours, figure), valuesOf(baseline, figure)];
  const ratios = ratiosOf(now, before);
  const sign = better === 'higher' ? -1 : 1;
  const isWorse = (/** @type {number} */ ratio) => sign * (ratio - 1) > TOLERANCE;
  return {
    now: median(now),
    before: median(before),
    ratio: median(ratios),
    roundsWorse: ratios.filter(isWorse).length,
    isWorse: isWorse(median(ratios)) && sign * (median(now) - median(before)) >= resolution,
  };
}

/** @param {Column} column @param {Row} ours @param {Row} baseline */
function ratioCell(column, ours, baseline) {
  if (ours.failure !== undefined || baseline.failure !== undefined) return 'failed';
  const { ratio, isWorse } = compare(column, ours, baseline);
  const text = ratio === Number.POSITIVE_INFINITY ? 'was 0' : number(ratio, 2);
  return isWorse ? `**${text}**` : text;
}

/** @param {Column} column @param {Row} ours @param {Row} baseline */
function difference(column, ours, baseline) {
  const { now, before, ratio, roundsWorse } = compare(column, ours, baseline);
  const times = Number.isFinite(ratio) ? ` (${number(ratio, 2)}x)` : '';
  const rounds = `worse in ${roundsWorse} of ${ours.rounds.length} ${ours.rounds.length === 1 ? 'round' : 'rounds'}`;
  return `${show(column, now)}, baseline ${show(column, before)}${times}, ${rounds}`;
}
