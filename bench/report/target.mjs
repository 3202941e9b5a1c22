// One thing that we want of ourselves, and whether a run had it.

/** @typedef {{ part: string, what: string, goal: string, measured: string, isMet: boolean }} Target */

/**
 * @param {string} part
 * @param {string} what
 * @param {string} goal
 * @param {number | undefined} value - Nothing where there was no figure.
 * @param {(value: number) => boolean} isMet
 * @param {(value: number) => string} show
 * @returns {Target}
 */
export function target(part, what, goal, value, isMet, show) {
  const isThere = value !== undefined && !Number.isNaN(value);
  return {
    part,
    what,
    goal,
    measured: isThere ? show(value) : 'no figure',
    isMet: isThere && isMet(value),
  };
}

export const times = (/** @type {number} */ ratio) => `${ratio.toFixed(2)}x`;
export const milliseconds = (/** @type {number} */ value) => `${value.toFixed(1)} ms`;
