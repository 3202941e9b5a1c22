// @ts-check
import { availableParallelism } from 'node:os';
import { withCluster } from './parts.js';

/** Sizes of the clusters that are compared. */
const SIZES = [1, 2, 4];

/** @typedef {{ title: string, instances: number, logins: number, perSecond: number, processorTime: number }} Measurement */

/**
 * What a login costs the instances, and how many they manage, in clusters of each size.
 *
 * @param {import('./parts.js').Surroundings} surroundings
 * @param {import('./variants.js').Variant} variant
 * @param {import('./settings.js').Settings} settings
 * @returns {Promise<Measurement[]>}
 */
export async function measure(surroundings, variant, settings) {
  const measurements = [];
  for (const size of SIZES) {
    measurements.push(
      await withCluster(surroundings, variant, size, async ({ instances, visitors }) => {
        const { tally } = visitors;
        const until = (/** @type {number} */ logins) =>
          visitors.come(settings.visitors, () => tally.tried >= logins);
        // The engine compiles what ran often, so that the first thousands of logins of a process cost more than the next.
        await until(settings.logins * size);
        const before = { finished: tally.finished, processorTime: await instances.processorTime() };
        const began = performance.now();
        await until(settings.logins * size * 2);
        const seconds = (performance.now() - began) / 1_000;
        const logins = tally.finished - before.finished;
        if (tally.finished < tally.tried) throw new Error('A login failed, and nobody was killed.');
        return {
          title: variant.title,
          instances: size,
          logins,
          perSecond: logins / seconds,
          processorTime: ((await instances.processorTime()) - before.processorTime) / logins,
        };
      }),
    );
  }
  return measurements;
}

/** @param {readonly Measurement[]} measurements */
export function describeMeasurements(measurements) {
  const cores = availableParallelism();
  const lines = measurements.map(({ title, instances, logins, perSecond, processorTime }) => {
    const alone = measurements.find((other) => other.title === title && other.instances === 1);
    return [
      title.padEnd(41),
      String(instances).padStart(9),
      String(logins).padStart(7),
      perSecond.toFixed(1).padStart(9),
      times(perSecond, alone?.perSecond),
      `${processorTime.toFixed(2)} ms`.padStart(13),
      times(processorTime, alone?.processorTime),
    ].join('  ');
  });
  const head = `${''.padEnd(41)}  instances   logins  per second   times  CPU per login   times`;
  return `${cores} ${cores === 1 ? 'core' : 'cores'}, shared with balancer, databases, sandbox and visitors\n${head}\n${lines.join('\n')}`;
}

/** @param {number} figure @param {number} [alone] Of one instance */
function times(figure, alone = figure) {
  return (figure / alone).toFixed(2).padStart(6);
}
