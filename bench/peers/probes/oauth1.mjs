import { Browser, told } from '../browser.mjs';
import { sendForm } from '../fake-network.mjs';
import { personNamed } from '../networks.mjs';
import { signatureOf } from '../signature.mjs';
import { fail, pass } from '../verdicts.mjs';
import { counting, oauth1Only, slip } from './rule.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

const REQUEST_TOKEN = {
  oauth_token: 'a-request-token',
  oauth_token_secret: 'a-secret',
  oauth_callback_confirmed: 'true',
};

/** @type {readonly Rule[]} */
const RULES = [
  {
    id: 'O1',
    question:
      'Is a request token whose `oauth_callback_confirmed` is missing, `false` or empty refused, and nobody sent on?',
    async ask(world) {
      await world.start();
      for (const confirmed of [undefined, 'false', '']) {
        world.network.once('request token', (response) =>
          sendForm(response, without({ ...REQUEST_TOKEN, oauth_callback_confirmed: confirmed })),
        );
        const answer = await new Browser().get(world.at('/login'));
        if (answer.outcome !== 'error')
          return fail(`${confirmed === undefined ? 'missing' : `"${confirmed}"`}: ${told(answer)}`);
      }
      return pass('an error each time');
    },
  },
  {
    id: 'O2',
    question:
      'Is a callback without `oauth_verifier`, or with an empty one, turned away before anything goes to the network?',
    async ask(world) {
      await world.start();
      for (const query of [{}, { oauth_verifier: '' }]) {
        const browser = new Browser();
        const { oauth_token = '' } = world.consent(await world.begin(browser));
        const address = world.at('/callback', { oauth_token, ...query });
        const { result, calls } = await counting(world, () => browser.get(address));
        const problem = slip(result, calls);
        if (problem) return fail(`${'oauth_verifier' in query ? 'empty' : 'missing'}: ${problem}`);
      }
      return pass('refused');
    },
  },
  {
    id: 'O3',
    question:
      'Is a request token that was handed to another browser turned away before anything goes to the network?',
    async ask(world) {
      await world.start();
      const foreign = world.callback(await world.begin(new Browser()), { person: 'eve' });
      const victim = new Browser();
      await world.begin(victim);
      const { result, calls } = await counting(world, () => victim.get(foreign));
      const problem = slip(result, calls);
      return problem ? fail(problem) : pass(told(result));
    },
  },
  {
    id: 'O4',
    question:
      'Is an answer without token or secret (missing or empty) refused, in both token steps, and verify not called?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const known = (await world.application.journal()).verified.length;
      for (const name of ['oauth_token', 'oauth_token_secret']) {
        for (const value of [undefined, '']) {
          const label = `${name} ${value === undefined ? 'missing' : 'empty'}`;
          world.network.once('request token', (response) =>
            sendForm(response, without({ ...REQUEST_TOKEN, [name]: value })),
          );
          const first = await new Browser().get(world.at('/login'));
          if (first.outcome !== 'error') return fail(`request token, ${label}: ${told(first)}`);
          const answer = { ...world.facts.tokenAnswer('a-token', personNamed('alice')), [name]: value };
          world.network.once('token', (response) => sendForm(response, without(answer)));
          const second = await world.login();
          const { verified } = await world.application.journal();
          if (second.outcome !== 'error' || verified.length > known)
            return fail(`access token, ${label}: ${told(second)}`);
        }
      }
      return pass('an error each time');
    },
  },
  {
    id: 'O5',
    question: 'Do nonces differ even when `Math.random` is predictable, and are timestamps of now?',
    async ask(world) {
      await world.start({ stubRandom: true });
      for (let count = 0; count < 5; count += 1) await new Browser().get(world.at('/login'));
      const calls = world.network.callsOf('request token');
      const nonces = calls.map(({ signed }) => signed.oauth_nonce ?? '');
      const stale = calls.find(
        ({ signed }) => Math.abs(Number(signed.oauth_timestamp) - Date.now() / 1000) > 60,
      );
      if (calls.length < 5 || stale) return fail(`timestamp ${stale?.signed.oauth_timestamp ?? 'missing'}`);
      const different = new Set(nonces).size;
      return different === 5 ? pass('5 different nonces of 5') : fail(`${different} different nonce(s) of 5`);
    },
  },
  {
    id: 'O6',
    question:
      "Is the signature right (RFC 5849 section 3.4) for an address with `a=2&a=1`, `zero=0` and `mark=!*()'`?",
    async ask(world) {
      const [option = ''] =
        Object.entries(world.subject.addresses).find(([, step]) => step === 'profile') ?? [];
      const { profile = '' } = world.facts.paths;
      for (const query of ['zero=0', 'mark=%21%2A%28%29%27', 'a=2&a=1']) {
        await world.start({ options: { [option]: `${world.network.url}${profile}?${query}` } });
        await world.login();
        const call = world.network.callsOf('profile').at(-1);
        if (!call) return fail(`?${query}: no profile request`);
        if (!call.url.includes('?')) return fail(`?${query}: the query was dropped`);
        const right = signatureOf(call, world.network.url) === call.signed.oauth_signature;
        if (!right) return fail(`?${query}: a signature that no network would accept`);
      }
      return pass('right for all three');
    },
  },
];

export const OAUTH1 = RULES.map((rule) => ({ ...rule, unless: oauth1Only }));

/** The members that have a value. @param {Record<string, unknown>} members */
function without(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
