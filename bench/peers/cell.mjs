import { ConfigurationTrouble } from './application-process.mjs';
import { NoAnswer } from './browser.mjs';
import { fail, notApplicable, oneLine, Unfit } from './verdicts.mjs';
import { World } from './world.mjs';

/** Milliseconds that one question to one subject may take, whatever it does. */
const LIMIT = 40_000;

/**
 * Asks one subject one question. A hang counts only when it happens twice, lest a busy machine be taken for one.
 *
 * @param {import('./subjects.mjs').Subject} subject
 * @param {import('./probes/rule.mjs').Rule} rule
 * @returns {Promise<import('./verdicts.mjs').Verdict>}
 * @throws Error when the bench itself is at fault.
 */
export async function ask(subject, rule) {
  const verdict = await askOnce(subject, rule);
  return verdict.verdict === 'hangs' ? askOnce(subject, rule) : verdict;
}

/**
 * @param {import('./subjects.mjs').Subject} subject
 * @param {import('./probes/rule.mjs').Rule} rule
 * @returns {Promise<import('./verdicts.mjs').Verdict>}
 */
async function askOnce(subject, rule) {
  const world = await World.open(subject);
  try {
    const reason = rule.unless?.(world);
    if (reason) return notApplicable(reason);
    const verdict = await within(LIMIT, rule.ask(world));
    if (await world.died()) return oneLine(death(world));
    return oneLine(verdict);
  } catch (error) {
    const trouble = error instanceof ConfigurationTrouble;
    if (!trouble && (await world.died())) return oneLine(death(world));
    if (error instanceof NoAnswer) return oneLine({ verdict: 'hangs', evidence: error.message });
    if (error instanceof Unfit) return oneLine(fail(error.message));
    throw new Error(`${rule.id}, ${subject.id}: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  } finally {
    await world.close();
  }
}

/** @param {World} world @returns {import('./verdicts.mjs').Verdict} */
function death(world) {
  return { verdict: 'dies', evidence: `the process ended: ${world.lastWords()}` };
}

/** @template T @param {number} milliseconds @param {Promise<T>} work @returns {Promise<T>} */
async function within(milliseconds, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new NoAnswer(`not finished within ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}
