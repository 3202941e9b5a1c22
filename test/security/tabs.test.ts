import { expect } from 'chai';
import { cookieLogins, sessionLogins } from '../../lib/index.js';
import { type Contract, describeEach, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf, logIn } from '../support/journey.js';
import { SlowStore } from '../support/slow-sessions.js';

const STORES = {
  'in the session': () => sessionLogins(),
  'in cookies': () => cookieLogins({ secrets: 'a secret of the tests, long enough to be one' }),
};
const PEOPLE = ['alice', 'anna', 'max'];

for (const [place, store] of Object.entries(STORES)) {
  describeEach(`several tabs, with pending logins ${place}`, (contract) => {
    const { subject } = contract;
    const { provider } = subject;

    const scene = async () => {
      const world = await contract.sandbox();
      const server = await contract.app(contract.strategy(world, { store: store() }));
      return { world, server, browser: new Browser() };
    };

    for (const order of [
      ['alice', 'anna', 'max'],
      ['max', 'anna', 'alice'],
    ]) {
      it(`C3: tabs started as alice, anna, max and finished as ${order.join(', ')} all log in`, async () => {
        const { world, server, browser } = await scene();
        const callbacks = new Map<string, string>();
        for (const person of PEOPLE) {
          callbacks.set(person, await callbackOf(browser, server, provider, person));
        }
        for (const person of order) {
          const page = await browser.get(callbacks.get(person) ?? '');
          expect(page.json.user).to.deep.equal(personOf(subject, world, person));
        }
      });
    }

    it('C3: a forged authorization response cannot break the logins of two tabs', async () => {
      const { world, server, browser } = await scene();
      const first = await callbackOf(browser, server, provider, 'alice');
      const second = await callbackOf(browser, server, provider, 'anna');
      const forged = await browser.get(forge(first));
      expect(forged.status).to.equal(403);
      expect(forged.json.failure.code).to.equal('unknown_login');
      expect((await browser.get(second)).json.user).to.deep.equal(personOf(subject, world, 'anna'));
      expect((await browser.get(forge(second))).status).to.equal(403);
      expect((await browser.get(first)).json.user).to.deep.equal(personOf(subject, world, 'alice'));
    });

    it('C3: twenty tabs that start at the same time and finish at the same time all log in', async () => {
      const { world, server, browser } = await scene();
      // One login first, so that the tabs share a session.
      await logIn(server, provider, 'anna', browser);
      const people = Array.from({ length: 20 }, (_, tab) => PEOPLE[tab % PEOPLE.length] ?? '');
      const callbacks = await Promise.all(people.map((id) => callbackOf(browser, server, provider, id)));
      const pages = await Promise.all(callbacks.map((callback) => browser.get(callback)));
      expect(pages.map(({ json }) => json.user)).to.deep.equal(
        people.map((id) => personOf(subject, world, id)),
      );
    });

    it('C3: tabs that start at the same time all log in with a slow session store', async () => {
      const world = await contract.sandbox();
      const settings = { sessions: new SlowStore() };
      const server = await contract.app(contract.strategy(world, { store: store() }), settings);
      const browser = new Browser();
      await logIn(server, provider, 'anna', browser);
      const callbacks = await Promise.all(PEOPLE.map((id) => callbackOf(browser, server, provider, id)));
      for (const [index, id] of PEOPLE.entries()) {
        const page = await browser.get(callbacks[index] ?? '');
        expect(page.json.user, page.text).to.deep.equal(personOf(subject, world, id));
      }
    });

    it('C3: twenty pending logins are kept, and the oldest is dropped first', async () => {
      const { server, browser } = await scene();
      const callbacks: string[] = [];
      for (let tab = 0; tab < 21; tab += 1) callbacks.push(await callbackOf(browser, server, provider));
      const [oldest = '', second = ''] = callbacks;
      expect((await browser.get(oldest)).json.failure.code).to.equal('unknown_login');
      expect((await browser.get(second)).status).to.equal(200);
      expect((await browser.get(callbacks.at(-1) ?? '')).status).to.equal(200);
    });

    it('C20: the session ID changes at login, and the pending logins of other tabs survive', async () => {
      await expectNewSession(contract, store());
    });
  });
}

async function expectNewSession({ subject, sandbox, strategy, app }: Contract, store: object): Promise<void> {
  const world = await sandbox();
  const server = await app(strategy(world, { store }));
  const { provider } = subject;
  const browser = new Browser();
  // A user who is already logged in has a session with either store.
  await logIn(server, provider, 'max', browser);
  const callback = await callbackOf(browser, server, provider, 'alice');
  const other = await callbackOf(browser, server, provider, 'anna');
  const before = (await browser.get(`${server.url}/me`)).json.session;
  const page = await browser.get(callback);
  expect(page.json.session).to.be.a('string').that.does.not.equal(before);
  expect((await browser.get(`${server.url}/me`)).json).to.deep.equal({
    user: personOf(subject, world, 'alice'),
    session: page.json.session,
  });
  expect((await browser.get(other)).json.user).to.deep.equal(personOf(subject, world, 'anna'));
}

/** An authorization response as forged by somebody who knows its parameters but not their values. */
function forge(callback: string): string {
  const url = new URL(callback);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, `forged-${name}`);
  return url.href;
}
