import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { callbackOf, logIn } from '../support/journey.js';
import { type Contract, personOf } from './harness.js';

/** Several logins of one browser at once, whatever the network. */
export function tabs({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;

  for (const order of [
    ['alice', 'anna', 'max'],
    ['anna', 'max', 'alice'],
    ['max', 'anna', 'alice'],
  ]) {
    it(`C3: tabs started as alice, anna, max and finished as ${order.join(', ')} all log in`, async () => {
      const world = await sandbox();
      const server = await app(strategy(world));
      const browser = new Browser();
      const callbacks = new Map<string, string>();
      for (const person of ['alice', 'anna', 'max']) {
        callbacks.set(person, await callbackOf(browser, server, provider, person));
      }
      for (const person of order) {
        const page = await browser.get(callbacks.get(person) ?? '');
        expect(page.json.user).to.deep.equal(personOf(subject, world, person));
      }
    });
  }

  it('C3: a forged callback between two tabs harms neither', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const first = await callbackOf(browser, server, provider, 'alice');
    const second = await callbackOf(browser, server, provider, 'anna');
    const forged = await browser.get(forge(first));
    expect(forged.status).to.equal(403);
    expect(forged.json.failure.code).to.equal('unknown_login');
    expect((await browser.get(second)).json.user).to.deep.equal(personOf(subject, world, 'anna'));
    expect((await browser.get(forge(second))).status).to.equal(403);
    expect((await browser.get(first)).json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  it('C20: the session id changes at login, and logins of other tabs survive', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
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
  });

  it('a browser that is logged in already can log in as somebody else', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    await logIn(server, provider, 'alice', browser);
    await logIn(server, provider, 'anna', browser);
    const me = await browser.get(`${server.url}/me`);
    expect(me.json.user).to.deep.equal(personOf(subject, world, 'anna'));
  });

  it('C3: tabs that start at the same moment all log in', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    // One login beforehand, so that the tabs share a session.
    await callbackOf(browser, server, provider);
    const people = ['alice', 'anna', 'max'];
    const callbacks = await Promise.all(people.map((id) => callbackOf(browser, server, provider, id)));
    for (const [index, id] of people.entries()) {
      const page = await browser.get(callbacks[index] ?? '');
      expect(page.json.user).to.deep.equal(personOf(subject, world, id));
    }
  });

  it('C3: tabs that finish at the same moment all log in', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const people = ['alice', 'anna', 'max'];
    const callbacks: string[] = [];
    for (const id of people) callbacks.push(await callbackOf(browser, server, provider, id));
    const pages = await Promise.all(callbacks.map((callback) => browser.get(callback)));
    expect(pages.map(({ json }) => json.user)).to.deep.equal(
      people.map((id) => personOf(subject, world, id)),
    );
  });

  it('C3: twenty pending logins are kept, and the oldest goes first', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 21; tab += 1) callbacks.push(await callbackOf(browser, server, provider));
    const [oldest = '', second = ''] = callbacks;
    expect((await browser.get(oldest)).json.failure.code).to.equal('unknown_login');
    expect((await browser.get(second)).status).to.equal(200);
    expect((await browser.get(callbacks.at(-1) ?? '')).status).to.equal(200);
  });
}

/** The callback as somebody would make it up who knows its form, and none of its values. */
function forge(callback: string): string {
  const url = new URL(callback);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, `forged-${name}`);
  return url.href;
}
