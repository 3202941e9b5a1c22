import { Browser, told } from '../browser.mjs';
import { fail, pass } from '../verdicts.mjs';
import { counting, slip } from './rule.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

/** Requests to the callback's address by which nobody sees a page. HEAD goes to GET routes as well; the others where a route takes them. */
const NO_VISITS = {
  'a HEAD request': { method: 'HEAD' },
  'a prefetch': { headers: { 'sec-purpose': 'prefetch' } },
  'an OPTIONS request': { method: 'OPTIONS' },
  'a POST request': { method: 'POST' },
};

/** @type {readonly Rule[]} */
export const BROWSERS = [
  {
    id: 'C24',
    question:
      'Do HEAD, OPTIONS, POST and a prefetch of the callback’s address send no code to the network, and does the visit that follows log in?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      for (const [name, settings] of Object.entries(NO_VISITS)) {
        const browser = new Browser();
        const address = world.callback(await world.begin(browser));
        const { calls } = await counting(world, () => browser.get(address, settings));
        if (calls > 0) return fail(`${name}: ${calls} request(s) reached the network`);
        if (await isSignedIn(world, browser)) return fail(`${name}: logged in`);
        const visit = await browser.get(address);
        if (visit.outcome !== 'success') return fail(`the visit after ${name}: ${told(visit)}`);
      }
      return pass('nothing was spent');
    },
  },
  {
    id: 'C25',
    question:
      'A session is planted in another browser (session fixation): is a login that was begun in it turned away there, and finished in its own browser?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const [attacker, victim] = [new Browser(), new Browser()];
      const address = world.callback(await world.begin(attacker), { person: 'eve' });
      plantSession(attacker, victim);
      const { result, calls } = await counting(world, () => victim.get(address));
      const problem = slip(result, calls);
      if (problem) return fail(`in the victim’s browser: ${problem}`);
      const own = await attacker.get(address);
      return own.outcome === 'success' ? pass(told(result)) : fail(`in its own browser: ${told(own)}`);
    },
  },
  {
    id: 'C25 link',
    question:
      'Is an account linked (`passport.authorize`) only to the user who began it: neither to a victim who signs in in a planted session, nor to whoever signs in meanwhile?',
    async ask(world) {
      await world.start({
        routes: [
          { path: '/link', link: true },
          { path: '/linked', link: true },
        ],
      });
      const owner = new Browser();
      await signIn(world, owner, 'owner');
      const ordinary = await owner.get(await linkOf(world, owner));
      if (!ordinary.json?.account) return fail(`not even an ordinary link: ${told(ordinary)}`);
      for (const [name, prepare] of Object.entries(STOLEN_LINKS)) {
        const { browser, address } = await prepare(world);
        await signIn(world, browser, 'victim');
        const { result, calls } = await counting(world, () => browser.get(address));
        const problem = slip(result, calls);
        if (problem) return fail(`${name}: ${result.json?.account ? 'linked' : problem}`);
      }
      return pass(`linked for its owner; turned away: ${Object.keys(STOLEN_LINKS).join(', ')}`);
    },
  },
];

/**
 * Links that somebody else began; each returns the browser in which the victim signs in next.
 *
 * @type {Readonly<Record<string, (world: World) => Promise<{ browser: Browser, address: string }>>>}
 */
const STOLEN_LINKS = {
  async 'begun in a planted session'(world) {
    const [attacker, browser] = [new Browser(), new Browser()];
    await signIn(world, attacker, 'attacker');
    const address = await linkOf(world, attacker);
    plantSession(attacker, browser);
    return { browser, address };
  },
  async 'begun with nobody signed in'(world) {
    const browser = new Browser();
    return { browser, address: await linkOf(world, browser) };
  },
  async 'begun by the user before'(world) {
    const browser = new Browser();
    await signIn(world, browser, 'attacker');
    return { browser, address: await linkOf(world, browser) };
  },
};

/** Begins a link. @param {World} world @param {Browser} browser @returns The address of its callback. */
async function linkOf(world, browser) {
  return world.callback(await world.begin(browser, { path: '/link' }), { path: '/linked', person: 'eve' });
}

/** Signs a user of the application in, without any network. @param {World} world @param {Browser} browser @param {string} name */
export async function signIn(world, browser, name) {
  const answer = await browser.get(world.at('/sign-in', { as: name }));
  if (answer.outcome !== 'success') throw new Error(`the application signs nobody in: ${told(answer)}`);
}

/** Whether a user of the application is signed in. @param {World} world @param {Browser} browser */
export async function isSignedIn(world, browser) {
  return Boolean((await browser.get(world.at('/me'))).json.user);
}

/** What a sibling host can do: only the session's cookie gets into the other browser. @param {Browser} from @param {Browser} to */
function plantSession(from, to) {
  to.cookies.set('connect.sid', from.cookies.get('connect.sid') ?? '');
}
