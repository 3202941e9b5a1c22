import type { Extremes } from './extremes/extremes.js';
import type { Figures } from './figures.js';

/** Prints what was counted and measured. */
export function printSummary(figures: Readonly<Figures>, extremes: Extremes, milliseconds: number): void {
  const { gigabytes, hung } = extremes;
  const rows: [string, string | number][] = [
    ['generated answers', figures.answers],
    ['generated callbacks', figures.callbacks],
    ['interleavings', `${figures.interleavings} of ${figures.steps} requests`],
    ['sets of options', `${figures.optionSets}, ${figures.starts} of them usable`],
    ['logins that ended with a person', figures.logins],
    ['crashes', figures.crashes],
    ['hangs', figures.hangs],
    ['leaks', figures.leaks],
    ['wrong persons', figures.wrongPersons],
    ['wrong outcomes', figures.wrongOutcomes],
    ['honest logins too late on a busy machine', figures.late],
    ...gigabytes.map(({ form, megabytes, sentMegabytes }): [string, string] => [
      `memory of a 1 GB answer, ${form}`,
      `${megabytes.toFixed(1)} MB, refused after ${sentMegabytes.toFixed(1)} MB`,
    ]),
    ['hung answers ended', `${hung.ended} of ${hung.asked}, the last after ${hung.milliseconds} ms`],
    ['sockets left', figures.socketsLeft + hung.socketsLeft],
    ['seconds', (milliseconds / 1_000).toFixed(0)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
}
