// @ts-check

/** Something that the person who starts this has to mend. The message is one line and names the remedy. */
export class StartError extends Error {}

/**
 * What the environment decides. Everything has a default.
 *
 * @typedef {object} Settings
 * @property {'run' | 'measure'} mode
 * @property {number} instances How many processes of the application
 * @property {number} seconds How long people log in, in each variant; until the kills are done, if they take longer
 * @property {number} kills So many, in each variant
 * @property {number} logins How many logins of each process are measured, after as many that are not
 * @property {number} visitors How many people log in at the same time
 */

/**
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Settings}
 * @throws {StartError} for a value that cannot be used
 */
export function readSettings({ MODE = 'run', INSTANCES, SECONDS, KILLS, LOGINS, VISITORS }) {
  if (MODE !== 'run' && MODE !== 'measure') throw new StartError('MODE takes run or measure.');
  return {
    mode: MODE,
    // One has to be there while another one is killed.
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
 * @param {number} otherwise
 * @param {number} least
 */
function wholeNumber(name, text, otherwise, least) {
  if (!text) return otherwise;
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= least) return value;
  throw new StartError(`${name} takes a whole number from ${least} on.`);
}
