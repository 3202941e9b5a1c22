import { Browser, told } from '../browser.mjs';
import { sendJSON } from '../fake-network.mjs';
import { fail, pass } from '../verdicts.mjs';
import { counting, oauth2Only, slip } from './rule.mjs';

/** @typedef {import('./rule.mjs').Rule} Rule */

/** @param {import('../subjects.mjs').Variant} variant @returns {Rule['ask']} */
const foreignCallback = (variant) => async (world) => {
  await world.start({ variant });
  // The attacker's own login, begun in the attacker's browser, its link opened by somebody else.
  const link = world.callback(await world.begin(new Browser()), { person: 'eve' });
  const { result, calls } = await counting(world, () => new Browser().get(link));
  const problem = slip(result, calls);
  return problem ? fail(problem) : pass(told(result));
};

/** @type {readonly Rule[]} */
export const PENDING_LOGINS = [
  {
    id: 'login',
    question: 'Does an ordinary login succeed (that the bench speaks its language)?',
    async ask(world) {
      await world.start();
      const answer = await world.login();
      const { token, idType } = answer.json?.user ?? {};
      return answer.outcome === 'success' && String(token).startsWith('canary-access-token-alice')
        ? pass(`logged in, profile.id is a ${idType}`)
        : fail(told(answer));
    },
  },
  {
    id: 'C1',
    question:
      'Set up as its README shows: is a callback link of another person’s login turned away before anything goes to the network?',
    ask: foreignCallback('readme'),
  },
  {
    id: 'C1 set up safely',
    question: 'The same with its safest documented settings, which all further questions use?',
    ask: foreignCallback('safest'),
  },
  {
    id: 'C2',
    question:
      'Once a callback was answered, whatever came of it, is a second callback of that login turned away?',
    async ask(world) {
      await world.start();
      for (const [name, first] of Object.entries(FIRST_CALLBACKS)) {
        if (name.startsWith('a profile') && !world.facts.paths.profile) continue;
        const browser = new Browser();
        const login = await world.begin(browser);
        const address = first(world, login);
        const ending = await browser.get(address);
        world.network.behave();
        const again = world.callback(login);
        const { result, calls } = await counting(world, () => browser.get(again));
        const problem = slip(result, calls);
        if (problem) return fail(`after ${name} (${told(ending)}): ${problem}`);
      }
      return pass(`refused after ${Object.keys(FIRST_CALLBACKS).join(', ')}`);
    },
  },
  {
    id: 'C3',
    question:
      'Three tabs of one browser log in at once and finish in another order, a forged callback in between: do all three succeed?',
    async ask(world) {
      await world.start();
      const browser = new Browser();
      const tabs = [await world.begin(browser), await world.begin(browser), await world.begin(browser)];
      const forged = world.oauth1
        ? { oauth_token: 'forged', oauth_verifier: 'forged' }
        : { code: 'forged', state: 'forged-state-of-the-same-length-as-others' };
      await browser.get(world.at('/callback', forged));
      const order = [2, 0, 1];
      const outcomes = [];
      for (const index of order) {
        const login = tabs[index];
        if (login) outcomes.push(await browser.get(world.callback(login)));
      }
      const lost = outcomes.findIndex(({ outcome }) => outcome !== 'success');
      const done = outcomes.filter(({ outcome }) => outcome === 'success').length;
      const [first] = outcomes.slice(lost);
      return lost < 0 || !first ? pass('3 of 3') : fail(`${done} of 3; the first lost: ${told(first)}`);
    },
  },
  {
    id: 'C4',
    question:
      'Two clients of one network: is a login begun with the one turned away at the other’s callback?',
    async ask(world) {
      const idOption = 'consumerKey' in world.subject.variants.safest ? 'consumerKey' : 'clientID';
      await world.start({
        names: ['first', 'second'],
        each: (name) => ({ [idOption]: `client-${name}`, ...(world.subject.ours && { name }) }),
      });
      const browser = new Browser();
      const control = await world.begin(browser, { path: '/login/first' });
      const own = await browser.get(world.callback(control, { path: '/callback/first' }));
      if (own.outcome !== 'success') return fail(`not even its own callback: ${told(own)}`);
      const other = new Browser();
      const login = await world.begin(other, { path: '/login/first' });
      const address = world.callback(login, { path: '/callback/second' });
      const { result, calls } = await counting(world, () => other.get(address));
      const problem = slip(result, calls);
      return problem ? fail(problem) : pass(told(result));
    },
  },
  {
    id: 'C5',
    question: 'Has the state at least 128 bits, and is it another one for each of 60 logins?',
    unless: oauth2Only,
    async ask(world) {
      await world.start();
      const states = [];
      for (let count = 0; count < 60; count += 1) states.push((await world.begin(new Browser())).state);
      if (new Set(states).size < states.length) return fail('the same state twice');
      const alphabet = new Set(states.join('')).size;
      const shortest = Math.min(...states.map(({ length }) => length));
      const bits = Math.floor(shortest * Math.log2(alphabet));
      const evidence = `${shortest} characters out of ${alphabet}, at most ${bits} bits`;
      return bits >= 128 ? pass(evidence) : fail(evidence);
    },
  },
  {
    id: 'C6',
    question: 'Is a callback that comes a day after the login began turned away?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const browser = new Browser();
      const login = await world.begin(browser);
      await world.application.advance(86_400_000);
      const address = world.callback(login);
      const { result, calls } = await counting(world, () => browser.get(address));
      const problem = slip(result, calls);
      return problem ? fail(problem) : pass(told(result));
    },
  },
];

/**
 * Ways in which a first callback ends; each makes the network ready and returns the callback's address.
 *
 * @type {Readonly<Record<string, (world: import('../world.mjs').World, login: import('../world.mjs').Login) => string>>}
 */
const FIRST_CALLBACKS = {
  'a success': (world, login) => world.callback(login),
  'a refusal by verify': (world, login) => world.callback(login, { person: 'mallory' }),
  'a denial': (world, { requestToken, state }) =>
    world.at('/callback', world.oauth1 ? { denied: requestToken } : { error: 'access_denied', state }),
  'a profile request that failed': (world, login) => {
    world.network.once('profile', (response) => sendJSON(response, { error: 'unavailable' }, 400));
    return world.callback(login);
  },
  'a token request that failed': (world, login) => {
    world.network.once('token', (response) => sendJSON(response, { error: 'unavailable' }, 503));
    return world.callback(login);
  },
};
