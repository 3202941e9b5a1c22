/**
 * `npm run peers`: asks every subject every question, prints the table and writes it down. `npm run peers -- C24 S8`: asks the questions of
 * these rules only, prints what was seen, and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { requireBuild, requirePeers } from './checkout.mjs';

const AT_ONCE = 2;
const UNASKED = /** @type {const} */ ({ verdict: 'n/a', evidence: 'not asked' });
const RESULTS = new URL('results.json', import.meta.url);
const WHOLE = new URL('results.md', import.meta.url);
const SUMMARY = new URL('../../docs/security.md', import.meta.url);

try {
  requirePeers();
  requireBuild();
  await run();
} catch (error) {
  console.error(`peers: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}

async function run() {
  // Only now: without an installation they cannot be loaded.
  const { ask } = await import('./cell.mjs');
  const { RULES: ALL } = await import('./probes/index.mjs');
  const wanted = process.argv.slice(2);
  const RULES = wanted.length === 0 ? ALL : wanted.flatMap((name) => rulesOf(name, ALL));
  const { SUBJECTS, versionOf } = await import('./subjects.mjs');
  const { markdownTable, summaryTable, textTable, withTable } = await import('./table.mjs');
  // Before anything is asked: a page without its markers would lose the answers.
  for (const page of [WHOLE, SUMMARY]) withTable(readFileSync(page, 'utf8'), '');

  /** @type {Record<string, { question: string, subjects: Record<string, import('./verdicts.mjs').Verdict> }>} */
  const rules = Object.fromEntries(
    RULES.map(({ id, question }) => [
      id,
      { question, subjects: Object.fromEntries(SUBJECTS.map((subject) => [subject.id, UNASKED])) },
    ]),
  );
  const cells = RULES.flatMap((rule) => SUBJECTS.map((subject) => ({ rule, subject })));
  let asked = 0;
  await inParallel(cells, async ({ rule, subject }) => {
    const verdict = await ask(subject, rule);
    if (rule.id === 'login' && verdict.verdict !== 'pass') {
      throw new Error(`an ordinary login fails with ${subject.id}: ${verdict.evidence}`);
    }
    const row = rules[rule.id];
    if (row) row.subjects[subject.id] = verdict;
    asked += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r${asked} of ${cells.length}`);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');

  const packages = new Set([
    ...SUBJECTS.map((subject) => subject.package),
    'passport',
    'express',
    'express-session',
  ]);
  const results = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    versions: Object.fromEntries([...packages].map((name) => [name, versionOf(name)])),
    rules,
  };
  console.log(
    textTable(
      results,
      SUBJECTS.map(({ id }) => id),
    ),
  );
  if (wanted.length > 0) {
    for (const [id, { subjects }] of Object.entries(rules)) {
      for (const [subject, { verdict, evidence }] of Object.entries(subjects))
        console.log(`${id}, ${subject}: ${verdict}: ${evidence}`);
    }
    return;
  }
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  for (const [page, table] of /** @type {const} */ ([
    [WHOLE, markdownTable(results, SUBJECTS)],
    [SUMMARY, summaryTable(results, SUBJECTS)],
  ])) {
    // Read again: somebody may have written in it meanwhile.
    writeFileSync(page, withTable(readFileSync(page, 'utf8'), table));
  }
}

/**
 * @param {string} name
 * @param {readonly import('./probes/rule.mjs').Rule[]} all
 * @throws Error for a rule without a question.
 */
function rulesOf(name, all) {
  const found = all.filter(({ id }) => id === name || id.startsWith(`${name} `));
  if (found.length === 0) throw new Error(`no question belongs to the rule ${name}.`);
  return found;
}

/** @template T @param {readonly T[]} items @param {(item: T) => Promise<void>} work */
async function inParallel(items, work) {
  const rest = [...items];
  let failed = false;
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined && !failed; item = rest.shift()) {
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const endings = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}
