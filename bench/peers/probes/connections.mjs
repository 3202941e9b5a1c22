import { setTimeout as delay } from 'node:timers/promises';
import { Browser, told } from '../browser.mjs';
import { personNamed } from '../networks.mjs';
import { fail, pass } from '../verdicts.mjs';
import { refused } from './rule.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

/** Milliseconds: the deadline of a request, and for how long the application is busy. */
const DEADLINE = 1_000;
const BUSY = 1_500;

/** @type {readonly Rule[]} */
export const CONNECTIONS = [
  {
    id: 'T16',
    question:
      'The network sends somebody else’s token on an idle connection, without a request: is it never used for the next person’s login?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const outcomes = [];
      for (const person of ['guest-1', 'guest-2', 'guest-3']) {
        world.network.behave();
        const token = world.network.issue('access-token', 'eve');
        const sent = sendStray(world, token);
        // OAuth 1.0a has a request of its own before the person is sent to the network.
        if (!world.oauth1) await world.login();
        const browser = new Browser();
        const login = await world.begin(browser);
        const wasSent = await sent;
        await delay(200);
        const answer = await browser.get(world.callback(login, { person }));
        if (answer.json?.user?.token === token) return fail(`${person} is ${told(answer)}`);
        const used = world.network.calls.find(({ url, headers, body }) =>
          `${url} ${headers.authorization} ${body}`.includes(token),
        );
        if (used) return fail(`used in the ${used.step} request of ${person}: ${told(answer)}`);
        if (answer.outcome !== 'success' && !refused(answer)) return fail(told(answer));
        outcomes.push(`${answer.outcome}${wasSent ? '' : ', for there was no idle connection'}`);
      }
      return pass(outcomes.join('; '));
    },
  },
  {
    id: 'T17',
    question: `With a deadline of ${DEADLINE / 1_000} s: does a response count that arrived in time, though the process was busy for ${BUSY / 1_000} s?`,
    unless: ({ subject }) => (subject.deadlineOption ? undefined : 'it has no deadline'),
    async ask(world) {
      await world.start({ options: { [world.subject.deadlineOption ?? '']: DEADLINE } });
      await world.mustLogIn();
      world.network.once('token', () => {});
      const late = await world.login();
      if (!refused(late)) return fail(`not even a deadline: ${told(late)}`);
      /** @type {Promise<void> | undefined} */
      let stall;
      world.network.once('token', async (response, call) => {
        stall = world.application.stall(BUSY);
        await delay(200);
        await world.network.usual(response, call);
      });
      const answer = await world.login();
      await stall;
      return answer.outcome === 'success' ? pass(told(answer)) : fail(told(answer));
    },
  },
];

/**
 * Lets the network send a token of Eve's on the connection of its latest response to a login, 100 ms later.
 *
 * @param {World} world
 * @param {string} token
 * @returns {Promise<boolean>} Whether the connection was open.
 */
function sendStray(world, token) {
  const step = world.oauth1 ? 'request token' : (world.callbackSteps.at(-1) ?? 'token');
  return new Promise((resolve) => {
    world.network.once(step, (response, call) => {
      const { socket } = response;
      response.on('finish', async () => {
        await delay(100);
        if (!socket || socket.destroyed) return resolve(false);
        socket.write(rawResponse(world, world.facts.tokenAnswer(token, personNamed('eve'))));
        return resolve(true);
      });
      return world.network.usual(response, call);
    });
  });
}

/** A token response as bytes. @param {World} world @param {Record<string, unknown>} members */
function rawResponse({ oauth1 }, members) {
  const pairs = Object.entries(members).map(([name, value]) => [name, String(value)]);
  const body = oauth1 ? new URLSearchParams(pairs).toString() : JSON.stringify(members);
  const type = oauth1 ? 'text/html;charset=utf-8' : 'application/json';
  return `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
