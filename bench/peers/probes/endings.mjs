import { setTimeout as delay } from 'node:timers/promises';
import { Browser, NoAnswer, told } from '../browser.mjs';
import { sendJSON } from '../fake-network.mjs';
import { fail, pass } from '../verdicts.mjs';

import { refused } from './rule.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

const CROWD = 30;

/** @type {readonly Rule[]} */
export const ENDINGS = [
  {
    id: 'T14',
    question:
      'A verify that throws, and profiles without their members: does each end in an error, with the process alive?',
    async ask(world) {
      await world.start({ verify: 'throw' });
      const thrown = await world.login();
      if (thrown.outcome !== 'error') return fail(`verify throws: ${told(thrown)}`);
      if (world.facts.paths.profile) {
        await world.start();
        for (const answer of [{}, { data: {} }, { data: null, response: [], user: null }]) {
          world.network.always('profile', (response) => sendJSON(response, answer));
          const ending = await world.login();
          if (ending.outcome !== 'error') return fail(`profile ${JSON.stringify(answer)}: ${told(ending)}`);
        }
      }
      return pass('an error each time');
    },
  },
  {
    id: 'T14 async verify',
    question: 'An async verify that rejects: does the login end in an error, with the process alive?',
    async ask(world) {
      await world.start({ verify: 'reject' });
      const answer = await world.login();
      return answer.outcome === 'error' ? pass(told(answer)) : fail(told(answer));
    },
  },
  {
    id: 'T15',
    question: 'At answers 503: is the token request never repeated, and the profile request at most twice?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const [step, most] of /** @type {const} */ ([
        ['profile', 3],
        ['token', 1],
      ])) {
        if (!world.facts.paths[step]) continue;
        world.network.behave();
        world.network.always(step, (response) => sendJSON(response, { error: 'unavailable' }, 503));
        const before = world.network.callsOf(step).length;
        const answer = await world.login({ patience: 10_000 });
        const calls = world.network.callsOf(step).length - before;
        if (!refused(answer) || calls > most) return fail(`${step}: ${calls} requests, ${told(answer)}`);
      }
      return pass('within bounds');
    },
  },
  {
    id: 'S5',
    question: `Do ${CROWD} interleaved logins each end with their own person, by the strategy’s name and by the instance (\`authenticate(strategy)\`)?`,
    async ask(world) {
      const routes = ['/login/instance', '/callback/instance'].map((path) => ({ path, instance: true }));
      await world.start({ routes });
      world.network.always('token', async (response, call) => {
        await delay((world.network.callsOf('token').length % 7) * 15);
        await world.network.usual(response, call);
      });
      for (const [name, suffix] of [
        ['by name', ''],
        ['by instance', '/instance'],
      ]) {
        const { own, foreign, unanswered } = await crowd(world, suffix ?? '');
        if (own < CROWD) return fail(`${name}: ${own} right, ${foreign} wrong, ${unanswered} never answered`);
      }
      return pass(`${CROWD} of ${CROWD} both ways`);
    },
  },
  {
    id: 'S6',
    question: 'A verify that calls back twice and then throws: does the request end once?',
    async ask(world) {
      await world.start({ verify: 'repeat' });
      const answer = await world.login();
      await delay(200);
      const { endings } = await world.application.journal();
      return endings === 1 ? pass(told(answer)) : fail(`${endings} endings of one request`);
    },
  },
  {
    id: 'S9',
    question:
      'Set up as READMEs show, outside production: does the console explain why a callback without its login fails, in a browser without a session and in one with another session?',
    async ask(world) {
      await world.start({ plain: true });
      const member = new Browser();
      const login = await world.begin(member);
      const ordinary = await member.get(world.callback(login));
      if (ordinary.outcome !== 'success') return fail(`not even an ordinary login: ${told(ordinary)}`);
      for (const [name, browser] of /** @type {const} */ ([
        ['without a session', new Browser()],
        ['with another session', member],
      ])) {
        const { length } = world.application.output;
        const foreign = world.callback(await world.begin(new Browser()));
        const answer = await browser.get(foreign);
        const said = await outputAfter(world, length);
        if (!/login|session|state|token|callback|cookie/i.test(said))
          return fail(`${name}: ${answer.status}, and the console says ${firstLine(said) || 'nothing'}`);
      }
      return pass(firstLine(world.application.output));
    },
  },
  {
    id: 'S7',
    question:
      'Does the status fit: 4xx for a stranger’s callback and a denial, 502 to 504 when the network refuses or is broken?',
    async ask(world) {
      await world.start();
      const stranger = world.oauth1
        ? { oauth_token: 'a', oauth_verifier: 'b' }
        : { code: 'a', state: 'b'.repeat(32) };
      const first = await new Browser().get(world.at('/callback', stranger));
      if (first.status < 400 || first.status >= 500) return fail(`a stranger’s callback: ${told(first)}`);
      const browser = new Browser();
      const { state, requestToken } = await world.begin(browser);
      const denial = world.oauth1 ? { denied: requestToken } : { error: 'access_denied', state };
      const denied = await browser.get(world.at('/callback', denial));
      if (denied.status < 400 || denied.status >= 500) return fail(`a denial: ${told(denied)}`);
      for (const status of [400, 500]) {
        world.network.once('token', (response) => sendJSON(response, { error: 'invalid_client' }, status));
        const answer = await world.login();
        if (answer.status < 502 || answer.status > 504)
          return fail(`the network answers ${status}: ${told(answer)}`);
      }
      return pass(`${first.status}, ${denied.status}, 502 to 504`);
    },
  },
];

/** Logs everybody in at once. @param {World} world @param {string} suffix */
async function crowd(world, suffix) {
  const people = Array.from({ length: CROWD }, (_, index) => `guest-${index}`);
  const endings = await Promise.all(
    people.map(async (person) => {
      const browser = new Browser();
      try {
        const login = await world.begin(browser, { path: `/login${suffix}` });
        const { json } = await browser.get(world.callback(login, { person, path: `/callback${suffix}` }));
        return String(json?.user?.token).includes(`-${person}-`) ? 'own' : 'foreign';
      } catch (error) {
        if (error instanceof NoAnswer) return 'unanswered';
        throw error;
      }
    }),
  );
  const count = (/** @type {string} */ ending) => endings.filter((each) => each === ending).length;
  return { own: count('own'), foreign: count('foreign'), unanswered: count('unanswered') };
}

/** Without the number of the process. @param {string} output */
function firstLine(output) {
  return (output.trim().split('\n', 1)[0] ?? '').replace(/^\(node:\d+\) /, '');
}

/** What the application writes to its console from a position on; waits for it for a second. @param {World} world @param {number} position */
async function outputAfter(world, position) {
  for (let turn = 0; turn < 20 && world.application.output.length === position; turn += 1) await delay(50);
  return world.application.output.slice(position);
}
