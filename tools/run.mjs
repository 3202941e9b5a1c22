// Runs commands side by side and keeps their output apart.
import { spawnSync } from 'node:child_process';
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
 * `mustPrint`: a text without which the step has failed; then it also fails if Node warns. `isNeeded`: the steps after it are left out if it fails.
 *
 * @typedef {{ name: string, command: string, cwd?: string, env?: Readonly<Record<string, string>>, mustPrint?: string, isNeeded?: boolean }} Step
 */
/** Tests; a step that fails without a failed test adds one failure. @typedef {Record<'passed' | 'failed' | 'skipped', number>} Count */

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => process.exit(1));

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
  const sum = { passed: 0, failed: 0, skipped: 0 };
  /** @type {Set<string>} */
  const running = new Set();
  const report = () => console.log(`        ${[...running].join(', ')} ...`);
  const progress = setInterval(report, PROGRESS_MILLISECONDS);
  const work = async () => {
    for (let steps = waiting.shift(); steps !== undefined; steps = waiting.shift()) {
      for (const step of steps) {
        running.add(step.name);
        const count = await runStep(step, isEverythingShown);
        running.delete(step.name);
        for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) sum[key] += count[key];
        if (step.isNeeded && count.failed > 0) break;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  clearInterval(progress);
  return sum;
}

/** Prints the last line, `N passed, M failed`, and sets the exit code. @param {Count} count */
export function conclude({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** @param {Step} step @param {boolean} isShown @returns {Promise<Count>} */
async function runStep({ name, command, cwd = ROOT, env = {}, mustPrint }, isShown) {
  const settings = { cwd, env: { PATH, ...env }, timeout: TIMEOUT_MILLISECONDS };
  const { output, status, seconds } = await run(command, settings);
  // Users of a package would see Node's warnings in their logs.
  const isWrong = mustPrint !== undefined && (!output.includes(mustPrint) || /^\(node:\d+\)/m.test(output));
  const isGreen = status === 0 && !isWrong;
  // Without the lines of dots, one dot for each test.
  const text = output.replaceAll(/^ +[.,!]+\n/gm, '').trim();
  if (text !== '' && (isShown || !isGreen)) console.log(`\n--- ${name}\n${text}\n`);
  if (isWrong) console.log(`It has to print "${mustPrint}", and no warning of Node.`);
  console.log(`${isGreen ? 'ok    ' : 'FAILED'}  ${name}, ${seconds.toFixed(0)} s`);
  const counts = [...output.matchAll(COUNT)];
  const [passed = 0, failed = 0, skipped = 0] = [1, 2, 3].map((group) =>
    counts.reduce((sum, count) => sum + Number(count[group] ?? 0), 0),
  );
  return { passed, failed: isGreen || failed > 0 ? failed : 1, skipped };
}

/** Runs a program as this one, which ends if it fails. @param {string} program @param {string[]} words */
export function become(program, ...words) {
  const settings = /** @type {const} */ ({ cwd: ROOT, env: { ...process.env, PATH }, stdio: 'inherit' });
  const { status } = spawnSync(program, words, settings);
  if (status !== 0) process.exit(status ?? 1);
}
