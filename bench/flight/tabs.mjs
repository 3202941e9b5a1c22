// What a login that is under way costs its browser and its server as more tabs start one: bytes of the session or of the
// cookies, microseconds to keep it and to take it.
import { randomBytes } from 'node:crypto';
import { builtPackage } from '../clients/ours.mjs';
import { median } from '../rounds.mjs';

const TIMES = 200;
/** The last one is beyond the cap: the oldest has to go. */
export const TABS = [1, 5, 10, 20, 25];

/** @typedef {{ tabs: number, kept: number, bytes: number, save: number, take: number }} TabFigures */
/** @typedef {{ store: string, failure?: string, figures: TabFigures[] }} TabResult */

const secret = () => randomBytes(32).toString('base64url');

/** As a strategy of the microblog network writes it. */
const newLogin = () => ({
  id: secret(),
  strategy: 'microblog',
  clientID: 'CLIENT-ID-0123456789abcdef0123456789',
  callbackURL: 'https://app.example/api/auth/callback/microblog',
  secret: secret(),
  scope: ['tweet.read', 'users.read'],
  expiresAt: Date.now() + 600_000,
});

/** A browser with its session and its cookies, as far as a store of logins sees them. */
class Browser {
  /** @type {Record<string, unknown>} */
  session = {};
  /** @type {Map<string, string>} */
  cookies = new Map();

  request() {
    const browser = this;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const res = {
      headersSent: false,
      setHeader() {},
      appendHeader(/** @type {string} */ _name, /** @type {string} */ line) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/max-age=0\b/i.test(line)) browser.cookies.delete(name);
        else browser.cookies.set(name, value);
      },
    };
    return { session: this.session, headers: { cookie }, res };
  }
}

/** @param {() => unknown} work */
async function microseconds(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) * 1_000;
}

/**
 * @param {any} store
 * @param {number} tabs
 * @param {(browser: Browser) => { kept: number, bytes: number }} weigh
 * @returns {Promise<TabFigures>}
 */
async function measureStore(store, tabs, weigh) {
  const saves = [];
  const takes = [];
  let weight = { kept: 0, bytes: 0 };
  for (let time = 0; time < TIMES; time += 1) {
    const browser = new Browser();
    for (let tab = 1; tab < tabs; tab += 1) await store.save(browser.request(), newLogin());
    const login = newLogin();
    // Built before the clock runs: reading a request is the framework's work.
    const starting = browser.request();
    saves.push(await microseconds(() => store.save(starting, login)));
    weight = weigh(browser);
    const ending = browser.request();
    let found;
    takes.push(
      await microseconds(async () => {
        found = await store.take(ending, login.id);
      }),
    );
    if (!found) throw new Error(`the login of tab ${tabs} was lost`);
  }
  return { tabs, ...weight, save: median(saves), take: median(takes) };
}

/** @returns {Promise<TabResult[]>} */
export async function measureTabs() {
  const { sessionLogins, cookieLogins } = builtPackage();
  /** @type {{ store: string, made: object, weigh: (browser: Browser) => { kept: number, bytes: number } }[]} */
  const stores = [
    {
      store: 'sessionLogins()',
      made: sessionLogins(),
      weigh: ({ session }) => ({
        kept: Object.keys(/** @type {object} */ (session.pendingLogins)).length,
        bytes: JSON.stringify(session.pendingLogins).length,
      }),
    },
    {
      store: 'cookieLogins({ secrets })',
      made: cookieLogins({ secrets: 'a secret of more than thirty-two characters' }),
      weigh: (browser) => ({ kept: browser.cookies.size, bytes: browser.request().headers.cookie.length }),
    },
  ];
  /** @type {TabResult[]} */
  const results = [];
  for (const { store, made, weigh } of stores) {
    try {
      const figures = [];
      for (const tabs of TABS) figures.push(await measureStore(made, tabs, weigh));
      results.push({ store, figures });
    } catch (error) {
      results.push({ store, figures: [], failure: /** @type {Error} */ (error).message });
    }
  }
  return results;
}
