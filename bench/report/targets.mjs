// What we want of ourselves, as ratios within one run wherever there is something to compare with.
import { OURS } from '../clients/index.mjs';
import { BASE } from '../package/installs.mjs';
import { medianRatio } from '../rounds.mjs';
import { latencyTargets, speedTargets } from './login-targets.mjs';
import { milliseconds, target, times } from './target.mjs';

/** @typedef {import('./target.mjs').Target} Target */
/**
 * @typedef {object} Results - Of the parts that ran.
 * @property {import('../logins/speed.mjs').SpeedResult[]} [speed]
 * @property {import('../logins/latency.mjs').LatencyResult[]} [latency]
 * @property {{ installs: import('../package/installs.mjs').Install[], loads: import('../package/loading.mjs').LoadResult[] }} [loading]
 * @property {import('../flight/flight.mjs').FlightResult[]} [flight]
 * @property {import('../flight/tabs.mjs').TabResult[]} [tabs]
 */

/** @param {Results} results @returns {Target[]} */
export function targetsOf({ speed, latency, loading, flight }) {
  return [
    ...(speed ? speedTargets(speed) : []),
    ...(latency ? latencyTargets(latency) : []),
    ...(loading ? loadingTargets(loading) : []),
    ...(flight ? flightTargets(flight) : []),
  ];
}

/** @param {NonNullable<Results['loading']>} results @returns {Target[]} */
function loadingTargets({ installs, loads }) {
  const load = (/** @type {string} */ name) =>
    loads
      .find((one) => one.name === name && one.rounds.length > 0)
      ?.rounds.map((round) => round.milliseconds);
  const [shortVideo, oauth2] = [load(`${OURS}/short-video`), load('passport-oauth2')];
  const [ours, base] = [OURS, BASE].map((name) => installs.find((one) => one.name === name));
  // Ourselves we do not count: somebody asked for that one.
  const packages = ours && base && ours.packages - base.packages - 1;
  const bytes = ours && base && (ours.bytes - base.bytes) / 1e6;
  return [
    target(
      'loading',
      'loading short-video, against passport-oauth2',
      'at most 1.15x',
      shortVideo && oauth2 && medianRatio(shortVideo, oauth2),
      (value) => value <= 1.15,
      times,
    ),
    target(
      'loading',
      `packages that an install adds to ${BASE}, beside ours`,
      'at most 3',
      packages,
      (value) => value <= 3,
      String,
    ),
    target(
      'loading',
      `what an install adds to ${BASE}, without types`,
      'at most 1 MB',
      bytes,
      (value) => value <= 1,
      (value) => `${value.toFixed(2)} MB`,
    ),
  ];
}

/** @param {import('../flight/flight.mjs').FlightResult[]} results @returns {Target[]} */
function flightTargets(results) {
  const figures = results.find(({ client, logins }) => client === 'ours' && logins === 10_000)?.figures;
  return [
    target(
      'flight',
      '10,000 logins waiting: memory of each',
      'at most 20 kB',
      figures && figures.heap / 1e3,
      (value) => value <= 20,
      (value) => `${value.toFixed(1)} kB`,
    ),
    target(
      'flight',
      '10,000 logins: longest stall of the event loop',
      'at most 100 ms',
      figures?.longest,
      (value) => value <= 100,
      milliseconds,
    ),
    target(
      'flight',
      '10,000 logins: those that end well',
      '10,000',
      figures?.finished,
      (value) => value === 10_000,
      String,
    ),
  ];
}
