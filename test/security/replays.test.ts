import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { backendRequests, describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf, deny, start, withParameters } from '../support/journey.js';

/** What Redis does with `SET id 1 NX PXAT expiresAt`. */
function sharedClaims() {
  const claimed = new Map<string, number>();
  return {
    claimed,
    claim: async (id: string, expiresAt: number) => {
      if (claimed.has(id)) return false;
      claimed.set(id, expiresAt);
      return true;
    },
  };
}

describeEach(
  'replayed authorization responses',
  ({ subject: { provider }, sandbox, strategy, app, begin }) => {
    it('C2, C26: with claim, two processes that get one authorization response at once post one code', async () => {
      const { claim, claimed } = sharedClaims();
      // Each process has a store of its own, so a replay guard of its own.
      const options = () => ({ store: cookieLogins({ claim }), baseURL: 'http://127.0.0.1:3000' });
      const { world, server: here, browser, callback } = await begin(options());
      const there = await app(strategy(world, options()));
      const before = backendRequests(world).length;
      const cookie = browser.cookieHeader(here.url);
      const { pathname, search } = new URL(callback);
      const responses = await Promise.all(
        [here, there].map(({ url }) => new Browser().get(`${url}${pathname}${search}`, { cookie })),
      );
      expect(responses.map(({ status }) => status)).to.have.members([200, 403]);
      expect(responses.flatMap(({ json }) => json.failure?.code ?? [])).to.deep.equal(['used_login']);
      expect(backendRequests(world)).to.have.length(before + 2);
      expect(claimed.size).to.equal(1);
      expect([...claimed.values()][0]).to.be.above(Date.now());
    });

    it('C26: a claim that fails ends the login before its code is posted', async () => {
      const claim = () => Promise.reject(new Error('Redis is down'));
      const { world, browser, callback } = await begin({ store: cookieLogins({ claim }) });
      const before = backendRequests(world).length;
      expect((await browser.get(callback)).json).to.include({ error: 'Error', message: 'Redis is down' });
      expect(backendRequests(world)).to.have.length(before);
    });

    it('C26: an authorization response without one of its parameters claims nothing, unless a request is sent', async () => {
      const { claim, claimed } = sharedClaims();
      const { world, server, callback: whole } = await begin({ store: cookieLogins({ claim }) });
      for (const name of new URL(whole).searchParams.keys()) {
        const browser = new Browser();
        const callback = await callbackOf(browser, server, provider);
        const [before, claims] = [backendRequests(world).length, claimed.size];
        await browser.get(withParameters(callback, { [name]: undefined }));
        if (backendRequests(world).length === before) expect(claimed.size, name).to.equal(claims);
      }
    });

    it('C26: a login that is denied at the network is not claimed, and fills no memory', async () => {
      const { claim, claimed } = sharedClaims();
      const server = await app(strategy(await sandbox(), { store: cookieLogins({ claim }) }));
      const browser = new Browser();
      const callback = await deny(browser, await start(browser, server, provider));
      expect((await browser.get(callback)).json.failure.code).to.equal('access_denied');
      expect(claimed.size).to.equal(0);
      expect((await browser.get(callback)).json.failure.code).to.equal('unknown_login');
    });
  },
);
