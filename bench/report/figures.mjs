// What each part measures: the columns of its tables, and the figures for its goals.
import { PASSPORT_PEERS } from '../clients/strategies.mjs';
import { CALLBACKS } from '../parts/deployed.mjs';
import { differencesOf, median, ratioOf, valuesOf } from '../rounds.mjs';
import { OURS } from '../versions.mjs';

/** @typedef {import('../rounds.mjs').Row} Row */
/** @typedef {Record<string, Row[]>} Results - Rows by part, of the parts that ran. */
/**
 * @typedef {object} Column
 * @property {string} head
 * @property {string} figure - Name of the figure in a row's rounds.
 * @property {number} [digits] - After the decimal point. Default: 0.
 * @property {number} [divisor] - For example 1,000 to show bytes as kB.
 * @property {boolean} [isMean] - Shows the mean of the rounds with its error, and ratios of means, not medians.
 * @property {(row: Row, other: Row) => boolean} [relativeTo] - Shows the ratio to the row for which it returns true, not the figure itself.
 */
/** `labels`: heads of the leading columns, those of a row's subject, and `client` if the table has such a column. @typedef {{ labels: string[], columns: Column[] }} Table */
/**
 * @typedef {object} Target - What is measured for a goal. The goal itself, its limit and its reason are in bench/README.md, in the same order.
 * @property {Row[]} rows - All that the goal needs, also those that others are compared with. If any row failed, it was not measured.
 * @property {(row: Row) => number | undefined} value - The largest one decides. Nothing if the goal is not for this row.
 * @property {number} [digits]
 * @property {(row: Row) => number} [error] - Of the value: a figure within its error is not called better or worse.
 */

/** Milliseconds for one round trip to the network in the part `latency`. */
export const ROUND_TRIP = 50;
/** Logins waiting at once in the goals of the part `flight`. */
const WAITING = 10_000;

/** @param {Row} row @param {Row} other */
const isPeer = ({ subject: [network = ''] }, other) =>
  other.subject[0] === network && other.client === PASSPORT_PEERS[network];
const besidePeer = { digits: 2, relativeTo: isPeer };

/** @param {string} head @param {string} figure @param {Omit<Column, 'head' | 'figure'>} [more] @returns {Column} */
const column = (head, figure, more = {}) => ({ head, figure, ...more });

/** @param {string} labels @param {Column[]} columns @returns {Table} */
const table = (labels, columns) => ({ labels: labels.split(', '), columns });

/** By part. @type {Readonly<Record<string, Table>>} */
export const TABLES = {
  deployed: table('network, client', [
    column('Redis commands', 'commands', { digits: 1 }),
    ...['get', 'set', 'expire', 'del'].map((name) => column(name.toUpperCase(), name, { digits: 1 })),
    column('warming up, CPU µs', 'warmingUp', { isMean: true }),
    column('CPU µs', 'cpu', { isMean: true }),
    column('peer = 1', 'cpu', { ...besidePeer, isMean: true }),
  ]),
  anonymous: table(
    'network',
    Object.keys(CALLBACKS).map((name) => column(name, name, { digits: 2, divisor: 1e3 })),
  ),
  latency: table('network, client', [
    column('requests', 'requests'),
    ...['cold', 'warm'].flatMap((kind) => [
      column(`${kind} connections`, `${kind}Connections`),
      column(`${kind} round trips`, `${kind}RoundTrips`),
      column(`${kind} ms`, `${kind}Duration`),
    ]),
  ]),
  loading: table('module', [
    column('ms', 'milliseconds', { digits: 1 }),
    column('passport-oauth2 = 1', 'milliseconds', {
      digits: 2,
      relativeTo: (_row, other) => other.client === 'passport-oauth2',
    }),
    column('heap kB', 'heap', { divisor: 1e3 }),
    column('process kB', 'rss', { divisor: 1e3 }),
  ]),
  flight: table('waiting at once, client', [
    column('succeeded', 'finished'),
    column('heap kB each', 'heap', { digits: 1, divisor: 1e3 }),
    column('process kB each', 'rss', { digits: 1, divisor: 1e3 }),
    column('longest stall ms', 'longest'),
    column('logins/s', 'loginsPerSecond'),
  ]),
};

/** The median of a figure. @param {Row | undefined} row @param {string} figure */
const of = (row, figure) => median(valuesOf(row, figure));

/** The median of the differences in each round. @param {Row} row @param {Row} other @param {string} figure */
const difference = (row, other, figure) =>
  median(differencesOf(valuesOf(row, figure), valuesOf(other, figure)));

/** This package's rows. @param {Row[]} [rows] */
const ours = (rows = []) => rows.filter(({ client }) => client === OURS);

/** A figure of this package's rows. @param {Row[]} rows @param {string} figure @param {{ digits?: number, divisor?: number }} [more] @returns {Target} */
const figureOf = (rows, figure, { digits = 0, divisor = 1 } = {}) => ({
  rows: ours(rows),
  value: (row) => of(row, figure) / divisor,
  digits,
});

/** The CPU of a login, beside the Passport strategy of another package for the same network: OAuth 2.0, and OAuth 1.0a, whose peer is much slower. @param {Row[]} rows @returns {Target[]} */
function cpuTargets(rows) {
  const ratio = (/** @type {Row} */ row) => {
    const peer = rows.find((other) => isPeer(row, other));
    return row.client === OURS && peer ? ratioOf(valuesOf(row, 'cpu'), valuesOf(peer, 'cpu')) : undefined;
  };
  return [false, true].map((isOAuth1) => ({
    rows: rows.filter(({ subject }) => isOAuth1 === (subject[0] === 'microblog 1.0')),
    value: (row) => ratio(row)?.mean,
    error: (row) => ratio(row)?.error ?? Number.NaN,
    digits: 2,
  }));
}

/** @param {Row[]} rows @returns {Target[]} */
function latencyTargets(rows) {
  const peers = rows.filter((row) => isPeer(row, row));
  const counts = ['requests', 'coldConnections', 'coldRoundTrips', 'warmConnections', 'warmRoundTrips'];
  /** @type {Target[]} */
  const beyond = ['cold', 'warm'].map((kind) => ({
    rows: ours(rows),
    value: (row) => of(row, `${kind}Duration`) - ROUND_TRIP * of(row, `${kind}RoundTrips`),
    digits: 1,
  }));
  /** @type {Target[]} */
  const besidePeers = ['cold', 'warm'].map((kind) => ({
    rows: [...ours(rows), ...peers],
    value(row) {
      const peer = peers.find((other) => isPeer(row, other));
      return peer && peer !== row ? difference(row, peer, `${kind}Duration`) : undefined;
    },
    digits: 1,
  }));
  return [...counts.map((figure) => figureOf(rows, figure)), ...beyond, ...besidePeers];
}

/** @param {Row[]} rows @returns {Target[]} */
function loadingTargets(rows) {
  const oauth2 = rows.find(({ client }) => client === 'passport-oauth2');
  const networks = ours(rows).filter(({ subject: [name = ''] }) => /(video|microblog|network)`$/.test(name));
  return [
    {
      rows: oauth2 ? [...networks, oauth2] : [],
      value: (row) => (oauth2 && row !== oauth2 ? difference(row, oauth2, 'milliseconds') : undefined),
      digits: 1,
    },
  ];
}

/** In the order of the page. @param {string} part @param {Row[]} rows @returns {Target[]} */
export function targetsOf(part, rows) {
  if (part === 'latency') return latencyTargets(rows);
  if (part === 'loading') return loadingTargets(rows);
  if (part === 'deployed') return [figureOf(rows, 'commands', { digits: 1 }), ...cpuTargets(rows)];
  if (part === 'anonymous') {
    const most = (/** @type {Row} */ row) => Math.max(...Object.keys(CALLBACKS).map((name) => of(row, name)));
    return [{ rows: ours(rows), value: (row) => most(row) / 1e3, digits: 2 }];
  }
  const waiting = rows.filter(({ subject }) => subject[0] === WAITING.toLocaleString('en-US'));
  const kilobytes = { digits: 1, divisor: 1e3 };
  return [
    figureOf(waiting, 'heap', kilobytes),
    figureOf(waiting, 'rss', kilobytes),
    figureOf(waiting, 'longest'),
    { rows: ours(waiting), value: (row) => WAITING - of(row, 'finished') },
  ];
}
