// `npm run step -- peers`: asks every subject every question, prints the table and writes it down. With the names of rules, for example
// `npm run step -- peers C24 S7`, it asks their questions only, prints what was seen, and writes nothing.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { NoAnswer } from '../clients/browser.mjs';
import { PEERS, SUBJECTS } from '../clients/strategies.mjs';
import { Stub } from '../network/stub.mjs';
import { errorIn } from '../processes.mjs';
import { markdown, writeSection } from '../report/page.mjs';
import { inTime } from '../rounds.mjs';
import { versionOf } from '../versions.mjs';
import { CALLBACKS } from './callbacks.mjs';
import { OAUTH1, SECRETS } from './identity.mjs';
import { TRANSPORT } from './transport.mjs';
import { Unfit, World } from './world.mjs';

/** @typedef {{ id: string, question: string, examine: import('./callbacks.mjs').Questions[string] }} Question */
/** @typedef {import('../clients/strategies.mjs').Subject} Subject */
/**
 * What became of one question to one subject. `dies`: its process ended; `hangs`: a browser was never answered.
 *
 * @typedef {'pass' | 'FAIL' | 'dies' | 'hangs' | 'n/a'} Mark
 * @typedef {{ mark: Mark, seen?: string }} Verdict
 * @typedef {{ id: string, question: string, verdicts: Verdict[] }} Row
 */

/** @type {readonly Question[]} */
const QUESTIONS = Object.entries({ ...CALLBACKS, ...TRANSPORT, ...OAUTH1, ...SECRETS }).map(
  ([key, examine]) => {
    const colon = key.indexOf(': ');
    return { id: key.slice(0, colon), question: key.slice(colon + 2), examine };
  },
);
/** Questions that one protocol alone has; besides, those of O are about OAuth 1.0a, and S3 about a profile. */
const OAUTH2_ONLY = ['C5', 'C11', 'C14', 'C15', 'T9', 'T10'];
const AT_ONCE = 2;
/** Milliseconds that one question to one subject may take, whatever it does. */
const LIMIT = 60_000;
const PAGE = join(import.meta.dirname, 'results.md');
const BEGIN = '<!-- peers:begin -->';
const END = '<!-- peers:end -->';

/** Asks one subject one question. @param {Subject} subject @param {Question} question @returns {Promise<Verdict>} */
async function ask(subject, { id, examine }) {
  const world = new World(subject, await Stub.start());
  try {
    const { facts } = world;
    const isMeant = world.isOAuth1 ? !OAUTH2_ONLY.includes(id) : !id.startsWith('O');
    if (!isMeant || (id === 'S3' && !facts.paths.profile)) return { mark: 'n/a' };
    // As most questions want it; the others start it again, set up in another way.
    await world.start();
    const seen = await inTime(examine(world), LIMIT, NoAnswer);
    if (await world.died()) return { mark: 'dies', seen: errorIn(world.output) ?? 'no output' };
    return seen === undefined ? { mark: 'pass' } : { mark: 'FAIL', seen };
  } catch (error) {
    if (await world.died()) return { mark: 'dies', seen: errorIn(world.output) ?? 'no output' };
    const { message } = /** @type {Error} */ (error);
    if (error instanceof NoAnswer) return { mark: 'hangs', seen: message };
    if (error instanceof Unfit) return { mark: 'FAIL', seen: message };
    throw new Error(`${id}, ${subject.id}: ${message}`, { cause: error });
  } finally {
    world.close();
  }
}

/** A hang counts only when it happens twice, lest a busy machine be taken for one. @type {typeof ask} */
async function askTwice(subject, question) {
  const verdict = await ask(subject, question);
  return verdict.mark === 'hangs' ? ask(subject, question) : verdict;
}

/** @param {readonly Question[]} questions @returns {Promise<Row[]>} */
async function askAll(questions) {
  /** @type {Row[]} */
  const rows = questions.map(({ id, question }) => ({ id, question, verdicts: [] }));
  const cells = questions.flatMap((question, row) =>
    SUBJECTS.map((subject, column) => ({ question, row, subject, column })),
  );
  const count = cells.length;
  const work = async () => {
    for (let cell = cells.shift(); cell; cell = cells.shift()) {
      const verdict = await askTwice(cell.subject, cell.question);
      if (cell.question.id === 'login' && verdict.mark !== 'pass')
        throw new Error(`an ordinary login fails with ${cell.subject.id}: ${verdict.seen}`);
      const row = /** @type {Row} */ (rows[cell.row]);
      row.verdicts[cell.column] = verdict;
      if (process.stderr.isTTY) process.stderr.write(`\r${count - cells.length} of ${count} `);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => cells.splice(0));
  return rows;
}

/** How many a subject passed of those that apply to it. @param {Row[]} rows @param {number} column */
function score(rows, column) {
  const marks = rows.map(({ verdicts }) => verdicts[column]?.mark);
  return `${marks.filter((mark) => mark === 'pass').length} of ${marks.filter((mark) => mark !== 'n/a').length}`;
}

/** @param {Row[]} rows */
function verdictTable(rows) {
  const body = rows.map(({ id, question, verdicts }) => [
    id,
    question.replaceAll('|', '\\|'),
    ...verdicts.map(({ mark }) => mark),
  ]);
  const sums = ['', 'passed, of those that apply', ...SUBJECTS.map((_, column) => score(rows, column))];
  return markdown(['rule', 'question', ...SUBJECTS.map(({ id }) => id)], [...body, sums]);
}

const require = createRequire(import.meta.url);

/** Where the types of a package are, and whether its strategy can refresh tokens. @param {(typeof PEERS)[number]} peer */
function factsOf({ package: name, load }) {
  const refreshes = 'refresh' in load().prototype ? 'yes' : 'no';
  if (readdirSync(dirname(require.resolve(name))).some((file) => file.endsWith('.d.ts')))
    return ['own', refreshes];
  const types = `@types/${name}`;
  const { stdout } = spawnSync('npm', ['view', types, 'version', '--json'], { encoding: 'utf8' });
  const answer = JSON.parse(stdout);
  if (typeof answer !== 'string' && answer.error.code !== 'E404') throw new Error(answer.error.summary);
  return [typeof answer === 'string' ? `\`${types}\`` : 'none', refreshes];
}

/** The text between the markers of results.md. @param {Row[]} rows */
function resultsText(rows) {
  const others = ['passport', 'express', 'express-session'].map((name) => `${name} ${versionOf(name)}`);
  const date = new Date().toISOString().slice(0, 10);
  return `Asked on ${date}, version ${versionOf()} and the peers' versions below, with Node ${process.versions.node}, ${others.join(', ')}.

${verdictTable(rows)}

## The packages

${markdown(
  ['package', 'settings', 'last release', 'source', 'types', 'refreshes tokens'],
  PEERS.map((subject) => [
    `${subject.package} ${versionOf(subject.package)}`,
    subject.settings,
    subject.released ?? '',
    subject.source ?? '',
    ...factsOf(subject),
  ]),
)}`;
}

try {
  const wanted = process.argv.slice(2);
  const questions = QUESTIONS.filter(
    ({ id }) => wanted.length === 0 || wanted.includes(id.split(' ', 1)[0] ?? ''),
  );
  if (questions.length === 0) throw new Error(`no question belongs to ${wanted.join(', ')}.`);
  const rows = await askAll(questions);
  for (const { id, verdicts } of rows) {
    for (const [column, { mark, seen }] of verdicts.entries())
      if (seen !== undefined) console.log(`${id}, ${SUBJECTS[column]?.id}: ${mark}: ${seen}`);
  }
  console.log(`\n${verdictTable(rows)}`);
  if (wanted.length === 0) writeSection(PAGE, [BEGIN, END], resultsText(rows));
} catch (error) {
  console.error(`peers: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}
