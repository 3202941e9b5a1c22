// Statistics: what is compared is measured in turn, round after round, and compared within its round, so that a machine that
// is busy for a while is busy for all.

/** @param {number[]} values @param {number} share - 0.5 for the median. */
export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5);

/** The median of the ratios of each round. @param {number[]} ours @param {number[]} theirs */
export const medianRatio = (ours, theirs) =>
  median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));

/**
 * @template Subject, Figures
 * @typedef {object} Series
 * @property {Subject} subject
 * @property {Figures[]} rounds - Empty when it failed.
 * @property {string} [failure]
 */

/**
 * Measures every subject once in each round, and begins each round with another one. One failure, and a subject is out: it
 * has no figures.
 *
 * @template Subject, Figures
 * @param {Subject[]} subjects
 * @param {number} rounds
 * @param {(subject: Subject) => Promise<Figures>} measure
 * @param {() => Promise<unknown>} [check] - Asked after a failure: what it throws ends everything, because then no subject is
 *   to blame.
 * @returns {Promise<Series<Subject, Figures>[]>}
 */
export async function inRounds(subjects, rounds, measure, check) {
  /** @type {Series<Subject, Figures>[]} */
  const series = subjects.map((subject) => ({ subject, rounds: [] }));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % series.length;
    for (const one of [...series.slice(first), ...series.slice(0, first)]) {
      if (one.failure !== undefined) continue;
      try {
        one.rounds.push(await inTime(measure(one.subject)));
      } catch (error) {
        await check?.();
        one.failure = failureText(error);
        one.rounds = [];
      }
    }
  }
  return series;
}

/** A minute is many times what any of them takes: who has not ended then never will. */
const DEADLINE = 60_000;

/** @template Value @param {Promise<Value>} work @returns {Promise<Value>} */
async function inTime(work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${DEADLINE / 1_000} seconds`)), DEADLINE);
  });
  try {
    return /** @type {Value} */ (await Promise.race([work, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** What went wrong, in one line. @param {unknown} error */
export function failureText(error) {
  const { message, cause } = /** @type {{ message?: string, cause?: { code?: string } }} */ (error);
  const code = cause?.code ? ` (${cause.code})` : '';
  return `${message ?? String(error)}${code}`.split('\n')[0] ?? '';
}
