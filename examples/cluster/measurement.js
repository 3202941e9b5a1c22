// @ts-check
import { availableParallelism } from 'node:os';
import { withCluster } from './infrastructure.js';

/** Cluster sizes to compare. */
const SIZES = [1, 2, 4];

/** @typedef {{ title: string, instances: number, logins: number, perSecond: number, cpuTime: number }} Measurement */

/**
 * Measures the CPU time per login and the logins per second for each cluster size.
 *
 * @param {import('./infrastructure.js').Infrastructure} infrastructure
 * @param {import('./variants.js').Variant} variant
 * @param {import('./settings.js').Settings} settings
 * @returns {Promise<Measurement[]>}
 */
export async function measure(infrastructure, variant, settings) {
  const measurements = [];
  for (const size of SIZES) {
    measurements.push(
      await withCluster(infrastructure, variant, size, async ({ instances, visitors }) => {
        const { tally } = visitors;
        const runUntil = (/** @type {number} */ logins) =>
          visitors.run(settings.visitors, () => tally.tried >= logins);
        // Warm-up: the first thousands of logins cost more, until the engine has compiled the hot code.
        await runUntil(settings.logins * size);
        const before = { finished: tally.finished, cpuTime: await instances.cpuTime() };
        const began = performance.now();
        await runUntil(settings.logins * size * 2);
        const seconds = (performance.now() - began) / 1_000;
        const logins = tally.finished - before.finished;
        if (tally.finished < tally.tried) throw new Error('A login failed, although no instance was killed.');
        return {
          title: variant.title,
          instances: size,
          logins,
          perSecond: logins / seconds,
          cpuTime: ((await instances.cpuTime()) - before.cpuTime) / logins,
        };
      }),
    );
  }
  return measurements;
}

/** @param {readonly Measurement[]} measurements */
export function describeMeasurements(measurements) {
  const cores = availableParallelism();
  const lines = measurements.map(({ title, instances, logins, perSecond, cpuTime }) => {
    const single = measurements.find((other) => other.title === title && other.instances === 1);
    return [
      title.padEnd(41),
      String(instances).padStart(9),
      String(logins).padStart(7),
      perSecond.toFixed(1).padStart(9),
      times(perSecond, single?.perSecond),
      `${cpuTime.toFixed(2)} ms`.padStart(13),
      times(cpuTime, single?.cpuTime),
    ].join('  ');
  });
  const head = `${''.padEnd(41)}  instances   logins  per second   times  CPU per login   times`;
  return `${cores} ${cores === 1 ? 'core' : 'cores'}, shared with balancer, databases, sandbox and visitors\n${head}\n${lines.join('\n')}`;
}

/** @param {number} figure @param {number} [single] The figure of a single instance */
function times(figure, single = figure) {
  return (figure / single).toFixed(2).padStart(6);
}
