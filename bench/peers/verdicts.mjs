/**
 * What became of one question to one subject. `dies`: its process ended; `hangs`: a browser was never answered.
 *
 * @typedef {'pass' | 'fail' | 'dies' | 'hangs' | 'n/a'} Mark
 * @typedef {Readonly<{ verdict: Mark, evidence: string }>} Verdict
 */

/** @param {string} evidence @returns {Verdict} */
export const pass = (evidence) => ({ verdict: 'pass', evidence });

/** @param {string} evidence @returns {Verdict} */
export const fail = (evidence) => ({ verdict: 'fail', evidence });

/** @param {string} evidence @returns {Verdict} */
export const notApplicable = (evidence) => ({ verdict: 'n/a', evidence });

/** A subject cannot even do what the question takes for granted. */
export class Unfit extends Error {}

/** @param {Verdict} verdict @returns {Verdict} */
export function oneLine({ verdict, evidence }) {
  // Ports change from run to run.
  const clean = evidence
    .replace(/127\.0\.0\.1(:|%3A)\d+/g, '127.0.0.1')
    .replace(/\s+/g, ' ')
    .trim();
  return { verdict, evidence: clean.length > 300 ? `${clean.slice(0, 297)}...` : clean };
}
