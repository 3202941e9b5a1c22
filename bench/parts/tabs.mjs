// A program: a pending login in each store. Measures the bytes of the session or of the cookies as more tabs start a login, the time to save
// and to take one, and the memory that the process keeps for it.
import { oursAtMicroblog } from '../clients/index.mjs';
import { Browser } from '../clients/passport-client.mjs';
import { finish, settings } from '../processes.mjs';
import { inRounds, median } from '../rounds.mjs';
import { builtPackage } from '../versions.mjs';

/** The last number is beyond the limit of 20, so the oldest logins are dropped. */
const TABS = [1, 5, 10, 20, 25];

/** @typedef {import('../versions.mjs').Version} Version */
/** @typedef {{ id: string }} PendingLogin */

const { addresses, versions, rounds, times, logins } = settings();
/** As long as real ones, because they are part of what is kept. */
const OPTIONS = {
  clientID: 'CLIENT-ID-0123456789abcdef0123456789',
  callbackURL: 'https://app.example/api/auth/callback/microblog',
};

/** @type {{ name: string, make: (version: Version) => any, sizeOf: (browser: Browser) => string }[]} */
const STORES = [
  {
    name: '`sessionLogins()`',
    make: (version) => builtPackage(version).sessionLogins(),
    sizeOf: ({ session }) => session,
  },
  {
    name: '`cookieLogins({ secrets })`',
    make: (version) =>
      builtPackage(version).cookieLogins({ secrets: 'a secret of more than thirty-two characters' }),
    sizeOf: ({ cookieHeader }) => cookieHeader,
  },
];

/** A function that returns another pending login each time, as the strategy itself makes it. @param {Version} version */
function loginsOf(version) {
  /** @type {PendingLogin | undefined} */
  let saved;
  const store = {
    /** @param {unknown} _req @param {PendingLogin} login */
    save(_req, login) {
      saved = login;
    },
    take: () => undefined,
  };
  const client = oursAtMicroblog(addresses, version, { ...OPTIONS, store });
  return async () => {
    await client.start(new Browser());
    if (!saved) throw new Error('the strategy did not save the login');
    return saved;
  };
}

/** @param {() => unknown} work */
async function microseconds(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) * 1_000;
}

const subjects = STORES.flatMap(({ name, make, sizeOf }) =>
  TABS.flatMap((tabs) =>
    versions.map((/** @type {Version} */ version) => ({
      subject: [name, String(tabs)],
      client: version.client,
      tabs,
      store: make(version),
      newLogin: loginsOf(version),
      sizeOf,
    })),
  ),
);

/** @param {typeof subjects[number]} subject */
async function measureTabs({ tabs, store, newLogin, sizeOf }) {
  const saves = [];
  const takes = [];
  let bytes = 0;
  let kept = 0;
  for (let time = 0; time < times; time += 1) {
    const browser = new Browser();
    /** The newest first. @type {string[]} */
    const ids = [];
    for (let tab = 1; tab <= tabs; tab += 1) {
      const login = await newLogin();
      // Made before the clock starts: parsing a request is the framework's work.
      const request = browser.request();
      const duration = await microseconds(() => store.save(request, login));
      if (tab === tabs) saves.push(duration);
      ids.unshift(login.id);
    }
    bytes = sizeOf(browser).length;
    const request = browser.request();
    let newest;
    const duration = await microseconds(async () => {
      newest = await store.take(request, ids[0]);
    });
    takes.push(duration);
    if (!newest) throw new Error(`the login of tab ${tabs} was lost`);
    if (time > 0) continue;
    kept = 1;
    for (const id of ids.slice(1)) if (await store.take(browser.request(), id)) kept += 1;
  }
  return { kept, bytes, save: median(saves), take: median(takes) };
}

/** Logins that users start and do not finish. @param {{ version: Version, make: (version: Version) => any }} subject */
async function measurePending({ version, make }) {
  const client = oursAtMicroblog(addresses, version, { ...OPTIONS, store: make(version) });
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  for (let warming = 0; warming < 300; warming += 1) await client.start(new Browser());
  const sessions = [];
  const before = heap();
  for (let login = 0; login < logins; login += 1) {
    const browser = new Browser();
    await client.start(browser);
    // As express-session's MemoryStore keeps a session. Browsers keep their cookies.
    if (browser.session !== '{}') sessions.push(browser.session);
  }
  const after = heap();
  return { heap: (after - before) / logins, sessions: sessions.length };
}

finish({
  tabs: await inRounds(subjects, rounds, measureTabs),
  pending: await inRounds(
    STORES.flatMap(({ name, make }) =>
      versions.map((/** @type {Version} */ version) => ({
        subject: [name],
        client: version.client,
        version,
        make,
      })),
    ),
    rounds,
    measurePending,
  ),
});
