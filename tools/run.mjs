// Runs commands side by side and keeps their output apart.
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../test/packaging/process.mjs';

export const ROOT = join(import.meta.dirname, '..');
/** For commands of installed packages, as npm has it. */
export const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
/** The last line of a test run (test/reporter.cjs). */
const COUNT = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;
/** No step takes this long unless it hangs. */
const TIMEOUT_MILLISECONDS = 20 * 60 * 1000;
/** Whoever waits for a step sees that it goes on. */
const PROGRESS_MILLISECONDS = 10_000;

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command
 * @property {Readonly<Record<string, string>>} [env]
 */
/** @typedef {{ passed: number, failed: number, skipped: number }} Count - Tests; a step that fails without a failed test adds one failure. */

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

/** A script of package.json as a step, without npm, which can take longer than the script. @param {string} name @returns {Step} */
export function script(name) {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return { name, command: scripts[name] };
}

/**
 * Runs groups of steps at the same time, and the steps of a group one after another. A failed step does not stop the others. Prints
 * a line for each step when it ends, after the output of the step if it failed.
 *
 * @param {readonly (readonly Step[])[]} groups
 * @param {{ atOnce: number, isEverythingShown?: boolean }} settings - `isEverythingShown` prints the output of successful steps too.
 * @returns {Promise<Count>}
 */
export async function runSteps(groups, { atOnce, isEverythingShown = false }) {
  const waiting = [...groups];
  /** @type {Count[]} */
  const counts = [];
  /** @type {Set<string>} */
  const running = new Set();
  const progress = setInterval(
    () => console.log(`        ${[...running].join(', ')} ...`),
    PROGRESS_MILLISECONDS,
  );
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let steps = waiting.shift(); steps !== undefined; steps = waiting.shift()) {
        for (const step of steps) {
          running.add(step.name);
          counts.push(await runStep(step, isEverythingShown));
          running.delete(step.name);
        }
      }
    }),
  );
  clearInterval(progress);
  return sumOf(counts);
}

/**
 * Prints the last line, `N passed, M failed`, and sets the exit code.
 *
 * @param {Count} count
 */
export function conclude({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/**
 * @param {Step} step
 * @param {boolean} isShown
 * @returns {Promise<Count>}
 */
async function runStep({ name, command, env = {} }, isShown) {
  const { output, status, seconds } = await run(command, {
    cwd: ROOT,
    env: { PATH, ...env },
    timeout: TIMEOUT_MILLISECONDS,
  });
  // Without the lines of dots, one dot for each test.
  const text = output.replaceAll(/^ +[.,!]+\n/gm, '').trim();
  if (text !== '' && (isShown || status !== 0)) console.log(`\n--- ${name}\n${text}\n`);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${seconds.toFixed(0)} s`);
  const count = sumOf(
    [...output.matchAll(COUNT)].map(([, passed, failed, skipped = 0]) => ({
      passed: Number(passed),
      failed: Number(failed),
      skipped: Number(skipped),
    })),
  );
  return status !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

/**
 * @param {readonly Count[]} counts
 * @returns {Count}
 */
function sumOf(counts) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of counts) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}
