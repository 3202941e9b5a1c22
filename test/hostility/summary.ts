import type { Figures } from './figures.js';

/** Prints the counts. */
export function printSummary(figures: Readonly<Figures>, milliseconds: number): void {
  const rows: [string, string | number][] = [
    ['generated responses', figures.responses],
    ['generated callbacks', figures.callbacks],
    ['interleavings', `${figures.interleavings} of ${figures.steps} requests`],
    ['option sets', `${figures.optionSets}, ${figures.starts} of them usable`],
    ['interleavings over two processes', figures.processes],
    ['callbacks by another method, or in advance', figures.methods],
    ['interleavings with copied sessions and links', `${figures.browsers}, ${figures.links} accounts linked`],
    ['logins after a response that nobody asked for', figures.strays],
    ['logins whose response was read after its deadline', figures.deadlines],
    ['successful logins', figures.logins],
    ['crashes', figures.crashes],
    ['hangs', figures.hangs],
    ['leaks', figures.leaks],
    ['wrong users', figures.wrongUsers],
    ['wrong outcomes', figures.wrongOutcomes],
    ['honest logins that timed out on a busy machine', figures.late],
    ['sockets left', figures.socketsLeft],
    ['seconds', (milliseconds / 1_000).toFixed(0)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
}
