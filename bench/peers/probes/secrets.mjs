import { told } from '../browser.mjs';
import { send, sendJSON } from '../fake-network.mjs';
import { personNamed } from '../networks.mjs';
import { CLIENT_ID, CLIENT_SECRET } from '../subjects.mjs';
import { fail, pass } from '../verdicts.mjs';
import { refused, withProfile } from './rule.mjs';

/** @typedef {import('./rule.mjs').Rule} Rule */

const BASIC = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');

/** @type {readonly Rule[]} */
export const SECRETS = [
  {
    id: 'S1',
    question:
      'The network’s error repeats the whole request: are the error and the log free of secret, code, verifier and token?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const step of world.callbackSteps) {
        for (const form of ['JSON', 'text']) {
          world.network.behave();
          world.network.always(step, (response, { method, url, headers, body }) => {
            const echo = `${method} ${url} ${JSON.stringify(headers)} ${body}`;
            if (form === 'text') return send(response, echo, 'text/plain', 500);
            return sendJSON(response, { error: 'invalid_request', error_description: echo }, 400);
          });
          const answer = await world.login();
          if (answer.outcome !== 'error') return fail(`${step} request, echoed as ${form}: ${told(answer)}`);
          const leaked = await leak(world);
          if (leaked) return fail(`${step} request, echoed as ${form}: ${leaked}`);
        }
      }
      return pass('none');
    },
  },
  {
    id: 'S2',
    question: 'Is the client secret absent when the strategy itself is printed (inspect, JSON, text)?',
    async ask(world) {
      await world.start();
      const printed = await world.application.print();
      if (!printed) return fail('it cannot be printed');
      const shown = printed.includes(CLIENT_SECRET) || printed.includes(BASIC);
      return shown ? fail('the client secret is in it') : pass('absent');
    },
  },
  {
    id: 'S3',
    question:
      'Is a person without an identifier (missing, null, empty, an object) refused, and a long one kept exactly, as a text?',
    unless: withProfile,
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const id of [undefined, null, '', { a: 1 }]) {
        world.network.always('profile', (response, call) => {
          const person = personNamed(world.network.personOf(call) ?? 'alice');
          sendJSON(response, withIdentifier(world.facts.profileAnswer?.(person, MARK), id));
        });
        const answer = await world.login();
        if (!refused(answer)) return fail(`identifier ${JSON.stringify(id) ?? 'missing'}: ${told(answer)}`);
      }
      return longIdentifier(world);
    },
  },
];

const MARK = 'the-identifier-goes-here';
const LONG = '9007199254740993';

/** Replaces the marked member at every depth. @param {unknown} answer @param {unknown} id */
function withIdentifier(answer, id) {
  return JSON.parse(JSON.stringify(answer), (_name, value) => (value === MARK ? id : value));
}

/**
 * An identifier beyond 2^53, written as the network writes identifiers: a text, or digits without quotes.
 *
 * @param {import('../world.mjs').World} world
 */
async function longIdentifier(world) {
  const inToken = (/** @type {string} */ text) => text.replaceAll(String(personNamed('alice').number), LONG);
  world.network.always('profile', (response) => {
    const text = JSON.stringify(world.facts.profileAnswer?.(personNamed('alice'), MARK));
    const digits = world.facts.numericIdentifier ? text.replace(`"id":"${MARK}"`, `"id":${LONG}`) : text;
    send(response, digits.replaceAll(MARK, LONG));
  });
  world.network.always('token', (response) => {
    const answer = world.facts.tokenAnswer('a-token', personNamed('alice'));
    if (!world.oauth1) return send(response, inToken(JSON.stringify(answer)));
    const pairs = Object.entries(answer).map(([name, value]) => [name, inToken(String(value))]);
    return send(response, new URLSearchParams(pairs).toString(), 'text/html');
  });
  if (world.subject.network === 'short-video') {
    world.network.always('token', (response) =>
      sendJSON(response, { ...world.facts.tokenAnswer('a-token', personNamed('alice')), open_id: LONG }),
    );
  }
  const answer = await world.login();
  const { id, idType } = answer.json?.user ?? {};
  const evidence = `${LONG} arrived as ${JSON.stringify(id) ?? told(answer)} (${idType})`;
  return id === LONG ? pass(evidence) : fail(evidence);
}

/** Which secret the application's errors or output show. @param {import('../world.mjs').World} world */
async function leak(world) {
  const { errors } = await world.application.journal();
  const text = `${errors.join('\n')}\n${world.application.output}`;
  const verifier = world.network.callsOf('token').at(-1)?.form.get('code_verifier');
  /** @type {Readonly<Record<string, string | undefined>>} */
  const secrets = {
    'the client secret': CLIENT_SECRET,
    'the client secret (Basic)': BASIC,
    'the code': 'canary-code-',
    'the PKCE verifier': verifier ?? undefined,
    'the OAuth verifier': 'canary-verifier-',
    'the access token': 'canary-access-token-',
  };
  return Object.entries(secrets).find(([, secret]) => secret && text.includes(secret))?.[0];
}
