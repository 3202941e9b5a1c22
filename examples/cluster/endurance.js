// @ts-check
import { withCluster } from './infrastructure.js';
import { pause } from './ports.js';

/** @typedef {import('./visitors.js').Tally & { title: string, kills: number, seconds: number }} Endurance */

/**
 * Kills instances while users log in.
 *
 * @param {import('./infrastructure.js').Infrastructure} infrastructure
 * @param {import('./variants.js').Variant} variant
 * @param {import('./settings.js').Settings} settings
 * @returns {Promise<Endurance>}
 */
export function endure(infrastructure, variant, settings) {
  return withCluster(infrastructure, variant, settings.instances, async ({ instances, visitors }) => {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    const isDone = () => seconds() >= settings.seconds && instances.kills >= settings.kills;
    const logins = visitors.run(settings.visitors, isDone);
    // One more interval than kills, so that the last kill also hits logins in progress.
    const interval = (settings.seconds * 1_000) / (settings.kills + 1);
    while (instances.kills < settings.kills) {
      await pause(interval);
      // On a busy machine, the instance killed last may still be restarting.
      while (visitors.inProgress === 0 || !instances.killOne()) await pause(50);
    }
    await logins;
    await instances.allRestarted();
    return { title: variant.title, kills: instances.kills, seconds: seconds(), ...visitors.tally };
  });
}

/** @param {Endurance} result */
export function describeEndurance({ title, kills, seconds, errors, losses, ...tally }) {
  const causes = Object.entries(errors).map(([cause, count]) => `${count} times ${cause}`);
  return [
    `${title}: ${kills} kills in ${seconds.toFixed(1)} s`,
    `  logins tried  ${tally.tried}`,
    `  finished      ${tally.finished}`,
    `  retried       ${tally.retried}${causes.length > 0 ? ` (${causes.join(', ')})` : ''}`,
    `  lost          ${tally.lost}`,
    ...losses.map((loss) => `    ${loss}`),
    `  wrong user    ${tally.wrongUser}`,
  ].join('\n');
}
