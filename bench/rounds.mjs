// Measures clients in alternating turns, so that a machine that is busy for a while is busy for all of them, and the statistics for that.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A row of a table. `subject`: what was measured, a text for each leading column; `rounds`: the figures of each round, none if the client failed.
 *
 * @typedef {{ subject: string[], client: string, rounds: Record<string, number>[], failure?: string }} Row
 */

/** @param {number[]} values */
export const median = (values) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The mean, and twice its standard error: a repetition gives another mean, and nineteen of twenty lie within it. One value has no error that
 * anybody knows.
 *
 * @typedef {{ mean: number, error: number }} Mean
 *
 * @param {number[]} values @returns {Mean}
 */
export function meanOf(values) {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: 2 * Math.sqrt(squares / (count - 1) / count) };
}

/** The ratio of two means. @param {number[]} ours @param {number[]} theirs @returns {Mean} */
export function ratioOf(ours, theirs) {
  const [one, other] = [meanOf(ours), meanOf(theirs)];
  const mean = one.mean / other.mean;
  return { mean, error: mean * Math.hypot(one.error / one.mean, other.error / other.mean) };
}

/** @param {Row | undefined} row @param {string} figure @returns {number[]} One value per round. */
export const valuesOf = (row, figure) => row?.rounds.map((round) => round[figure] ?? Number.NaN) ?? [];

/** The ratio in each round. Equal values have the ratio 1, even if both are 0. @param {number[]} ours @param {number[]} theirs */
export const ratiosOf = (ours, theirs) =>
  ours.map((value, round) => (value === theirs[round] ? 1 : value / (theirs[round] ?? Number.NaN)));

/** The difference in each round. @param {number[]} ours @param {number[]} theirs */
export const differencesOf = (ours, theirs) =>
  ours.map((value, round) => value - (theirs[round] ?? Number.NaN));

/**
 * Measures every subject once in each round. Every second round runs backwards through the order of the round before, so that neighbours take
 * turns in being the first. Then the order moves on by two. A subject that fails is not measured again and has no figures. A package that
 * throws where nobody can catch it, in a callback of its own, fails in the same way, and the process goes on.
 *
 * @template {{ subject: string[], client: string }} Subject
 * @param {Subject[]} subjects
 * @param {number} rounds
 * @param {(subject: Subject) => Promise<Record<string, number>>} measure
 * @param {object} [options]
 * @param {() => Promise<unknown>} [options.check] - Called after a failure. If it throws too, no subject is to blame and the run ends.
 * @param {number} [options.deadline] - Milliseconds for one measurement. Default: one minute.
 * @returns {Promise<Row[]>}
 */
export async function inRounds(subjects, rounds, measure, { check, deadline = 60_000 } = {}) {
  const rows = subjects.map(({ subject, client }) => /** @type {Row} */ ({ subject, client, rounds: [] }));
  /** @type {(error: unknown) => void} */
  let blame = () => undefined;
  const crashed = (/** @type {unknown} */ error) => blame(error);
  process.on('uncaughtException', crashed);
  for (let round = 0; round < rounds; round += 1) {
    const first = (round - (round % 2)) % subjects.length;
    const order = [...subjects.keys()].map((index) => (index + first) % subjects.length);
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      const row = /** @type {Row} */ (rows[index]);
      if (row.failure !== undefined) continue;
      try {
        const crash = new Promise((_, reject) => {
          blame = reject;
        });
        const late = pause(deadline, undefined, { ref: false }).then(() => {
          throw new Error(`not finished after ${deadline / 1_000} seconds`);
        });
        const measured = measure(/** @type {Subject} */ (subjects[index]));
        row.rounds.push(await /** @type {typeof measured} */ (Promise.race([measured, crash, late])));
      } catch (error) {
        // Its logins that are underway may crash as well, which is nobody else's fault.
        await pause(SETTLING);
        await check?.();
        row.failure = failureText(error);
        row.rounds = [];
      }
    }
  }
  process.off('uncaughtException', crashed);
  return rows;
}

/** Milliseconds. */
const SETTLING = 500;
const AT_ONCE = 8;

/** Logs in as fast as possible, eight users at once. @param {{ login: () => Promise<void> }} client @param {number} logins */
export async function logInRepeatedly(client, logins) {
  let left = logins;
  const worker = async () => {
    for (left -= 1; left >= 0; left -= 1) await client.login();
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error) => {
      left = 0;
      throw error;
    }),
  );
  // Waits for all workers even if one fails: a login that goes on would disturb the next client.
  const outcomes = await Promise.allSettled(workers);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** An error in one line. @param {unknown} error */
export function failureText(error) {
  const { message, cause } = /** @type {{ message?: string, cause?: { code?: string } }} */ (error);
  const code = cause?.code ? ` (${cause.code})` : '';
  return `${message ?? String(error)}${code}`.split('\n')[0] ?? '';
}
