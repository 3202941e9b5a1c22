// @ts-check
import { withCluster } from './parts.js';
import { pause } from './ports.js';

/** @typedef {import('./visitors.js').Tally & { title: string, kills: number, seconds: number }} Endurance */

/**
 * Kills instances while people log in.
 *
 * @param {import('./parts.js').Surroundings} surroundings
 * @param {import('./variants.js').Variant} variant
 * @param {import('./settings.js').Settings} settings
 * @returns {Promise<Endurance>}
 */
export function endure(surroundings, variant, settings) {
  return withCluster(surroundings, variant, settings.instances, async ({ instances, visitors }) => {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    const isEnough = () => seconds() >= settings.seconds && instances.kills >= settings.kills;
    const logins = visitors.come(settings.visitors, isEnough);
    // One more interval than kills, so that the last one hits logins, too.
    const interval = (settings.seconds * 1_000) / (settings.kills + 1);
    while (instances.kills < settings.kills) {
      await pause(interval);
      // On a busy machine the one that was killed may still be on its way back.
      while (visitors.underWay === 0 || !instances.killOne()) await pause(50);
    }
    await logins;
    await instances.recovered();
    return { title: variant.title, kills: instances.kills, seconds: seconds(), ...visitors.tally };
  });
}

/** @param {Endurance} result */
export function describeEndurance({ title, kills, seconds, errors, losses, ...tally }) {
  const answers = Object.entries(errors).map(([answer, count]) => `${count} times ${answer}`);
  return [
    `${title}: ${kills} kills in ${seconds.toFixed(1)} s`,
    `  logins tried  ${tally.tried}`,
    `  finished      ${tally.finished}`,
    `  retried       ${tally.retried}${answers.length > 0 ? ` (${answers.join(', ')})` : ''}`,
    `  lost          ${tally.lost}`,
    ...losses.map((loss) => `    ${loss}`),
    `  wrong person  ${tally.wrongPerson}`,
  ].join('\n');
}
