// Questions about OAuth 1.0a (O1 to O6), secrets, identity and endings (S1 to S7).
import { setTimeout as delay } from 'node:timers/promises';
import { Browser, NoAnswer } from '../clients/browser.mjs';
import { CLIENT_ID, CLIENT_SECRET, SOMEBODY } from '../network/networks.mjs';
import { failing, send, signatureOf, usual } from '../network/stub.mjs';
import { isRefused, told } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./callbacks.mjs').Questions} Questions */

const CROWD = 30;
const BASIC = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
/** Where a profile response has its ID. */
const MARK = 'the-identifier-goes-here';
/** Beyond 2^53. */
const LONG = '9007199254740993';

/** @type {Questions} */
export const OAUTH1 = {
  'O1: Is a request token whose `oauth_callback_confirmed` is missing, `false` or empty refused, and nobody sent on?':
    async (world) => {
      for (const oauth_callback_confirmed of [undefined, 'false', '']) {
        world.network.once('request token', usual({ oauth_callback_confirmed }));
        const answer = await world.visit(new Browser(), world.at('/login'));
        if (answer.outcome !== 'error') return `${oauth_callback_confirmed ?? 'missing'}: ${told(answer)}`;
      }
    },
  'O2: Is a callback without `oauth_verifier`, or with an empty one, turned away before anything goes to the network?':
    async (world) => {
      for (const query of [{}, { oauth_verifier: '' }]) {
        const browser = new Browser();
        const { oauth_token = '' } = world.consent(await world.begin(browser));
        const problem = await world.slip(browser, world.at('/callback', { oauth_token, ...query }));
        if (problem) return `${'oauth_verifier' in query ? 'empty' : 'missing'}: ${problem}`;
      }
    },
  'O3: Is a request token that was handed to another browser turned away before anything goes to the network?':
    async (world) => {
      const foreign = world.callback(await world.begin(), 'eve');
      const victim = new Browser();
      await world.begin(victim);
      return world.slip(victim, foreign);
    },
  'O4: Is an answer without token or secret (missing or empty) refused, in both token steps, and verify not called?':
    async (world) => {
      await world.startWithLogin();
      const { verified } = await world.counts();
      for (const name of ['oauth_token', 'oauth_token_secret']) {
        for (const value of [undefined, '']) {
          const label = `${name} ${value === undefined ? 'missing' : 'empty'}`;
          world.network.once('request token', usual({ [name]: value }));
          const first = await world.visit(new Browser(), world.at('/login'));
          if (first.outcome !== 'error') return `request token, ${label}: ${told(first)}`;
          world.network.once('token', usual({ [name]: value }));
          const second = await world.login();
          if (second.outcome !== 'error' || (await world.counts()).verified > verified)
            return `access token, ${label}: ${told(second)}`;
        }
      }
    },
  'O5: Do nonces differ even when `Math.random` is predictable, and are timestamps of now?': async (
    world,
  ) => {
    await world.start({ isRandomFixed: true });
    for (let count = 0; count < 5; count += 1) await world.visit(new Browser(), world.at('/login'));
    const headers = world.network.callsOf('request token').map(({ signed }) => signed);
    const stale = headers.find((one) => Math.abs(Number(one.oauth_timestamp) - Date.now() / 1000) > 60);
    if (headers.length < 5 || stale) return `timestamp ${stale?.oauth_timestamp ?? 'missing'}`;
    const different = new Set(headers.map((one) => one.oauth_nonce)).size;
    return different < 5 ? `${different} different nonce(s) of 5` : undefined;
  },
  "O6: Is the signature right (RFC 5849 section 3.4) for an address with `a=2&a=1`, `zero=0` and `mark=!*()'`?":
    async (world) => {
      const { profileURL = '' } = world.subject;
      for (const query of ['zero=0', 'mark=%21%2A%28%29%27', 'a=2&a=1']) {
        const url = `${world.network.url}${world.facts.paths.profile}?${query}`;
        await world.start({ options: { [profileURL]: url } });
        await world.login();
        const call = world.network.callsOf('profile').at(-1);
        if (!call?.url.includes('?'))
          return `?${query}: ${call ? 'the query was dropped' : 'no profile request'}`;
        if (signatureOf(call) !== call.signed.oauth_signature)
          return `?${query}: a signature that no network would accept`;
      }
    },
};

/** Which secret the application's last error or its output shows. @param {World} world */
async function leak(world) {
  const { text: printed } = await world.visit(new Browser(), world.at('/printed/error'));
  const text = `${printed}\n${world.output}`;
  const verifier = world.network.callsOf('token').at(-1)?.form.get('code_verifier');
  /** @type {Readonly<Record<string, string | null | undefined>>} */
  const secrets = {
    'the client secret': CLIENT_SECRET,
    'the client secret (Basic)': BASIC,
    'the code': 'canary-code-',
    'the PKCE verifier': verifier,
    'the OAuth verifier': 'canary-verifier-',
    'the access token': 'canary-access-token-',
  };
  return Object.entries(secrets).find(([, secret]) => secret && text.includes(secret))?.[0];
}

/** Logs everybody in at once. @param {World} world @param {string} suffix @returns How many got their own user. */
async function crowd(world, suffix) {
  const people = Array.from({ length: CROWD }, (_, index) => `guest-${index}`);
  const endings = await Promise.all(
    people.map(async (person) => {
      try {
        const login = await world.begin(undefined, `/login${suffix}`);
        const { json } = await world.finish(login, person, `/callback${suffix}`);
        return String(json?.user?.token).includes(`-${person}-`);
      } catch (error) {
        if (error instanceof NoAnswer) return false;
        throw error;
      }
    }),
  );
  return endings.filter(Boolean).length;
}

/** @type {Questions} */
export const SECRETS = {
  'S1: The network’s error repeats the whole request: are the error and the log free of secret, code, verifier and token?':
    async (world) => {
      await world.startWithLogin();
      for (const step of world.callbackSteps) {
        for (const status of [400, 500]) {
          world.network.always(step, (response, { method, url, headers, body }) => {
            const echo = `${method} ${url} ${JSON.stringify(headers)} ${body}`;
            if (status === 500) return send(response, echo, { type: 'text/plain', status });
            return send(response, JSON.stringify({ error: 'invalid_request', error_description: echo }), {
              status,
            });
          });
          const answer = await world.login();
          const problem = answer.outcome === 'error' ? await leak(world) : told(answer);
          if (problem) return `${step} request, echoed with ${status}: ${problem}`;
        }
      }
    },
  'S2: Is the client secret absent when the strategy itself is printed (inspect, JSON, text)?': async (
    world,
  ) => {
    const { text } = await world.visit(new Browser(), world.at('/printed/strategies'));
    if (text.length < 100) return `it cannot be printed: ${text}`;
    return text.includes(CLIENT_SECRET) || text.includes(BASIC) ? 'the client secret is in it' : undefined;
  },
  'S3: Is a person without an identifier (missing, null, empty, an object) refused, and a long one kept exactly, as a text?':
    async (world) => {
      const { network, facts } = world;
      await world.startWithLogin();
      const record = JSON.stringify(facts.profileResponse?.(SOMEBODY, MARK));
      const withID = (/** @type {string | undefined} */ id) =>
        id === undefined
          ? JSON.stringify(JSON.parse(record, (_name, value) => (value === MARK ? undefined : value)))
          : record.replaceAll(`"${MARK}"`, id);
      for (const id of [undefined, 'null', '""', '{"a":1}']) {
        network.always('profile', (response) => send(response, withID(id)));
        const answer = await world.login();
        if (!isRefused(answer)) return `identifier ${id ?? 'missing'}: ${told(answer)}`;
      }
      // As the network writes it: a text, or digits without quotes.
      const digits = facts.hasNumericID ? record.replace(`"id":"${MARK}"`, `"id":${LONG}`) : record;
      network.always('profile', (response) => send(response, digits.replaceAll(MARK, LONG)));
      const token = JSON.stringify(facts.tokenResponse('a-token', SOMEBODY));
      const exact = token.replaceAll(/(open-id-)?2244994945/g, LONG);
      network.once('token', world.isOAuth1 ? usual({ user_id: LONG }) : (response) => send(response, exact));
      const answer = await world.login();
      const { id } = answer.json?.user ?? {};
      return id === LONG ? undefined : `${LONG} arrived as ${JSON.stringify(id) ?? told(answer)}`;
    },
  'S5: Do 30 interleaved logins each end with their own person, by the strategy’s name and by the instance (`authenticate(strategy)`)?':
    async (world) => {
      await world.start({
        routes: ['/login/instance', '/callback/instance'].map((path) => ({ path, instance: true })),
      });
      world.network.always('token', async (response, call) => {
        await delay((world.network.callsOf('token').length % 7) * 15);
        await usual()(response, call);
      });
      for (const suffix of ['', '/instance']) {
        const own = await crowd(world, suffix);
        if (own < CROWD) return `${suffix ? 'by instance' : 'by name'}: ${own} right`;
      }
    },
  'S6: A verify that calls back twice and then throws: does the request end once?': async (world) => {
    await world.start({ verify: 'repeat' });
    await world.login();
    await delay(200);
    const { endings } = await world.counts();
    return endings === 1 ? undefined : `${endings} endings of one request`;
  },
  'S7: Does the status fit: 4xx for a stranger’s callback and a denial, 502 to 504 when the network refuses or is broken?':
    async (world) => {
      const stranger = world.isOAuth1
        ? { oauth_token: 'a', oauth_verifier: 'b' }
        : { code: 'a', state: 'b'.repeat(32) };
      const first = await world.visit(new Browser(), world.at('/callback', stranger));
      if (first.status < 400 || first.status >= 500) return `a stranger’s callback: ${told(first)}`;
      const browser = new Browser();
      const denied = await world.visit(browser, world.denial(await world.begin(browser)));
      if (denied.status < 400 || denied.status >= 500) return `a denial: ${told(denied)}`;
      for (const status of [400, 500]) {
        world.network.once('token', failing(status));
        const answer = await world.login();
        if (answer.status < 502 || answer.status > 504)
          return `the network answers ${status}: ${told(answer)}`;
      }
    },
};
