// What we want of logins.
import { FLOOR, OURS } from '../clients/index.mjs';
import { ROUND_TRIP } from '../logins/latency.mjs';
import { median, medianRatio } from '../rounds.mjs';
import { milliseconds, target, times } from './target.mjs';

/** @typedef {import('./target.mjs').Target} Target */

const OAUTH2 = ['short-video', 'microblog 2.0', 'social-network', 'VK ID', 'VK ID with profileFields'];
/** Two answers in a row, or three, and as much as a busy machine may add. */
const WARM = { 'OAuth 2.0': 105, 'OAuth 1.0a': 158 };
/** Milliseconds within which two logins are equally slow: timers and schedulers are no finer. */
const EQUALLY_SLOW = 2;

/**
 * @template {{ name: string, network: string, rounds: object[], failure?: string }} Result
 * @param {Result[]} results
 * @param {string} name
 * @param {string} network
 * @returns {Result | undefined} Nothing where it failed.
 */
const find = (results, name, network) =>
  results.find((one) => one.name === name && one.network === network && one.rounds.length > 0);

/** @param {import('../logins/speed.mjs').SpeedResult[]} results @returns {Target[]} */
export function speedTargets(results) {
  const ours = (/** @type {string} */ network) => find(results, OURS, network);
  /** @param {string} network @param {string} other @param {'cpu' | 'loginsPerSecond'} figure */
  const ratio = (network, other, figure) => {
    const [one, two] = [ours(network), find(results, other, network)];
    return (
      one &&
      two &&
      medianRatio(
        one.rounds.map((round) => round[figure]),
        two.rounds.map((round) => round[figure]),
      )
    );
  };
  const peersOf = (/** @type {string} */ network) =>
    results.filter(
      (one) => one.network === network && ![OURS, FLOOR].includes(one.name) && one.rounds.length > 0,
    );
  const fastest = (/** @type {string} */ network) =>
    peersOf(network)
      .map(({ name, rounds }) => ({
        name,
        speed: median(rounds.map(({ loginsPerSecond }) => loginsPerSecond)),
      }))
      .sort((one, other) => other.speed - one.speed)[0]?.name;
  const connections = ours('microblog 1.0')?.rounds.map((round) => round.connections);
  return [
    ...OAUTH2.map((network) =>
      target(
        'speed',
        `${network}: CPU of a login, against the floor`,
        'at most 1.3x',
        ratio(network, FLOOR, 'cpu'),
        (value) => value <= 1.3,
        times,
      ),
    ),
    ...OAUTH2.slice(0, 3).map((network) => {
      const peer = fastest(network);
      const value = peer === undefined ? undefined : ratio(network, peer, 'loginsPerSecond');
      return target(
        'speed',
        `${network}: logins per second, against ${peer ?? 'the fastest peer'}`,
        'at least 1x',
        value,
        (value) => value >= 1,
        times,
      );
    }),
    target(
      'speed',
      'microblog 1.0: logins per second, against passport-twitter',
      'at least 10x',
      ratio('microblog 1.0', 'passport-twitter', 'loginsPerSecond'),
      (value) => value >= 10,
      times,
    ),
    target(
      'speed',
      'microblog 1.0: connections of a warm login',
      '0.00',
      connections && median(connections),
      (value) => value < 0.005,
      (value) => value.toFixed(2),
    ),
  ];
}

/** @param {import('../logins/latency.mjs').LatencyResult[]} results @returns {Target[]} */
export function latencyTargets(results) {
  /** @param {string} network @param {'cold' | 'warm'} figure */
  const rounds = (network, figure, name = OURS) =>
    find(results, name, network)?.rounds.map((round) => round[figure]);
  const warm = (/** @type {string} */ network, /** @type {number} */ limit) => {
    const values = rounds(network, 'warm');
    return target(
      'latency',
      `${network}: a warm login`,
      `at most ${limit} ms`,
      values && median(values),
      (value) => value <= limit,
      milliseconds,
    );
  };
  /** How much slower the first is. @param {number[] | undefined} one @param {number[] | undefined} other */
  const difference = (one, other) =>
    one && other && median(one.map((value, round) => value - (other[round] ?? Number.NaN)));
  const gained = difference(
    rounds('social-network', 'cold', 'passport-vkontakte'),
    rounds('social-network', 'cold'),
  );
  return [
    ...OAUTH2.map((network) => warm(network, WARM['OAuth 2.0'])),
    warm('microblog 1.0', WARM['OAuth 1.0a']),
    .../** @type {const} */ (['warm', 'cold']).map((figure) =>
      target(
        'latency',
        `VK ID: what profileFields add to a ${figure} login`,
        `nothing, within ${EQUALLY_SLOW} ms`,
        difference(rounds('VK ID with profileFields', figure), rounds('VK ID', figure)),
        (value) => value <= EQUALLY_SLOW,
        milliseconds,
      ),
    ),
    target(
      'latency',
      'social-network: a cold login, faster than passport-vkontakte by',
      `at least ${ROUND_TRIP} ms`,
      gained,
      (value) => value >= ROUND_TRIP,
      milliseconds,
    ),
  ];
}
