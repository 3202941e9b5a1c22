// @ts-check

/** A mistake in the setup. The message is one line and says how to fix it. */
export class StartError extends Error {}

/**
 * Settings from the environment. All have defaults.
 *
 * @typedef {object} Settings
 * @property {'run' | 'measure'} mode
 * @property {number} instances Processes of the application
 * @property {number} seconds How long users log in, in each variant; longer if the kills are not done by then
 * @property {number} kills Processes to kill in each variant
 * @property {number} logins Logins to measure in each process, after as many for warm-up
 * @property {number} visitors Users who log in at the same time
 */

/**
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Settings}
 * @throws {StartError} for a value that cannot be used
 */
export function readSettings({ MODE = 'run', INSTANCES, SECONDS, KILLS, LOGINS, VISITORS }) {
  if (MODE !== 'run' && MODE !== 'measure') throw new StartError('MODE must be run or measure.');
  return {
    mode: MODE,
    // One must stay up while another is killed.
    instances: wholeNumber('INSTANCES', INSTANCES, 3, 2),
    seconds: wholeNumber('SECONDS', SECONDS, 20, 1),
    kills: wholeNumber('KILLS', KILLS, 5, 0),
    logins: wholeNumber('LOGINS', LOGINS, 1_500, 1),
    visitors: wholeNumber('VISITORS', VISITORS, 12, 1),
  };
}

/**
 * @param {string} name
 * @param {string | undefined} text
 * @param {number} defaultValue
 * @param {number} minimum
 */
function wholeNumber(name, text, defaultValue, minimum) {
  if (!text) return defaultValue;
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= minimum) return value;
  throw new StartError(`${name} must be a whole number of at least ${minimum}.`);
}
