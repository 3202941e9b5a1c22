import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow } from '../support/journey.js';

const OLD = 'the old secret of the tests, of thirty-two characters or more';

describeEach('a pending login in a cookie', (contract) => {
  const { subject, sandbox, app, strategy, begin } = contract;
  const { provider } = subject;

  const authorizationURL = subject.oauth === '1.0a' ? 'userAuthorizationURL' : 'authorizationURL';
  for (const [title, options] of [
    [
      "one client's authorization response is 403 at another client with the same strategy name",
      { clientID: 'another-client' },
    ],
    [
      "one network's authorization response is 403 at another network with the same client",
      { [authorizationURL]: 'https://another.example/authorize' },
    ],
  ] as const) {
    it(`C4: ${title}`, async () => {
      // One redirect URI for both: another would be refused anyway.
      const common = { store: cookieLogins({ secrets: OLD }), baseURL: 'http://127.0.0.1:3000' };
      const { world, server, browser, callback } = await begin(common);
      const other = await app(strategy(world, { ...common, ...options }));
      const { pathname, search } = new URL(callback);
      const header = { cookie: browser.cookieHeader(server.url) };
      const at = ({ url }: { readonly url: string }) =>
        new Browser().get(`${url}${pathname}${search}`, header);
      await expectRefused(world, () => at(other));
      expect((await at(server)).status).to.equal(200);
    });
  }

  const relative = (host: string): Place => ({ headers: { host }, options: {} });
  const absolute = (option: string, url: string): Place => ({ headers: {}, options: { [option]: url } });
  for (const [title, staging, production] of [
    [
      'with absolute redirect URIs',
      absolute('callbackURL', 'https://staging.example/cb'),
      absolute('callbackURL', 'https://app.example/cb'),
    ],
    ['with relative redirect URIs', relative('localhost:3000'), relative('127.0.0.1:3000')],
    [
      'with an absolute and a relative one',
      absolute('callbackURL', 'http://localhost:3000/cb'),
      relative('localhost:3000'),
    ],
  ] as const) {
    it(`C35: a login that began at staging is 403 in production, ${title}, with the same secret`, async () => {
      const world = await sandbox();
      // Whoever may choose the state at staging would choose it in production.
      const start = { state: { role: 'admin' } };
      const there = await app(strategy(world, staging.options), { start, sessionless: true });
      const here = await app(strategy(world, production.options), { sessionless: true });
      const begun = await new Browser().get(`${there.url}/login/${provider}`, staging.headers);
      const [cookie = ''] = begun.headers['set-cookie']?.[0]?.split(';', 1) ?? [];
      const { search } = new URL(await allow(new Browser(), begun.location));
      const at = `${here.url}/api/auth/callback/${provider}${search}`;
      await expectRefused(world, () => new Browser().get(at, { ...production.headers, cookie }));
    });
  }
});

interface Place {
  readonly headers: Readonly<Record<string, string>>;
  readonly options: object;
}
