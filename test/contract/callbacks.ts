import { expect } from 'chai';
import { MemoryStore } from 'express-session';
import { Browser } from '../support/browser.js';
import { fakeClock } from '../support/clock.js';
import { callbackOf, deny, start, withParameters } from '../support/journey.js';
import { backendRequests, type Contract, profileRequests } from './harness.js';

/** Callbacks that must not log anybody in, whatever the network. */
export function callbacks({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;
  const clock = fakeClock();

  it('C1: a callback without a pending login is 403, and the network is not asked', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const callback = await callbackOf(new Browser(), server, provider);
    const requests = backendRequests(world);
    const page = await new Browser().get(callback);
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('unknown_login');
    expect(page.json.failure.message).to.include('The browser sent no cookie');
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it("O3: another browser's login cannot be finished, even with a login of one's own pending", async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const victim = new Browser();
    await start(victim, server, provider);
    const callback = await callbackOf(new Browser(), server, provider);
    const requests = backendRequests(world);
    const page = await victim.get(callback);
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('unknown_login');
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C2: a callback works once; again it is 403, and the network is not asked', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    expect((await browser.get(callback)).status).to.equal(200);
    const requests = backendRequests(world);
    const page = await browser.get(callback);
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('used_login');
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C13: two copies of one callback at the same time make one exchange', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    const pages = await Promise.all([browser.get(callback), browser.get(callback)]);
    expect(pages.map(({ status }) => status)).to.have.members([200, 403]);
    expect(profileRequests(subject, world)).to.equal(1);
  });

  it('C2: a denial spends the login', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = await deny(browser, await start(browser, server, provider));
    expect((await browser.get(callback)).status).to.equal(401);
    const again = await browser.get(callback);
    expect(again.status).to.equal(403);
    expect(again.json.failure.code).to.equal('used_login');
  });

  it('C2: a login that verify refused is spent', async () => {
    const world = await sandbox();
    const server = await app(strategy(world, {}, async () => false));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    expect((await browser.get(callback)).status).to.equal(401);
    expect((await browser.get(callback)).json.failure.code).to.equal('used_login');
  });

  it('C2: a login that failed at the network is spent', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    world.reset();
    expect((await browser.get(callback)).status).to.equal(502);
    const requests = backendRequests(world);
    expect((await browser.get(callback)).json.failure.code).to.equal('used_login');
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C6: a login of more than ten minutes is 403 expired_login, and the network is not asked', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    const requests = backendRequests(world);
    clock.advance(10 * 60_000);
    const page = await browser.get(callback);
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('expired_login');
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C9: each parameter of a callback given twice is 400, and the network is not asked', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser, server, provider));
    const requests = backendRequests(world);
    const names = [...callback.searchParams.keys()];
    expect(names).to.have.length.above(1);
    for (const name of names) {
      const page = await browser.get(`${callback.href}&${name}=again`);
      expect([name, page.status]).to.deep.equal([name, 400]);
      expect(page.json.failure.code).to.equal('malformed_callback');
    }
    expect(backendRequests(world)).to.deep.equal(requests);
    expect((await browser.get(callback.href)).status).to.equal(200);
  });

  it('C9: a parameter written as an array is 400, and an empty one is no login', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser, server, provider));
    const requests = backendRequests(world);
    for (const name of callback.searchParams.keys()) {
      const page = await browser.get(`${withParameters(callback.href, { [name]: undefined })}&${name}[]=x`);
      expect([name, page.status]).to.deep.equal([name, 400]);
    }
    const empty = [...callback.searchParams.keys()].map((name) => `${name}=`).join('&');
    expect((await browser.get(`${callback.origin}${callback.pathname}?${empty}`)).status).to.equal(400);
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it('C12: a callback with one of its parameters alone starts no new login', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser, server, provider));
    const requests = backendRequests(world);
    for (const [name, value] of callback.searchParams) {
      const alone = `${callback.origin}${callback.pathname}?${name}=${encodeURIComponent(value)}`;
      const page = await new Browser().get(alone);
      expect([name, page.status]).to.deep.equal([name, 403]);
      expect(page.location).to.equal('');
    }
    expect(backendRequests(world)).to.deep.equal(requests);
  });

  it("C4: one strategy's callback is 403 at another strategy, and still good at its own", async () => {
    const world = await sandbox();
    const server = await app([strategy(world), strategy(world, { name: 'second-app' })]);
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    await start(browser, server, 'second-app');
    const { search } = new URL(callback);
    const requests = backendRequests(world);
    const page = await browser.get(`${server.url}/api/auth/callback/second-app${search}`);
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('unknown_login');
    expect(backendRequests(world)).to.deep.equal(requests);
    expect((await browser.get(callback)).status).to.equal(200);
  });

  it("C4: one client's callback is 403 at another client of the same name", async () => {
    const world = await sandbox();
    const sessions = new MemoryStore();
    const server = await app(strategy(world), { sessions });
    const other = await app(strategy(world, { clientID: 'another-client' }), { sessions });
    const browser = new Browser();
    const callback = await callbackOf(browser, server, provider);
    const { pathname, search } = new URL(callback);
    const cookie = browser.cookieHeader(server.url);
    const page = await new Browser().get(`${other.url}${pathname}${search}`, { cookie });
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('unknown_login');
    const good = await new Browser().get(callback, { cookie });
    expect(good.status).to.equal(200);
  });

  it('C10: a code in the body is not read', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const callback = new URL(await callbackOf(browser, server, provider));
    const requests = backendRequests(world);
    const kept = callback.searchParams.has('state') ? 'state' : 'oauth_token';
    const body = Object.fromEntries([...callback.searchParams].filter(([name]) => name !== kept));
    const query = `${callback.origin}${callback.pathname}?${kept}=${callback.searchParams.get(kept)}`;
    const page = await browser.post(query, body);
    expect(page.status).to.equal(400);
    expect(backendRequests(world)).to.deep.equal(requests);
  });
}
