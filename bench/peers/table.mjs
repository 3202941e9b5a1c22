/**
 * @typedef {import('./verdicts.mjs').Verdict} Verdict
 * @typedef {Readonly<Record<string, { question: string, subjects: Readonly<Record<string, Verdict>> }>>} Rules
 * @typedef {Readonly<{ date: string, node: string, versions: Readonly<Record<string, string>>, rules: Rules }>} Results
 */

const BEGIN = '<!-- peers:begin -->';
const END = '<!-- peers:end -->';

/** @param {Verdict | undefined} verdict */
function mark(verdict) {
  if (verdict === undefined) return '';
  return verdict.verdict === 'fail' ? 'FAIL' : verdict.verdict;
}

/** How many a subject passed of those that apply to it. @param {Rules} rules @param {string} subject */
function score(rules, subject) {
  const verdicts = Object.values(rules).map(({ subjects }) => subjects[subject]?.verdict);
  const asked = verdicts.filter((verdict) => verdict !== 'n/a').length;
  return `${verdicts.filter((verdict) => verdict === 'pass').length} of ${asked}`;
}

/** For a terminal: narrow columns, numbered. @param {Results} results @param {readonly string[]} subjects */
export function textTable({ rules }, subjects) {
  const legend = subjects.map((subject, index) => `${String(index + 1).padStart(4)}  ${subject}`);
  const width = Math.max(...Object.keys(rules).map(({ length }) => length)) + 2;
  const row = (/** @type {string} */ name, /** @type {readonly string[]} */ cells, end = '') =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padEnd(10)).join('')}${end}`.trimEnd();
  return [
    ...legend,
    '',
    row(
      '',
      subjects.map((_, index) => String(index + 1)),
    ),
    ...Object.entries(rules).map(([id, { question, subjects: cells }]) =>
      row(
        id,
        subjects.map((subject) => mark(cells[subject])),
        question,
      ),
    ),
    row(
      'passed',
      subjects.map((subject) => score(rules, subject)),
    ),
  ].join('\n');
}

/**
 * For the documentation, to stand between the markers.
 *
 * @param {Results} results
 * @param {readonly import('./subjects.mjs').Subject[]} subjects
 */
export function markdownTable({ date, node, versions, rules }, subjects) {
  const names = subjects.map(({ id }) => id);
  const said = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const row = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [
    BEGIN,
    `Asked on ${date} with Node ${node}: ${said.join(', ')}.`,
    '',
    row(['rule', 'question', ...names.map((name) => name.replaceAll('|', '\\|'))]),
    row(['---', '---', ...names.map(() => '---')]),
    ...Object.entries(rules).map(([id, { question, subjects: cells }]) =>
      row([id, question.replaceAll('|', '\\|'), ...names.map((name) => mark(cells[name]))]),
    ),
    row(['', 'passed, of those that apply', ...names.map((name) => score(rules, name))]),
    '',
    '`pass`: yes. `FAIL`: no. `dies`: the process of the application ended. `hangs`: a browser was never answered. `n/a`: the question',
    'does not apply. Every package takes the addresses of its network as options, so no request was redirected and no certificate',
    'replaced. What was: in T1 and T18 names below `.test` mean this machine, in C6 the clock runs ahead, in O5 `Math.random` is constant,',
    'in T17 the process is kept busy. What exactly was seen in each case stands in `bench/peers/results.json`. How each was set up:',
    '',
    ...subjects.map(({ id, settings }) => `- ${id}: ${settings}.`),
    END,
  ].join('\n');
}

/**
 * The sums alone, for the page about our own security; between the markers as well.
 *
 * @param {Results} results
 * @param {readonly import('./subjects.mjs').Subject[]} subjects
 */
export function summaryTable({ date, versions, rules }, subjects) {
  const named = subjects.map(({ id, package: name }) => {
    const which = id.startsWith('ours: ') ? `, ${id.slice('ours: '.length)}` : '';
    return `| ${name} ${versions[name]}${which} | ${score(rules, id)} |`;
  });
  return [
    BEGIN,
    `Asked on ${date}. Passed, of the questions that apply:`,
    '',
    '| strategy | passed |',
    '| --- | --- |',
    ...named,
    END,
  ].join('\n');
}

/** A page with another table between its markers. @param {string} page @param {string} table @throws Error without markers. */
export function withTable(page, table) {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END, begin);
  if (begin < 0 || end < 0) throw new Error(`A page in docs/ has lost its markers ${BEGIN} and ${END}.`);
  return page.slice(0, begin) + table + page.slice(end + END.length);
}
