// The goals: what a user or an operator of the application could notice, each with its reason. The measured figures are this version's.
import { PASSPORT_PEERS } from '../clients/index.mjs';
import { BASE } from '../parts/loading.mjs';
import { differencesOf, median, valuesOf } from '../rounds.mjs';
import { OURS } from '../versions.mjs';
import { markdown, number } from './tables.mjs';

/** @typedef {import('../rounds.mjs').Row} Row */
/**
 * @typedef {object} Target
 * @property {string} what
 * @property {string} goal
 * @property {string} reason
 * @property {string | undefined} measured - Nothing if it was not measured, as in a quick run.
 * @property {boolean} isMet
 */

/** Milliseconds for one round trip to the network in the part `latency`. */
export const ROUND_TRIP = 50;
/** Milliseconds of a login beyond its round trips. */
const OWN_TIME = { cold: 20, warm: 10 };
/** Milliseconds. Smaller differences are the timers' and the scheduler's. */
const EQUAL = 5;
/** What the protocols need. Round trips: a cold login has two for TCP and TLS; VK ID asks for `profileFields` while it waits for the profile. */
const NEEDED = {
  requests: { 'microblog 1.0': 3, 'VK ID with profileFields': 3, others: 2 },
  coldConnections: { 'social-network': 2, 'VK ID with profileFields': 2, others: 1 },
  coldRoundTrips: { 'microblog 1.0': 5, others: 4 },
  warmConnections: { others: 0 },
  warmRoundTrips: { 'microblog 1.0': 3, others: 2 },
};
/** Logins waiting at once in the goals of the part `flight`. */
const WAITING = '10,000';

/** @param {string} part @param {import('./tables.mjs').Results} results @returns {string} In Markdown. */
export function targetText(part, results) {
  const targets = targetsOf(part, results);
  const rows = targets.map(({ what, goal, reason, measured, isMet }) => [
    what,
    goal,
    reason,
    measured ?? '-',
    measured === undefined ? 'not measured' : isMet ? 'met' : '**missed**',
  ]);
  return markdown(['target', 'goal', 'reason', 'measured', 'result'], rows, 5);
}

/** @param {string} part @param {import('./tables.mjs').Results} results @returns {Target[]} */
function targetsOf(
  part,
  { speed = [], latency = [], modules = [], installs = [], flight = [], tabs = [], pending = [] },
) {
  if (part === 'speed') return speedTargets(speed);
  if (part === 'latency') return latencyTargets(latency);
  if (part === 'loading') return loadingTargets(modules, installs);
  if (part === 'flight') return flightTargets(flight);
  return pendingTargets(tabs, pending);
}

/**
 * A goal for a single value.
 *
 * @param {Omit<Target, 'measured' | 'isMet'>} target
 * @param {Row | undefined} row - The row it was measured in.
 * @param {number} value
 * @param {number} limit
 * @param {(value: number) => string} show
 * @returns {Target}
 */
function atMost(target, row, value, limit, show) {
  if (!row) return { ...target, measured: undefined, isMet: false };
  if (row.failure !== undefined)
    return { ...target, measured: `${row.subject.join(', ')} failed`, isMet: false };
  return { ...target, measured: show(value), isMet: value <= limit };
}

/** The median of a figure. @param {Row | undefined} row @param {string} figure */
const of = (row, figure) => median(valuesOf(row, figure));

/** The median of the differences in each round. @param {Row} row @param {Row} other @param {string} figure */
const difference = (row, other, figure) =>
  median(differencesOf(valuesOf(row, figure), valuesOf(other, figure)));

/**
 * One goal for all networks or modules: the largest value decides, and its row is named.
 *
 * @param {Omit<Target, 'measured' | 'isMet'>} target
 * @param {Row[]} rows
 * @param {(row: Row) => number | undefined} figureOf - Nothing if the goal is not for this row.
 * @param {number} limit
 * @param {(value: number) => string} show
 */
function allAtMost(target, rows, figureOf, limit, show) {
  const failed = rows.find(({ failure }) => failure !== undefined);
  const values = rows.flatMap((row) => {
    const value = figureOf(row);
    return value === undefined || Number.isNaN(value) ? [] : [{ row, value }];
  });
  const [worst] = values.sort((one, other) => other.value - one.value);
  const row = failed ?? worst?.row;
  return atMost(target, row, worst?.value ?? Number.NaN, limit, (value) =>
    value === 0 ? show(value) : `${show(value)} (${row?.subject[0]})`,
  );
}

/** @param {Row[]} rows @returns {Target[]} */
function speedTargets(rows) {
  const target = {
    what: 'new connections of a login, eight at once',
    goal: 'none',
    reason: 'a handshake costs the user two round trips',
  };
  return [
    allAtMost(
      target,
      rows.filter(({ client }) => client === OURS),
      (row) => of(row, 'connections'),
      0.005,
      (value) => number(value, 2),
    ),
  ];
}

/** @param {Row[]} rows @returns {Target[]} */
function latencyTargets(rows) {
  const ours = rows.filter(({ client }) => client === OURS);
  /** @param {keyof typeof NEEDED} figure @param {string} what @param {string} reason */
  const needed = (figure, what, reason) => asNeeded(ours, figure, { what, reason });
  /** @param {'cold' | 'warm'} kind */
  const ownTime = (kind) => {
    const target = {
      what: `${kind} login: time beyond its round trips`,
      goal: `at most ${OWN_TIME[kind]} ms`,
      reason: 'far less than a user notices, but more than the noise of a busy machine',
    };
    const figureOf = (/** @type {Row} */ row) =>
      of(row, `${kind}Duration`) - ROUND_TRIP * neededBy(row, `${kind}RoundTrips`);
    return allAtMost(target, ours, figureOf, OWN_TIME[kind], milliseconds);
  };
  /** @param {'cold' | 'warm'} kind */
  const againstPeer = (kind) => {
    const target = {
      what: `${kind} login: time, compared with the Passport peer of the network`,
      goal: `at most ${EQUAL} ms slower`,
      reason: 'changing to this package must not make a login slower',
    };
    const figureOf = (/** @type {Row} */ row) => {
      const peer = rows.find(
        ({ subject, client }) =>
          subject[0] === row.subject[0] && client === PASSPORT_PEERS[row.subject[0] ?? ''],
      );
      return peer && difference(row, peer, `${kind}Duration`);
    };
    const show = (/** @type {number} */ value) =>
      value < 0 ? `${milliseconds(-value)} faster` : `${milliseconds(value)} slower`;
    return allAtMost(target, ours, figureOf, EQUAL, show);
  };
  return [
    needed('requests', 'requests of a login', 'each one can fail, and counts against the rate limits'),
    needed(
      'coldConnections',
      'cold login: connections',
      'one for each host; a handshake costs the network and the server',
    ),
    needed('coldRoundTrips', 'cold login: round trips', 'the user waits for each; two are for TCP and TLS'),
    needed('warmConnections', 'warm login: connections', 'a handshake costs the user two round trips'),
    needed('warmRoundTrips', 'warm login: round trips', 'the user waits for each'),
    ownTime('cold'),
    ownTime('warm'),
    againstPeer('cold'),
    againstPeer('warm'),
  ];
}

/** @param {Row} row @param {keyof typeof NEEDED} figure @returns {number} */
function neededBy({ subject: [network = ''] }, figure) {
  /** @type {Record<string, number>} */
  const needed = NEEDED[figure];
  return needed[network] ?? needed.others ?? 0;
}

/**
 * A goal of `NEEDED`. Goal and measured value are written in the same way: the usual value, then the networks that differ.
 *
 * @param {Row[]} rows
 * @param {keyof typeof NEEDED} figure
 * @param {{ what: string, reason: string }} target
 * @returns {Target}
 */
function asNeeded(rows, figure, target) {
  const failed = rows.find(({ failure }) => failure !== undefined);
  const usual = NEEDED[figure].others;
  const list = (/** @type {(row: Row) => number} */ figureOf) =>
    [
      `${usual}`,
      ...rows.flatMap((row) => (figureOf(row) === usual ? [] : [`${row.subject[0]}: ${figureOf(row)}`])),
    ].join('; ');
  const measured = failed ? `${failed.subject[0]} failed` : list((row) => of(row, figure));
  return {
    ...target,
    goal: list((row) => neededBy(row, figure)),
    measured: rows.length === 0 ? undefined : measured,
    isMet: !failed && rows.every((row) => of(row, figure) <= neededBy(row, figure)),
  };
}

/** @param {Row[]} modules @param {Row[]} installs @returns {Target[]} */
function loadingTargets(modules, installs) {
  const oauth2 = modules.find(({ client }) => client === 'passport-oauth2');
  const networks = modules.filter(
    ({ subject, client }) =>
      client === OURS && /\/(short-video|microblog|social-network)`$/.test(subject[0] ?? ''),
  );
  const ours = installs.find(({ client }) => client === OURS);
  const base = installs.find(({ client }) => client === BASE);
  return [
    allAtMost(
      {
        what: 'loading one network: time beyond passport-oauth2',
        goal: 'at most 10 ms',
        reason: 'a serverless function loads it again at each cold start, while a user waits',
      },
      networks,
      (row) => oauth2 && difference(row, oauth2, 'milliseconds'),
      10,
      milliseconds,
    ),
    atMost(
      {
        what: `packages that an install adds to ${BASE}`,
        goal: 'at most 3, and this one',
        reason: 'each one has to be trusted and updated',
      },
      ours,
      of(ours, 'packages') - of(base, 'packages') - 1,
      3,
      number,
    ),
    atMost(
      {
        what: `size that an install adds to ${BASE}, without types`,
        goal: 'at most 1 MB',
        reason: 'it is part of every image and every serverless bundle',
      },
      ours,
      (of(ours, 'bytes') - of(base, 'bytes')) / 1e6,
      1,
      (value) => `${number(value, 2)} MB`,
    ),
  ];
}

/** @param {Row[]} rows @returns {Target[]} */
function flightTargets(rows) {
  const row = rows.find(({ subject, client }) => subject[0] === WAITING && client === OURS);
  const waiting = `${WAITING} logins waiting`;
  return [
    atMost(
      {
        what: `${waiting}: heap of each`,
        goal: 'at most 20 kB',
        reason: 'a network that hangs must not use up the heap: 10,000 logins then take 200 MB',
      },
      row,
      of(row, 'heap') / 1e3,
      20,
      (value) => `${number(value, 1)} kB`,
    ),
    atMost(
      {
        what: `${waiting}: memory of the process for each`,
        goal: 'at most 80 kB',
        reason: '10,000 logins fit into 1 GB; most of it is TLS, one connection for each',
      },
      row,
      of(row, 'rss') / 1e3,
      80,
      (value) => `${number(value, 1)} kB`,
    ),
    atMost(
      {
        what: `${waiting}: longest stall of the event loop`,
        goal: 'at most 100 ms',
        reason: 'every other request of the process waits that long; more than 100 ms is noticed',
      },
      row,
      of(row, 'longest'),
      100,
      milliseconds,
    ),
    atMost(
      { what: `${waiting}: logins that fail`, goal: 'none', reason: 'a user would have to start again' },
      row,
      Number(WAITING.replace(',', '')) - of(row, 'finished'),
      0,
      number,
    ),
  ];
}

/** @param {Row[]} tabs @param {Row[]} pending @returns {Target[]} */
function pendingTargets(tabs, pending) {
  /** @param {Row[]} rows @param {string} store @param {string} [count] */
  const find = (rows, store, count) =>
    rows.find(
      ({ subject, client }) =>
        client === OURS && subject[0]?.includes(store) && (count === undefined || subject[1] === count),
    );
  const [session, cookies] = [find(tabs, 'sessionLogins', '1'), find(tabs, 'cookieLogins', '20')];
  const [inMemory, inCookies] = [find(pending, 'sessionLogins'), find(pending, 'cookieLogins')];
  const bytes = (/** @type {number} */ value) => `${number(value)} bytes`;
  return [
    atMost(
      {
        what: 'a pending login in the session',
        goal: 'at most 500 bytes',
        reason: 'sessions are read and written at every request',
      },
      session,
      of(session, 'bytes'),
      500,
      bytes,
    ),
    atMost(
      {
        what: '`Cookie` header with 20 pending logins, the most there can be',
        goal: 'at most 7,500 bytes',
        reason: 'nginx rejects a header line over 8,192 bytes, and the application has cookies too',
      },
      cookies,
      of(cookies, 'bytes'),
      7_500,
      bytes,
    ),
    atMost(
      {
        what: 'memory of a pending login, the sessions kept in memory',
        goal: 'at most 1,000 bytes',
        reason: 'anybody can start logins: 10,000 take 10 MB until the sessions expire',
      },
      inMemory,
      of(inMemory, 'heap'),
      1_000,
      bytes,
    ),
    atMost(
      {
        what: 'memory of a pending login in a cookie',
        goal: 'at most 100 bytes',
        reason: 'the browser keeps it; the heap varies by that much without it',
      },
      inCookies,
      of(inCookies, 'heap'),
      100,
      bytes,
    ),
  ];
}

const milliseconds = (/** @type {number} */ value) => `${number(value, 1)} ms`;
