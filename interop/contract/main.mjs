// Does the same with the strategies of passport-oauth2 and passport-oauth1 and with ours, and compares what is observed.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CONTRACTS } from './cases.mjs';
import { withServers } from './trial.mjs';

const load = createRequire(import.meta.url);
/** @type {typeof import('../../lib/index.js')} */
const ours = load('../../dist/index.js');

/** What our constructors say of what they do not have. */
const NOT_TAKEN = /is not taken|do not fit/;

/** No login takes this long unless it hangs. */
const TIMEOUT_MILLISECONDS = 10_000;

/** @typedef {import('../page.mjs').Row} Row */

/** Prints how many behaviours are the same. @returns {Promise<Row[]>} Without the reasons. */
export async function contractRows() {
  /** @type {Row[]} */
  const rows = [];
  const usual = Object.getOwnPropertyDescriptor(process, 'emitWarning') ?? {};
  // Some cases are mistakes, of which strategies warn.
  process.emitWarning = () => undefined;
  await withServers(async (run, network) => {
    for (const contract of CONTRACTS) rows.push(...(await compareAll(contract, run, network)));
  }).finally(() => Object.defineProperty(process, 'emitWarning', usual));
  return rows;
}

/** @param {typeof CONTRACTS[number]} contract @param {import('./trial.mjs').Run} run @param {string} network @returns {Promise<Row[]>} */
async function compareAll({ package: name, strategy, protocol, groups }, run, network) {
  const Theirs = load(name);
  const { version } = load(`${name}/package.json`);
  /** By part. @type {Map<string, { same: string[], different: Row[] }>} */
  const parts = new Map();
  const count = { all: 0, apply: 0, same: 0 };
  /** @param {string} flow @param {string} result @returns {Row} */
  const rowOf = (flow, result) => ({ name, version, flow, result, source: '' });
  for (const { part, see, logins } of groups) {
    const { same, different } = parts.get(part) ?? { same: [], different: [] };
    parts.set(part, { same, different });
    for (const [behaviour, login] of Object.entries(logins)) {
      /** @param {Promise<import('./trial.mjs').Seen>} running */
      const observe = async (running) => {
        const seen = await Promise.race([running, wait(TIMEOUT_MILLISECONDS, undefined, { ref: false })]);
        if (seen === undefined) throw new Error(`${name}, ${part}, ${behaviour}: the login takes too long.`);
        const { refused } = seen;
        const text = refused ? refused.name : textOf(see(seen), network);
        return { text, applies: !NOT_TAKEN.test(refused?.message) };
      };
      const there = await observe(run(Theirs, protocol, login));
      const here = await observe(run(ours[strategy], { ...protocol, store: loginStore }, login));
      const isSame = there.text === here.text;
      const result = `different: there \`${there.text}\`, here \`${here.text}\``;
      if (isSame) same.push(behaviour);
      else different.push(rowOf(`${part}: ${behaviour}`, result));
      count.all += 1;
      count.apply += Number(here.applies);
      count.same += Number(isSame);
    }
  }
  const { all, apply, same: equal } = count;
  console.log(`${name}: ${all} behaviours, ${apply} apply, ${equal} are the same, ${all - equal} differ`);
  return [...parts].flatMap(([part, { same, different }]) => {
    if (same.length === 0) return different;
    return [rowOf(`${part}: ${same.join('; ')}`, `same (${same.length})`), ...different];
  });
}

/** Our store, with the work of the base package's. @type {import('./trial.mjs').Protocol['store']} */
const loginStore = (save, take) => ({
  save: (_req, login) => promisify(save)([login]),
  take: () => promisify(take)(),
});

/** What was observed, as it is in every run. @param {unknown} value @param {string} network */
const textOf = (value, network) =>
  (typeof value === 'string' && value !== '' ? value : JSON.stringify(value, sorted))
    .replaceAll(network, 'http://network')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'application')
    .replaceAll(/request-token-\d+/g, 'request-token');

/** @param {string} _name @param {unknown} value */
function sorted(_name, value) {
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
