import { gzipSync } from 'node:zlib';
import { Browser, NoAnswer, told } from '../browser.mjs';
import { send, sendForm, sendJSON } from '../fake-network.mjs';
import { personNamed } from '../networks.mjs';
import { fail, pass } from '../verdicts.mjs';
import { oauth2Only, refused } from './rule.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

const SIXTEEN_MEGABYTES = 16 * 1024 * 1024;
/** More than the longest deadline that a subject has by default, 10 s. */
const LONG_PATIENCE = 12_000;

/** @type {readonly Rule[]} */
export const ANSWERS = [
  {
    id: 'T5',
    question:
      'A network that never answers, and one that drips a byte a second: is the browser answered within 12 seconds?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const logins = [];
      for (const _ of ['silence', 'drip']) {
        const browser = new Browser();
        logins.push({ browser, address: world.callback(await world.begin(browser)) });
      }
      world.network.once('token', () => {});
      world.network.once('token', (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 1_000);
        response.on('close', () => clearInterval(timer));
      });
      const answers = await Promise.all(
        logins.map(({ browser, address }) => browser.get(address, { patience: LONG_PATIENCE })),
      );
      const other = answers.find((answer) => !refused(answer));
      return other ? fail(told(other)) : pass(answers.map(told).join('; '));
    },
  },
  {
    id: 'T6',
    question: 'Is an answer of 16 MB, as it is or unpacked from a small one, refused instead of swallowed?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const packed of [false, true]) {
        world.network.always('token', (response) => {
          const padding = 'a'.repeat(SIXTEEN_MEGABYTES);
          const answer = { ...world.facts.tokenAnswer('a-token', personNamed('alice')), padding };
          const body = world.oauth1
            ? new URLSearchParams(/** @type {Record<string, string>} */ (answer)).toString()
            : JSON.stringify(answer);
          if (!packed) return send(response, body, world.oauth1 ? 'text/html' : 'application/json');
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
          return response.end(gzipSync(body));
        });
        const answer = await world.login({ patience: 8_000 });
        if (!refused(answer)) return fail(`${packed ? 'gzip' : 'plain'}: ${told(answer)}`);
      }
      return pass('refused');
    },
  },
  {
    id: 'T7',
    question:
      'Is an answer that is cut in the middle (with and without Content-Length) an error, and not waited for for ever?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const step of world.callbackSteps) {
        for (const length of [true, false]) {
          world.network.behave();
          world.network.always(step, (response) => {
            response.writeHead(200, {
              'content-type': 'application/json',
              ...(length && { 'content-length': 400 }),
            });
            response.write('{"access_token":"half', () => response.socket?.destroy());
          });
          const answer = await world.login().catch((error) => {
            if (!(error instanceof NoAnswer)) throw error;
            throw new NoAnswer(
              `${step} answer cut, ${length ? 'with' : 'without'} Content-Length: ${error.message}`,
            );
          });
          if (!refused(answer)) return fail(`${step}: ${told(answer)}`);
        }
      }
      return pass('an error each time');
    },
  },
  {
    id: 'T8',
    question:
      'Do answers of the wrong kind (an HTML page, `[]`, `"x"`, `5`, nothing, `null`) end in an error, whatever the network answers next?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const step of world.callbackSteps) {
        for (const body of wrongBodies(world, step)) {
          world.network.behave();
          const type = body.startsWith('<') ? 'text/html' : 'application/json';
          world.network.always(step, (response) => send(response, body, type));
          const answer = await world.login();
          if (answer.outcome !== 'error')
            return fail(`${step} answer ${body.slice(0, 60) || '(empty)'}: ${told(answer)}`);
        }
      }
      return pass('an error each time');
    },
  },
  {
    id: 'T9',
    question: 'Is a token of an unknown type (`mac`) refused, and `bearer` understood in any letter case?',
    unless: oauth2Only,
    async ask(world) {
      await world.start();
      for (const type of ['Bearer', 'bearer', 'BEARER', 'mac']) {
        const answer = await loginWith(world, { token_type: type });
        const wanted = type === 'mac' ? 'error' : 'success';
        if (answer.outcome !== wanted) return fail(`${type}: ${told(answer)}`);
      }
      return pass('mac refused');
    },
  },
  {
    id: 'T10',
    question:
      'Is an access token that is an object, a list, a number, empty or missing refused at once, even by a network that goes on with it?',
    unless: oauth2Only,
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const { length } = (await world.application.journal()).verified;
      for (const token of [{ a: 1 }, ['x'], 5, '', null, undefined]) {
        const answer = await loginWith(world, { access_token: token });
        const { verified } = await world.application.journal();
        if (answer.outcome === 'error' && verified.length === length) continue;
        return fail(`${JSON.stringify(token) ?? 'missing'}: ${told(answer)}`);
      }
      return pass('refused');
    },
  },
  {
    id: 'T13',
    question: 'Does a name in Cyrillic with an emoji arrive whole when the network sends it byte by byte?',
    async ask(world) {
      await world.start();
      const step = world.facts.paths.profile ? 'profile' : 'token';
      world.network.always(step, async (response, call) => {
        const person = personNamed(world.network.personOf(call) ?? '');
        const { facts } = world;
        const answer = facts.profileAnswer?.(person) ?? facts.tokenAnswer('a-token', person);
        const body = Buffer.from(JSON.stringify(answer));
        response.writeHead(200, { 'content-type': 'application/json' });
        for (const byte of body) response.write(Buffer.of(byte));
        response.end();
      });
      const answer = await world.login({ person: 'anna' });
      const { name } = personNamed('anna');
      const got = String(answer.json?.user?.name ?? told(answer));
      return got.startsWith(name) ? pass(got) : fail(got);
    },
  },
];

/** A login with other members in the token answer. @param {World} world @param {Record<string, unknown>} changes */
async function loginWith(world, changes) {
  world.network.behave();
  world.network.once('token', (response, call) => {
    const person = world.network.personOf(call) ?? 'alice';
    const token = world.network.issue('access-token', person);
    const answer = { ...world.facts.tokenAnswer(token, personNamed(person)), ...changes };
    if (world.oauth1) sendForm(response, answer);
    else sendJSON(response, answer);
  });
  return world.login();
}

/** @param {World} world @param {string} step */
function wrongBodies(world, step) {
  // OAuth 1.0a answers with forms, often as text/html; only a page without a token in it is certainly no answer.
  const link = world.oauth1 ? '/?a=1' : '/?a=1&access_token=found-in-a-page&b=2';
  const page = `<!doctype html><html><a href="${link}">Error</a></html>`;
  return world.oauth1 && step === 'token' ? [page, '', 'null'] : [page, '[]', '"x"', '5', '', 'null'];
}
