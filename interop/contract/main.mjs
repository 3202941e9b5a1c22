// Does the same with the strategies of passport-oauth2 and passport-oauth1 and with ours, and compares what is observed.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CONTRACTS } from './cases.mjs';
import { logInWith } from './trial.mjs';

const load = createRequire(import.meta.url);
/** @type {typeof import('../../lib/index.js')} */
const ours = load('../../dist/index.js');

/** What our constructors say of what they do not have. */
const NOT_TAKEN = /is not taken|do not fit/;

/** No login takes this long unless it hangs. */
const TIMEOUT_MILLISECONDS = 10_000;

/** Prints how many behaviours are the same. @returns {Promise<import('../page.mjs').Row[]>} Without the reasons. */
export async function contractRows() {
  const usual = Object.getOwnPropertyDescriptor(process, 'emitWarning') ?? {};
  // Some cases are mistakes, of which strategies warn.
  process.emitWarning = () => undefined;
  const rows = [];
  for (const contract of CONTRACTS) rows.push(...(await compareAll(contract)));
  Object.defineProperty(process, 'emitWarning', usual);
  return rows;
}

/** @param {typeof CONTRACTS[number]} contract */
async function compareAll({ package: name, strategy, protocol, groups }) {
  const Theirs = load(name);
  const { version } = load(`${name}/package.json`);
  /** By part. @type {Map<string, { same: string[], different: import('../page.mjs').Row[] }>} */
  const parts = new Map();
  /** @param {string} flow @param {string} result */
  const rowOf = (flow, result) => ({ name, version, flow, result, source: '' });
  const count = { all: 0, apply: 0, same: 0 };
  for (const { part, see, logins } of groups) {
    const { same, different } = parts.get(part) ?? { same: [], different: [] };
    parts.set(part, { same, different });
    for (const [behaviour, login] of Object.entries(logins)) {
      /** @param {any} Base @param {import('./trial.mjs').Protocol} own */
      const observe = async (Base, own) => {
        const late = wait(TIMEOUT_MILLISECONDS, undefined, { ref: false });
        const seen = await Promise.race([logInWith(Base, own, login), late]);
        if (seen === undefined) throw new Error(`${name}, ${part}, ${behaviour}: the login takes too long.`);
        const { refused } = seen;
        const text = refused ? refused.name : textOf((login.see ?? see)(seen), seen.network);
        return { text, applies: !NOT_TAKEN.test(refused?.message) };
      };
      const there = await observe(Theirs, protocol);
      const here = await observe(ours[strategy], { ...protocol, store: loginStore });
      const isSame = there.text === here.text;
      const result = `different: there \`${there.text}\`, here \`${here.text}\``;
      if (isSame) same.push(behaviour);
      else different.push(rowOf(`${part}: ${behaviour}`, result));
      count.all += 1;
      count.apply += Number(here.applies);
      count.same += Number(isSame);
    }
  }
  const { all, apply, same } = count;
  console.log(`${name}: ${all} behaviours, ${apply} apply, ${same} are the same, ${all - same} differ`);
  return [...parts].flatMap(([part, { same: list, different }]) => [
    ...(list.length > 0 ? [rowOf(`${part}: ${list.join('; ')}`, `same (${list.length})`)] : []),
    ...different,
  ]);
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
