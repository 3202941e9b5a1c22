import { told } from '../browser.mjs';
import { send, sendForm, sendJSON } from '../fake-network.mjs';
import { personNamed } from '../networks.mjs';
import { CLIENT_ID, CLIENT_SECRET } from '../subjects.mjs';
import { fail, pass } from '../verdicts.mjs';
import { refused, withProfile } from './rule.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

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
    id: 'S10',
    question:
      'The network’s error repeats a secret shortened, or in spellings such as base64 twice or UTF-16 hex: do the error and the log show no eight characters of it?',
    async ask(world) {
      const secretOption = ['clientSecret', 'consumerSecret'].find(
        (name) => name in world.subject.variants.safest,
      );
      await world.start();
      await world.mustLogIn();
      await world.start({ options: secretOption ? { [secretOption]: ODD_SECRET } : {} });
      for (const step of world.callbackSteps) {
        // A client without a secret has none to repeat at this step.
        if (step === 'token' && !secretOption) continue;
        for (const [name, spell] of Object.entries(SPELLINGS)) {
          const echo = spell(ODD_SECRET);
          world.network.behave();
          if (step === 'profile')
            world.network.once('token', (response, call) => tokenNamed(world, response, call, ODD_SECRET));
          world.network.once(step, (response) => sendJSON(response, errorOf(`secret ${echo} is wrong`), 400));
          const before = world.network.callsOf(step).length;
          const answer = await world.login();
          const wasRepeated = world.network.callsOf(step).length > before;
          if (answer.outcome !== 'error' || !wasRepeated)
            return fail(`${step} request, ${name}: ${told(answer)}`);
          const { errors } = await world.application.journal();
          const shown = runOf(echo, `${errors.join('\n')}\n${world.application.output}`);
          if (shown) return fail(`${step} request, ${name}: shows ${shown}`);
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
 * @param {World} world
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

/** Which secret the application's errors or output show. @param {World} world */
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

/** A secret of which nothing repeats, with characters that are escaped in one place or another. */
const ODD_SECRET = 'Zk9+/wQ==x3"v\\7&<t>\'p%#:Tn_4~8b2L.d6-H(y)*1';

const base64 = (/** @type {string} */ text) => Buffer.from(text).toString('base64');

/** How servers repeat a secret, apart from its usual encodings. @type {Readonly<Record<string, (secret: string) => string>>} */
const SPELLINGS = {
  'shortened in the middle': (secret) => `${secret.slice(0, 15)}...${secret.slice(-15)}`,
  'with + as a blank': (secret) => secret.replaceAll('+', ' '),
  'with backslashes': (secret) => secret.replace(/["\\/]/g, '\\$&'),
  'with named entities': (secret) =>
    secret.replace(
      /[+/="\\&<>]/g,
      (character) => `&${/** @type {Record<string, string>} */ (ENTITIES)[character]};`,
    ),
  'in UTF-16 hex': (secret) => Buffer.from(secret, 'utf16le').toString('hex'),
  'in base64 twice': (secret) => base64(base64(secret)).replace(/=+$/, ''),
};

const ENTITIES = {
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
  '"': 'quot',
  '\\': 'bsol',
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
};

/** An error as each of the networks words it. @param {string} message */
function errorOf(message) {
  return {
    error: 'invalid_request',
    error_description: message,
    errors: [{ code: 89, message }],
    detail: message,
  };
}

/**
 * A token answer with this access token.
 *
 * @param {World} world
 * @param {import('node:http').ServerResponse} response
 * @param {import('../fake-network.mjs').Call} call
 * @param {string} token
 */
function tokenNamed({ oauth1, facts, network }, response, call, token) {
  const answer = facts.tokenAnswer(token, personNamed(network.personOf(call) ?? 'alice'));
  return oauth1 ? sendForm(response, answer) : sendJSON(response, answer);
}

/** Eight characters of what was repeated that a text shows. @param {string} echo @param {string} text */
function runOf(echo, text) {
  const runs = Array.from({ length: Math.max(0, echo.length - 7) }, (_, index) =>
    echo.slice(index, index + 8),
  );
  return runs.find((run) => text.includes(run));
}
