import { Browser, told } from '../browser.mjs';
import { sendJSON } from '../fake-network.mjs';
import { fail, pass, Unfit } from '../verdicts.mjs';
import { isSignedIn, signIn } from './browsers.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

/** Where both processes of an application stand for browsers: behind a load balancer. */
const BALANCED = { callbackURL: 'https://app.example/callback' };

/** @type {readonly Rule[]} */
export const SESSIONS = [
  {
    id: 'C26',
    question:
      'One callback is sent to two processes with one session store at the same moment: is its code posted once, and one request logged in?',
    async ask(world) {
      const sessions = await world.folder();
      await world.start({ sessions, options: BALANCED });
      const here = world.application;
      await world.start({ sessions, options: BALANCED });
      const there = world.application;
      // Begun at the one, finished at the other.
      const control = new Browser();
      const begun = await world.begin(control);
      const ordinary = await control.get(elsewhere(world.callback(begun), here));
      if (ordinary.outcome !== 'success') return fail(`not even an ordinary login: ${told(ordinary)}`);
      const browser = new Browser();
      const address = world.callback(await world.begin(browser));
      const before = world.network.callsOf('token').length;
      const answers = await Promise.all(
        [here, there].map((process) => browser.copy().get(elsewhere(address, process))),
      );
      const posts = world.network.callsOf('token').length - before;
      const successes = answers.filter(({ outcome }) => outcome === 'success').length;
      const evidence = `${posts} post(s), ${successes} success(es): ${answers.map(told).join('; ')}`;
      return posts === 1 && successes === 1 ? pass(evidence) : fail(evidence);
    },
  },
  {
    id: 'C27',
    question:
      'The application keeps the query of a login link in its state, and the browser follows 16 links with long queries (900 and 8,000 characters): does the login that was pending finish?',
    async ask(world) {
      await world.start({ routes: [{ path: '/login/link', keepsQuery: true }] });
      for (const [name, lengths] of /** @type {const} */ ([
        ['one link with a short query', [10]],
        ['16 links', [...Array(8).fill(900), ...Array(8).fill(8_000)]],
      ])) {
        const browser = new Browser();
        const address = world.callback(await world.begin(browser));
        for (const length of lengths)
          await browser.get(world.at('/login/link', { returnTo: 'x'.repeat(length) }));
        const answer = await browser.get(address);
        if (answer.outcome !== 'success') return fail(`pushed out by ${name}: ${told(answer)}`);
      }
      return pass('finished');
    },
  },
  {
    id: 'C28',
    question:
      'A user signs out while a slow login starts or finishes in the same session: does the old session stay signed out?',
    async ask(world) {
      await world.start({ routes: [{ path: '/login/slow', held: true }] });
      await world.mustLogIn();
      for (const [name, run] of Object.entries(SLOW_LOGINS)) {
        const browser = new Browser();
        await signIn(world, browser, 'user');
        const login = await run(world, browser);
        // Keeps the session's cookie, as another tab or a thief does.
        const old = browser.copy();
        if (!(await isSignedIn(world, old))) throw new Error('the application forgets who is signed in');
        await login();
        if (await isSignedIn(world, old)) return fail(`${name}: signed in again`);
      }
      return pass(`after ${Object.keys(SLOW_LOGINS).join(', ')}`);
    },
  },
];

/** The same address at another process. @param {string} address @param {{ url: string }} process */
function elsewhere(address, { url }) {
  const { pathname, search } = new URL(address);
  return `${url}${pathname}${search}`;
}

/**
 * Logins during which the user signs out; each returns what is left to do.
 *
 * @type {Readonly<Record<string, (world: World, browser: Browser) => Promise<() => Promise<void>>>>}
 */
const SLOW_LOGINS = {
  'a sign-out alone': async (world, browser) => async () => signOut(world, browser),
  'a start': async (world, browser) => async () => {
    const held = world.application.holdsRequest();
    const starting = browser.copy().get(world.at('/login/slow'));
    await held;
    await signOut(world, browser);
    await starting;
  },
  'a callback with a login': (world, browser) => slowCallback(world, browser, 'alice'),
  'a callback that the network refuses': (world, browser) =>
    slowCallback(world, browser, 'alice', (response) => sendJSON(response, { error: 'invalid_grant' }, 400)),
  'a callback that verify refuses': (world, browser) => slowCallback(world, browser, 'mallory'),
};

/**
 * A callback during which the user signs out, while the network takes its time.
 *
 * @param {World} world
 * @param {Browser} browser
 * @param {string} person
 * @param {import('../fake-network.mjs').Responder} [respond]
 */
async function slowCallback(world, browser, person, respond = world.network.usual) {
  const address = world.callback(await world.begin(browser), { person });
  return async () => {
    let isSignedOut = false;
    world.network.once('token', async (response, call) => {
      await signOut(world, browser);
      isSignedOut = true;
      await respond(response, call);
    });
    const answer = await browser.copy().get(address);
    if (!isSignedOut) throw new Unfit(`the callback of ${person} never reached the network: ${told(answer)}`);
  };
}

/** @param {World} world @param {Browser} browser */
async function signOut(world, browser) {
  const answer = await browser.copy().get(world.at('/sign-out'));
  if (answer.outcome !== 'success') throw new Error(`the application signs nobody out: ${told(answer)}`);
}
