// Measures clients in alternating turns, so that a machine that is busy for a while is busy for all of them, and the statistics for that.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A row of a table. `subject`: what was measured, a text for each leading column; `rounds`: the figures of each round, none if the client failed.
 *
 * @typedef {{ subject: string[], client: string, rounds: Record<string, number>[], failure?: string }} Row
 */

/** @param {number[]} values @param {number} share - 0.5 for the median. */
export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);

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
        const measured = measure(/** @type {Subject} */ (subjects[index]));
        row.rounds.push(
          await inTime(/** @type {typeof measured} */ (Promise.race([measured, crash])), deadline),
        );
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
/** Logins at once. */
const AT_ONCE = 8;

/**
 * Logs in as fast as possible, eight users at once.
 *
 * @param {{ login: () => Promise<void> }} client
 * @param {number} most - Logins.
 * @param {number} longest - Milliseconds after which no more login starts.
 * @returns {Promise<number[]>} Milliseconds of each login.
 */
export async function logInRepeatedly(client, most, longest) {
  /** @type {number[]} */
  const durations = [];
  let left = most;
  const end = performance.now() + longest;
  const stop = () => {
    left = 0;
  };
  process.once('uncaughtException', stop);
  const worker = async () => {
    while (left > 0 && performance.now() < end) {
      left -= 1;
      const begin = performance.now();
      await client.login();
      durations.push(performance.now() - begin);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error) => {
      stop();
      throw error;
    }),
  );
  // Waits for all workers even if one fails: a login that goes on would disturb the next client.
  const outcomes = await Promise.allSettled(workers);
  process.off('uncaughtException', stop);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return durations;
}

/** @template Value @param {Promise<Value>} work @param {number} deadline - Milliseconds. @param {new (message: string) => Error} [Late] @returns {Promise<Value>} */
export async function inTime(work, deadline, Late = Error) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Late(`not finished after ${deadline / 1_000} seconds`)), deadline);
  });
  try {
    return /** @type {Value} */ (await Promise.race([work, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** An error in one line. @param {unknown} error */
export function failureText(error) {
  const { message, cause } = /** @type {{ message?: string, cause?: { code?: string } }} */ (error);
  const code = cause?.code ? ` (${cause.code})` : '';
  return `${message ?? String(error)}${code}`.split('\n')[0] ?? '';
}
