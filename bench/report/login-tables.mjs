// What logins cost.
import { FLOOR, OURS } from '../clients/index.mjs';
import { median, medianRatio } from '../rounds.mjs';
import { failed, number, table } from './table.mjs';

/**
 * By network, ours first, the floor last.
 *
 * @template {{ name: string, network: string }} Result
 * @param {Result[]} results
 * @returns {Result[]}
 */
function byNetwork(results) {
  const networks = [...new Set(results.map(({ network }) => network))];
  const rank = (/** @type {string} */ name) => (name === OURS ? 0 : name === FLOOR ? 2 : 1);
  return [...results].sort(
    (one, other) =>
      networks.indexOf(one.network) - networks.indexOf(other.network) || rank(one.name) - rank(other.name),
  );
}

/** @param {import('../logins/speed.mjs').SpeedResult[]} results */
export function speedTable(results) {
  const head = [
    'network',
    'client',
    'logins/s',
    'CPU µs',
    'CPU, floor = 1',
    'p50 ms',
    'p99 ms',
    'connections',
    'requests',
  ];
  const rows = byNetwork(results).map(({ name, network, failure, rounds }) => {
    if (failure !== undefined) return [network, name, ...failed(failure, 7)];
    const floor = results.find((one) => one.name === FLOOR && one.network === network)?.rounds ?? [];
    const of = (/** @type {keyof import('../logins/speed.mjs').SpeedFigures} */ figure) =>
      median(rounds.map((round) => round[figure]));
    const ratio = medianRatio(
      rounds.map(({ cpu }) => cpu),
      floor.map(({ cpu }) => cpu),
    );
    return [
      network,
      name,
      number(of('loginsPerSecond')),
      number(of('cpu')),
      number(ratio, 2),
      number(of('p50'), 1),
      number(of('p99'), 1),
      number(of('connections'), 2),
      number(of('requests'), 2),
    ];
  });
  return table(head, rows);
}

/** @param {import('../logins/latency.mjs').LatencyResult[]} results */
export function latencyTable(results) {
  const rows = byNetwork(results).map(({ name, network, failure, rounds }) => {
    if (failure !== undefined) return [network, name, ...failed(failure, 2)];
    return [
      network,
      name,
      number(median(rounds.map(({ cold }) => cold))),
      number(median(rounds.map(({ warm }) => warm))),
    ];
  });
  return table(['network', 'client', 'cold ms', 'warm ms'], rows);
}
