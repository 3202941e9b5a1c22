// The goals: what a user or an operator of the application could notice, each with its reason. The measured figures are this version's.
import { PASSPORT_PEERS } from '../clients/index.mjs';
import { BASE } from '../parts/loading.mjs';
import { differencesOf, median, ratiosOf, valuesOf } from '../rounds.mjs';
import { BASELINE, OURS } from '../versions.mjs';
import { CALLBACKS, markdown, number } from './tables.mjs';

/** @typedef {import('../rounds.mjs').Row} Row */
/**
 * @typedef {object} Goal
 * @property {string} what
 * @property {string} goal
 * @property {string} reason
 */
/**
 * @typedef {object} Measured
 * @property {string} [measured] - Nothing if the part did not measure it, as in a quick run; which client failed, if one did.
 * @property {boolean} [isMet] - Only if it was measured, with every client that the goal needs.
 */
/** @typedef {Goal & Measured} Target */

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
    isMet === undefined ? 'not measured' : isMet ? 'met' : '**missed**',
  ]);
  return markdown(['target', 'goal', 'reason', 'measured', 'result'], rows, 5);
}

/** @param {string} part @param {import('./tables.mjs').Results} results @returns {Target[]} */
function targetsOf(part, { modules = [], installs = [], tabs = [], pending = [], ...results }) {
  const rows = (results[part] ?? []).filter(({ client }) => client !== BASELINE);
  if (part === 'deployed') return deployedTargets(rows);
  if (part === 'speed') return speedTargets(rows);
  if (part === 'anonymous') return anonymousTargets(rows);
  if (part === 'latency') return latencyTargets(rows);
  if (part === 'loading') return loadingTargets(modules, installs);
  if (part === 'flight') return flightTargets(rows);
  return pendingTargets(tabs, pending);
}

/**
 * A goal for a single value.
 *
 * @param {Goal} goal
 * @param {Row | undefined} row - The row it was measured in.
 * @param {number} value
 * @param {number} limit
 * @param {(value: number) => string} show
 * @returns {Target}
 */
function atMost(goal, row, value, limit, show) {
  if (!row) return goal;
  if (row.failure !== undefined) return { ...goal, measured: failed(row) };
  return Number.isNaN(value) ? goal : { ...goal, measured: show(value), isMet: value <= limit };
}

/** @param {Row} row */
const failed = ({ subject, client }) => `${[...new Set([...subject, client])].join(', ')} failed`;

/** The median of a figure. @param {Row | undefined} row @param {string} figure */
const of = (row, figure) => median(valuesOf(row, figure));

/** The median of the differences in each round. @param {Row} row @param {Row} other @param {string} figure */
const difference = (row, other, figure) =>
  median(differencesOf(valuesOf(row, figure), valuesOf(other, figure)));

/**
 * One goal for all networks or modules: the largest value decides, and its row is named. If any row failed, it was not measured.
 *
 * @param {Goal} goal
 * @param {Row[]} rows - All that the goal needs, also those that others are compared with.
 * @param {(row: Row) => number | undefined} figureOf - Nothing if the goal is not for this row.
 * @param {number} limit
 * @param {(value: number) => string} show
 */
function allAtMost(goal, rows, figureOf, limit, show) {
  const values = rows.flatMap((row) => {
    const value = row.failure === undefined ? figureOf(row) : undefined;
    return value === undefined ? [] : [{ row, value }];
  });
  const [worst] = values.sort((one, other) => other.value - one.value);
  const row = rows.find(({ failure }) => failure !== undefined) ?? worst?.row;
  return atMost(goal, row, worst?.value ?? Number.NaN, limit, (value) =>
    value === 0 ? show(value) : `${show(value)} (${row?.subject[0]})`,
  );
}

/** This package's rows. @param {Row[]} rows */
const ownOf = (rows) => rows.filter(({ client }) => client === OURS);

/** OAuth 1.0a, whose peer is much slower than the others. */
const OAUTH1 = 'microblog 1.0';

/**
 * Two goals: the CPU of a login, compared with the leanest other package for the same network, in OAuth 2.0 and in OAuth 1.0a.
 *
 * @param {Row[]} rows
 * @param {number} limit - Times the other's, in OAuth 2.0.
 * @returns {Target[]}
 */
function cpuTargets(rows, limit) {
  const times = (/** @type {Row} */ row) => {
    if (row.client !== OURS) return undefined;
    const peers = rows.filter(({ subject, client }) => client !== OURS && subject[0] === row.subject[0]);
    const ratios = peers.map((peer) => median(ratiosOf(valuesOf(row, 'cpu'), valuesOf(peer, 'cpu'))));
    return ratios.length > 0 ? Math.max(...ratios) : undefined;
  };
  const show = (/** @type {number} */ value) => number(value, 2);
  const isOAuth1 = (/** @type {Row} */ { subject }) => subject[0] === OAUTH1;
  return [
    allAtMost(
      {
        what: 'CPU of a login in OAuth 2.0, the leanest peer of the network = 1',
        goal: `at most ${limit}`,
        reason: 'changing to this package must not need more machines',
      },
      rows.filter((row) => !isOAuth1(row)),
      times,
      limit,
      show,
    ),
    allAtMost(
      {
        what: 'CPU of a login in OAuth 1.0a, its peer = 1',
        goal: 'at most 1',
        reason: 'the peer opens a connection for each request',
      },
      rows.filter(isOAuth1),
      times,
      1,
      show,
    ),
  ];
}

/** @param {Row[]} rows @returns {Target[]} */
const deployedTargets = (rows) => [
  allAtMost(
    {
      what: 'Redis commands of a login',
      goal: 'at most 3',
      reason: "those of Passport's own sign-in; each is a round trip to the sessions",
    },
    ownOf(rows),
    (row) => of(row, 'commands'),
    // Redis may be asked something at the edge of a round.
    3.05,
    (value) => number(value, 1),
  ),
  ...cpuTargets(rows, 1.1),
];

/** @param {Row[]} rows @returns {Target[]} */
const speedTargets = (rows) => [
  allAtMost(
    {
      what: 'new connections of a login, eight at once',
      goal: 'none',
      reason: 'a handshake costs the user two round trips',
    },
    ownOf(rows),
    (row) => of(row, 'connections'),
    0.005,
    (value) => number(value, 2),
  ),
  ...cpuTargets(rows, 1.5),
];

/** @param {Row[]} rows @returns {Target[]} */
const anonymousTargets = (rows) => [
  allAtMost(
    {
      what: 'CPU of a callback that anybody can send',
      goal: 'at most 5 ms',
      reason: '200 of them a second keep one processor busy',
    },
    ownOf(rows),
    (row) => Math.max(...Object.keys(CALLBACKS).map((figure) => of(row, figure))) / 1e3,
    5,
    (value) => `${number(value, 2)} ms`,
  ),
];

/** @param {Row[]} rows @returns {Target[]} */
function latencyTargets(rows) {
  const ours = ownOf(rows);
  const isPeer = (/** @type {Row} */ { subject: [network = ''], client }) =>
    client === PASSPORT_PEERS[network];
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
      const peer = rows.find((other) => isPeer(other) && other.subject[0] === row.subject[0]);
      return peer && peer !== row ? difference(row, peer, `${kind}Duration`) : undefined;
    };
    const show = (/** @type {number} */ value) =>
      value < 0 ? `${milliseconds(-value)} faster` : `${milliseconds(value)} slower`;
    return allAtMost(target, [...ours, ...rows.filter(isPeer)], figureOf, EQUAL, show);
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
  const failure = rows.find((row) => row.failure !== undefined);
  const usual = NEEDED[figure].others;
  const list = (/** @type {(row: Row) => number} */ figureOf) =>
    [
      `${usual}`,
      ...rows.flatMap((row) => (figureOf(row) === usual ? [] : [`${row.subject[0]}: ${figureOf(row)}`])),
    ].join('; ');
  const goal = { ...target, goal: list((row) => neededBy(row, figure)) };
  if (failure) return { ...goal, measured: failed(failure) };
  return {
    ...goal,
    measured: list((row) => of(row, figure)),
    isMet: rows.every((row) => of(row, figure) <= neededBy(row, figure)),
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
        goal: 'at most 8 ms',
        reason: 'a serverless function loads it again at each cold start, while a user waits',
      },
      oauth2 ? [...networks, oauth2] : [],
      (row) => (oauth2 && row !== oauth2 ? difference(row, oauth2, 'milliseconds') : undefined),
      8,
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
  const [own, kept] = [ownOf(tabs), ownOf(pending)];
  const [first, last] = [own[0], own.at(-1)];
  const bytes = (/** @type {number} */ value) => `${number(value)} bytes`;
  return [
    atMost(
      {
        what: 'cookies of a pending login',
        goal: 'at most 220 bytes',
        reason: 'the browser sends them with every request',
      },
      first,
      of(first, 'cookies'),
      220,
      bytes,
    ),
    atMost(
      {
        what: 'cookies of the most pending logins there can be',
        goal: 'at most 1,800 bytes',
        reason: 'common servers take 8 kB of headers, and the application has cookies too',
      },
      last,
      of(last, 'cookies'),
      1_800,
      bytes,
    ),
    allAtMost(
      {
        what: 'pending logins in the session',
        goal: 'none',
        reason: 'anybody can start logins, and each new session is kept until it expires',
      },
      own,
      (row) => of(row, 'session'),
      0,
      bytes,
    ),
    allAtMost(
      {
        what: 'memory of a login that nobody finishes',
        goal: 'at most 100 bytes',
        reason: 'the browser keeps it; the heap varies by that much without it',
      },
      kept,
      (row) => of(row, 'heap'),
      100,
      bytes,
    ),
  ];
}

const milliseconds = (/** @type {number} */ value) => `${number(value, 1)} ms`;
