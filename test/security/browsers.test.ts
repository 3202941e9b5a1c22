import { expect } from 'chai';
import type express from 'express';
import { backendRequests, describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, logIn, OWN_FETCH, start } from '../support/journey.js';
import { type NamedStrategy, passportApp } from '../support/login-app.js';
import { serve } from '../support/server.js';

/** What a request says of its user, as where users sign in with a token of the application, or somebody is impersonated. */
const as = (user: object) => ({ 'x-user': JSON.stringify(user) });

/**
 * An application in which users link an account by plain `passport.authorize`.
 *
 * @param forLogin - The strategy with which they log in; without one, the application has no session.
 */
async function linkingApp(strategy: NamedStrategy, forLogin?: NamedStrategy) {
  const { name } = strategy;
  const { app, authenticator } = passportApp({ sessionless: !forLogin });
  authenticator.use(strategy);
  const links: unknown[] = [];
  if (forLogin) {
    authenticator.use(forLogin);
    app.get(`/login/${forLogin.name}`, authenticator.authenticate(forLogin.name));
    app.get(`/api/auth/callback/${forLogin.name}`, authenticator.authenticate(forLogin.name), (req, res) => {
      res.json({ user: req.user });
    });
  }
  app.use((req, _res, next) => {
    const user = req.get('x-user');
    if (user) req.user = { ...req.user, ...JSON.parse(user) };
    next();
  });
  app.get(`/login/${name}`, authenticator.authorize(name));
  app.get(`/authenticate/${name}`, authenticator.authenticate(name));
  app.post(`/request/${name}`, async (req, res) => {
    res.json({ url: await strategy.authorizationRequest?.(req, { assignProperty: 'account' }) });
  });
  app.get(
    `/api/auth/callback/${name}`,
    authenticator.authorize(name, { failWithError: true }),
    (req: express.Request & { account?: unknown }, res) => {
      links.push({ user: req.user, account: req.account });
      res.json({ linked: true });
    },
  );
  const handler: express.ErrorRequestHandler = (error: Error & { status?: number }, _req, res, _next) => {
    res.status(error.status ?? 500).json({ name: error.name, message: error.message });
  };
  app.use(handler);
  return Object.assign(await serve(app), { links });
}

/** Plants the session of one browser in another one, as a sibling host can. */
function plantSession(from: Browser, to: Browser, url: string): void {
  const [, sid = ''] = /connect\.sid=([^;]+)/.exec(from.cookieHeader(url)) ?? [];
  to.keepCookies(url, [`connect.sid=${sid}; Path=/`]);
}

describeEach('a login belongs to the browser that began it', ({ subject: { provider }, ...contract }) => {
  const { sandbox, strategy, closing, begin } = contract;

  /** An application in which alice has logged in, and what the tests do in that browser. */
  async function linking() {
    const world = await sandbox();
    const server = closing(await linkingApp(strategy(world), strategy(world, { name: 'own-login' })));
    const browser = new Browser();
    expect((await logIn(server, 'own-login', 'alice', browser)).status).to.equal(200);
    const expectUnlinked = async (callback: string) => {
      const requests = backendRequests(world);
      expect((await browser.get(callback)).status).to.equal(403);
      expect(backendRequests(world)).to.deep.equal(requests);
      expect(server.links).to.deep.equal([]);
    };
    return { server, browser, expectUnlinked };
  }

  it('C1, C25, O3: a planted session does not let another browser finish the login that was begun in it', async () => {
    const { world, server, browser: attacker, callback } = await begin();
    const victim = new Browser();
    plantSession(attacker, victim, server.url);
    await expectRefused(world, () => victim.get(callback));
    expect((await attacker.get(callback)).status).to.equal(200);
  });

  it('C25: a login that began with somebody signed in is linked, in each of two tabs', async () => {
    const { server, browser } = await linking();
    const first = await callbackOf(browser, server, provider);
    const second = await callbackOf(browser, server, provider, 'anna');
    expect([(await browser.get(second)).status, (await browser.get(first)).status]).to.deep.equal([200, 200]);
    expect(server.links).to.have.length(2);
  });

  it('C34: a login that authenticate began never finishes through authorize, whoever is signed in', async () => {
    const { server, browser, expectUnlinked } = await linking();
    const { location } = await browser.get(`${server.url}/authenticate/${provider}`);
    await expectUnlinked(await allow(browser, location));
  });

  it('C34, C47: a login that a script began never finishes through authorize, whatever it is given', async () => {
    const { server, browser, expectUnlinked } = await linking();
    const { json } = await browser.post(`${server.url}/request/${provider}`, {}, OWN_FETCH);
    await expectUnlinked(await allow(browser, json.url));
  });

  it('C34: a login that another site began never finishes through authorize', async () => {
    const { server, browser, expectUnlinked } = await linking();
    const forced = await start(browser, server, provider, { 'sec-fetch-site': 'cross-site' });
    await expectUnlinked(await allow(browser, forced));
    const sameSite = await start(browser, server, provider, { 'sec-fetch-site': 'same-site' });
    expect((await browser.get(await allow(browser, sameSite))).status).to.equal(200);
    expect(server.links).to.have.length(1);
  });
});

describeEach(
  'a link in an application without Passport’s session',
  ({ subject: { provider }, ...contract }) => {
    const { sandbox, strategy, closing } = contract;
    const byTenant = ({ user }: express.Request) => {
      const { tenant, sub } = (user ?? {}) as { tenant?: string; sub?: string };
      return user && `${tenant} ${sub}`;
    };
    const alice = { sub: 'alice', tenant: 'shop', accounts: ['one'] };

    it('C25, S12: without linksTo, authorize is a TypeError that prints the option, and nothing starts', async () => {
      const world = await sandbox();
      const server = closing(await linkingApp(strategy(world)));
      for (const headers of [as(alice), {}]) {
        const page = await new Browser().get(`${server.url}/login/${provider}`, headers);
        expect([page.status, page.json.name]).to.deep.equal([500, 'TypeError']);
        expect(page.json.message).to.include('Add the option linksTo, ').and.include('linksTo: (req) => ');
        expect(page.headers).to.not.have.property('set-cookie');
      }
      expect(world.requests()).to.deep.equal([]);
    });

    for (const [title, user, isLinked] of [
      ['the token of the same user', { ...alice, accounts: ['one', 'two'], iat: 2 }, true],
      ['the token of another user', { ...alice, sub: 'mallory' }, false],
      ['another active tenant', { ...alice, tenant: 'bank' }, false],
      ['nobody', undefined, false],
    ] as const) {
      it(`C25, S12: a link that linksTo began for one user ${isLinked ? 'finishes' : 'does not finish'} with ${title}`, async () => {
        const world = await sandbox();
        const server = closing(await linkingApp(strategy(world, { linksTo: byTenant })));
        const browser = new Browser();
        const callback = await allow(browser, await start(browser, server, provider, as(alice)));
        const before = backendRequests(world);
        const page = await browser.get(callback, user ? as(user) : {});
        expect(page.status).to.equal(isLinked ? 200 : 403);
        if (!isLinked) expect(backendRequests(world)).to.deep.equal(before);
      });
    }
  },
);
