import { Browser, told } from '../browser.mjs';
import { fail, pass } from '../verdicts.mjs';
import { counting, oauth2Only, slip } from './rule.mjs';

/** @typedef {import('./rule.mjs').Rule} Rule */

const CANARY = 'canary-text-of-a-stranger';
/** A line break, a terminal's escape, a text direction mark, and more than anybody reads. */
const NASTY = `${CANARY}\r\nForged log line \u001b[31m\u202e<img src=x onerror=alert(1)>${'A'.repeat(4_000)}`;

/** Control characters, and marks that turn the direction of a text. */
const UNPRINTABLE = /\p{Cc}|[\u202a-\u202e]/u;

/** @type {readonly Rule[]} */
export const CALLBACK_PARAMETERS = [
  {
    id: 'C7',
    question:
      'Is an error answer that belongs to no login turned away as the sender’s mistake (4xx), its text unread and other logins unharmed?',
    async ask(world) {
      await world.start();
      const browser = new Browser();
      const login = await world.begin(browser);
      const error = { error: 'server_error', error_description: CANARY };
      /** @type {readonly [string, Browser, Record<string, string>][]} */
      const forged = world.oauth1
        ? [
            ['an unknown `denied`, no login', new Browser(), { denied: CANARY }],
            ['an unknown `denied`, a login pending', browser, { denied: CANARY }],
          ]
        : [
            ['no state', new Browser(), error],
            ['a wrong state', browser, { ...error, state: 'forged' }],
          ];
      for (const [name, sender, query] of forged) {
        const answer = await sender.get(world.at('/callback', query));
        const read = JSON.stringify(answer.json?.messages ?? []).includes(CANARY);
        if (answer.outcome !== 'failure' || answer.status >= 500 || read)
          return fail(`${name}: ${told(answer)}`);
      }
      const finished = await browser.get(world.callback(login));
      if (finished.outcome !== 'success') return fail(`the pending login was lost: ${told(finished)}`);
      return pass('refused as a stranger’s, the pending login lives');
    },
  },
  {
    id: 'C8',
    question:
      'Does text from the callback’s address reach the application’s messages only without control characters and cut short (1000 characters)?',
    async ask(world) {
      await world.start();
      for (const error of ['access_denied', 'server_error']) {
        const browser = new Browser();
        const { state, requestToken } = await world.begin(browser);
        const query = world.oauth1
          ? { denied: requestToken, error_description: NASTY }
          : { error, state, error_description: NASTY };
        const answer = await browser.get(world.at('/callback', query));
        const messages = [answer.json?.messages ?? []].flat().map(String);
        const dirty = messages.find((text) => text.length > 1000 || UNPRINTABLE.test(text));
        if (dirty)
          return fail(
            `${error}: a message of ${dirty.length} characters, ${JSON.stringify(dirty.slice(0, 60))}`,
          );
      }
      return pass('clean and short');
    },
  },
  {
    id: 'C9',
    question:
      'Is a callback with a parameter doubled, bracketed or empty turned away before anything goes to the network?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const [name, distort] of Object.entries(world.oauth1 ? DISTORTIONS_1 : DISTORTIONS_2)) {
        const browser = new Browser();
        const login = await world.begin(browser);
        const query = new URLSearchParams(world.consent(login)).toString();
        const address = `${world.at('/callback')}?${distort(query)}`;
        const exchanges = world.network.callsOf('token').length;
        const answer = await browser.get(address);
        const calls = world.network.callsOf('token').length - exchanges;
        if (answer.outcome === 'success' || calls > 0)
          return fail(`${name}: ${told(answer)}, ${calls} exchange(s)`);
      }
      return pass('none was exchanged');
    },
  },
  {
    id: 'C10',
    question: 'Is a callback turned away that has one half in the query and the other in a posted form?',
    async ask(world) {
      await world.start();
      const browser = new Browser();
      const { state = '', oauth_verifier = '', ...rest } = world.consent(await world.begin(browser));
      const query = world.oauth1 ? { oauth_verifier } : { state };
      const exchanges = world.network.callsOf('token').length;
      const answer = await browser.get(world.at('/callback', query), { form: rest });
      const calls = world.network.callsOf('token').length - exchanges;
      if (answer.outcome === 'success' || calls > 0) return fail(`${told(answer)}, ${calls} exchange(s)`);
      return pass(told(answer));
    },
  },
  {
    id: 'C11',
    question:
      'Is a callback that names another server as its issuer (`iss`, RFC 9207) turned away before its code goes anywhere?',
    unless: oauth2Only,
    async ask(world) {
      await world.start();
      const browser = new Browser();
      const login = await world.begin(browser);
      const address = world.callback(login, { query: { iss: 'https://evil.example' } });
      const { result, calls } = await counting(world, () => browser.get(address));
      const problem = slip(result, calls);
      return problem ? fail(problem) : pass(told(result));
    },
  },
  {
    id: 'C12',
    question:
      'Is a stray hit on the callback (parameters of an answer, but nothing to exchange) turned away, not turned into a new login?',
    async ask(world) {
      await world.start();
      const names = [...world.facts.ownParameters];
      for (const query of [
        ...names.map((name) => `${name}=stray`),
        world.oauth1 ? 'oauth_token=' : 'code=&state=stray',
      ]) {
        const { result, calls } = await counting(world, () =>
          new Browser().get(`${world.at('/callback')}?${query}`),
        );
        const problem = slip(result, calls);
        if (problem) return fail(`?${query}: ${problem}`);
      }
      return pass('refused');
    },
  },
];

/** @type {Readonly<Record<string, (query: string) => string>>} */
const DISTORTIONS_2 = {
  'code twice': (query) => `${query}&code=another`,
  'code as an object': (query) => query.replace('code=', 'code[x]='),
  'state as a list': (query) => query.replace('state=', 'state[]='),
  'code empty': (query) => query.replace(/code=[^&]*/, 'code='),
};

/** @type {Readonly<Record<string, (query: string) => string>>} */
const DISTORTIONS_1 = {
  'oauth_verifier twice': (query) => `${query}&oauth_verifier=another`,
  'oauth_token twice': (query) => `${query}&oauth_token=another`,
  'oauth_token as a list': (query) => query.replace('oauth_token=', 'oauth_token[]='),
  'oauth_token empty': (query) => query.replace(/oauth_token=[^&]*/, 'oauth_token='),
};
