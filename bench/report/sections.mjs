// What stands between the markers of docs/performance.md.
import { FLOOR, OURS } from '../clients/index.mjs';
import { median, medianRatio } from '../rounds.mjs';
import { latencyTable, speedTable } from './login-tables.mjs';
import { failed, kilobytes, number, table } from './table.mjs';

/** @typedef {{ name: string, text: string }} Section - `name` is the marker's. */

/**
 * @param {import('./targets.mjs').Results} results
 * @param {import('./targets.mjs').Target[]} targets
 * @param {string} surroundings
 * @returns {Section[]}
 */
export function sectionsOf({ speed, latency, loading, flight, tabs }, targets, surroundings) {
  /** @param {string} part @param {string} text */
  const section = (part, text) => {
    const own = targets.filter((target) => target.part === part);
    const goals = own.length > 0 ? `\n\n${targetTable(own)}` : '';
    return { name: part, text: `${surroundings}\n\n${text}${goals}` };
  };
  return [
    ...(speed ? [section('speed', speedTable(speed))] : []),
    ...(latency ? [section('latency', latencyTable(latency))] : []),
    ...(loading
      ? [section('loading', `${loadTable(loading.loads)}\n\n${installTable(loading.installs)}`)]
      : []),
    ...(flight ? [section('flight', flightTable(flight))] : []),
    ...(tabs ? [section('tabs', tabTable(tabs))] : []),
  ];
}

/** @param {import('./targets.mjs').Target[]} targets */
function targetTable(targets) {
  const rows = targets.map(({ what, goal, measured, isMet }) => [
    what,
    goal,
    measured,
    isMet ? 'met' : '**missed**',
  ]);
  return [
    '| target | goal | measured | |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

/** @param {import('../package/loading.mjs').LoadResult[]} loads */
function loadTable(loads) {
  const base = loads[0]?.rounds.map(({ milliseconds }) => milliseconds) ?? [];
  const rows = loads.map(({ name, failure, rounds }) => {
    if (failure !== undefined) return [`\`${name}\``, ...failed(failure, 4)];
    const of = (/** @type {keyof import('../package/loading.mjs').LoadFigures} */ figure) =>
      rounds.map((round) => round[figure]);
    return [
      `\`${name}\``,
      number(median(of('milliseconds')), 1),
      number(medianRatio(of('milliseconds'), base), 2),
      kilobytes(median(of('heap'))),
      kilobytes(median(of('rss'))),
    ];
  });
  return table(['module', 'ms', 'passport-oauth2 = 1', 'heap kB', 'process kB'], rows);
}

/** @param {import('../package/installs.mjs').Install[]} installs */
function installTable(installs) {
  const rows = installs.map((one) => [
    one.name,
    one.version,
    number(one.packages),
    kilobytes(one.bytes),
    number(one.typePackages),
    kilobytes(one.typeBytes),
  ]);
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  const head = '| production install | version | packages | kB | packages of types | kB of types |';
  return [head, '| --- | --- | ---: | ---: | ---: | ---: |', ...lines].join('\n');
}

/** @param {import('../flight/flight.mjs').FlightResult[]} results */
function flightTable(results) {
  const rows = results.map(({ client, logins, failure, figures }) => {
    const name = client === 'ours' ? OURS : FLOOR;
    if (failure !== undefined || !figures)
      return [name, number(logins), ...failed(failure ?? 'no result', 5)];
    const { heap, rss, longest, finished, loginsPerSecond } = figures;
    // A few are less than what the process does anyway.
    const isMany = logins >= 1_000;
    return [
      name,
      number(logins),
      number(finished),
      isMany ? kilobytes(heap, 1) : '-',
      isMany ? kilobytes(rss, 1) : '-',
      number(longest),
      number(loginsPerSecond),
    ];
  });
  return table(
    [
      'client',
      'waiting at once',
      'ended well',
      'heap kB each',
      'process kB each',
      'longest stall ms',
      'logins/s',
    ],
    rows,
  );
}

/** @param {import('../flight/tabs.mjs').TabResult[]} results */
function tabTable(results) {
  const rows = results.flatMap(({ store, failure, figures }) => {
    if (failure !== undefined) return [[`\`${store}\``, ...failed(failure, 5)]];
    return figures.map(({ tabs, kept, bytes, save, take }) => [
      `\`${store}\``,
      number(tabs),
      number(kept),
      number(bytes),
      number(save),
      number(take),
    ]);
  });
  return table(['store', 'tabs', 'logins kept', 'bytes', 'keep µs', 'take µs'], rows);
}
