// A program: pending logins in the default store. Measures what a browser's cookies and session hold as more of its tabs start a login, how
// many of these logins it can finish, and the memory that the application's process keeps for a login that nobody finishes.
import { Browser } from '../clients/passport-client.mjs';
import { oursAtMicroblog } from '../clients/strategies.mjs';
import { finish, settings } from '../processes.mjs';
import { inRounds, median } from '../rounds.mjs';
import { OURS } from '../versions.mjs';

/** The last number is beyond every limit, so the oldest logins are dropped. */
const TABS = [1, 2, 4, 8, 25];

/** @type {import('../run.mjs').Context & { rounds: number, times: number, logins: number }} */
const { addresses, rounds, times, logins } = settings();
/** As long as real ones, because they can be part of what is kept. */
const OPTIONS = {
  clientID: 'CLIENT-ID-0123456789abcdef0123456789',
  callbackURL: 'https://app.example/api/auth/callback/microblog',
};

/** @param {string} session - JSON. */
const bytesOf = (session) => (session === '{}' ? 0 : session.length);

/** @param {{ tabs: number }} subject */
async function measureTabs({ tabs }) {
  const client = oursAtMicroblog(addresses, OPTIONS);
  const starts = [];
  let browser = new Browser();
  /** @type {string[]} */
  let locations = [];
  for (let time = 0; time < times; time += 1) {
    browser = new Browser();
    locations = [];
    while (locations.length < tabs) {
      const begin = performance.now();
      locations.push(await client.start(browser));
      if (locations.length === tabs) starts.push((performance.now() - begin) * 1_000);
    }
  }
  const cookies = browser.cookieHeader.length;
  const session = bytesOf(browser.session);
  const endings = [];
  for (const location of locations)
    endings.push(...(await Promise.allSettled([client.finish(browser, location)])));
  const kept = endings.filter(({ status }) => status === 'fulfilled').length;
  if (kept === 0) throw new Error(`all logins of ${tabs} tabs were lost`);
  return { kept, cookies, session, start: median(starts) };
}

/** Logins that users start and do not finish. The sessions are kept as express-session's MemoryStore keeps them. */
async function measurePending() {
  const client = oursAtMicroblog(addresses, OPTIONS);
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
    if (bytesOf(browser.session) > 0) sessions.push(browser.session);
  }
  return { heap: (heap() - before) / logins, sessions: sessions.length };
}

const subjects = TABS.map((tabs) => ({ subject: [String(tabs)], client: OURS, tabs }));
const pending = [{ subject: ['a login that nobody finishes'], client: OURS }];
finish({
  tabs: await inRounds(subjects, rounds, measureTabs),
  pending: await inRounds(pending, rounds, measurePending),
});
