import { expect } from 'chai';
import { MicroblogStrategy } from 'passport-social-networks';
import { rehearse } from '../../../sandbox/lib/index.js';
import { makeCertificate } from '../../../sandbox/lib/server/certificate.js';
import { Browser, type Page } from '../../support/browser.js';
import { allow, deny, start as startAt } from '../../support/journey.js';
import { loginApp } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { oneSandbox } from '../../support/sandbox.js';
import { serveTLS } from '../../support/tls-front.js';
import type { AnyFunction } from '../../support/verification.js';
import { collectsWarnings } from '../../support/warnings.js';
import {
  accountOf,
  begin,
  type ExampleApp,
  FRAMEWORKS,
  listen,
  MICROBLOG,
  MICROBLOG_1_0,
  NETWORKS,
  type Network,
  prepareExamples,
  SECRET,
  type Settings,
  SHORT_VIDEO,
  sandboxNetworks,
} from './harness.js';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const CALLBACK = '/api/auth/callback/short-video';
const LATER = 'The login could not be finished. Please try again.';
/** Credentials for the real network. The tests look at the redirect to it but do not follow it. */
const REAL = { 'short-video': { clientID: 'CLIENT-KEY', clientSecret: 'CLIENT-SECRET' } };

const failing: AnyFunction = async (_token, _refreshToken, _profile, _done) => {
  throw new Error('the database is gone');
};

describe('the framework examples', () => {
  const opened = realSockets();
  const warnings = collectsWarnings();
  const sandbox = oneSandbox();
  let certificate: Awaited<ReturnType<typeof makeCertificate>>;

  before(async function () {
    this.timeout(60_000);
    prepareExamples();
    certificate = await makeCertificate('127.0.0.1');
  });

  for (const framework of FRAMEWORKS) {
    describe(framework.title, () => {
      const start = async (settings: Partial<Settings> = {}) =>
        opened(
          await listen((rest) =>
            framework.load({ networks: sandboxNetworks(sandbox), ...settings, ...rest }),
          ),
        );
      /** The account that is logged in after a callback: the home page shows it, or the callback route responds with a token for it. */
      const account = async (browser: Browser, app: ExampleApp, page: Page) => {
        const { token } = page.json ?? {};
        const isLoggedIn = framework.sessionless ? token !== undefined : page.location === `${app.url}/`;
        if (!isLoggedIn) throw new Error(`no login: HTTP ${page.status} ${page.text}`);
        const [path, headers] = token ? ['/api/me', { authorization: `Bearer ${token}` }] : ['/', {}];
        return (await browser.get(app.url + path, headers)).json;
      };
      const logIn = async (browser: Browser, app: ExampleApp, network: Network, person?: string) =>
        browser.get(await allow(browser, await begin(browser, app, network.name), person));

      // One network of each protocol.
      for (const network of [MICROBLOG, MICROBLOG_1_0]) {
        const { name, tokenRequest } = network;

        it(`responds with status and code to a user who declines at ${name}, and to its faults, whose messages are logged`, async () => {
          const app = await start();
          const browser = new Browser();
          const declined = await browser.get(await deny(browser, await begin(browser, app, name)));
          const message = 'The user declined the login at the network.';
          expect([declined.status, declined.json]).to.deep.equal([401, { message, code: 'access_denied' }]);
          expect(app.reports).to.deep.equal([]);
          for (const [fault, status, code] of [
            ['reset', 502, 'connection_failed'],
            ['rate-limit', 503, 'rate_limited'],
          ] as const) {
            sandbox.fault({ ...tokenRequest, fault: { kind: fault }, times: 1 });
            const page = await logIn(browser, app, network);
            expect([page.status, page.json]).to.deep.equal([status, { message: LATER, code }]);
            expect(app.reports.splice(0)[0]?.message).to.match(new RegExp(`^${name}, token: `));
          }
          const page = await logIn(browser, app, network);
          expect(await account(browser, app, page)).to.deep.equal(accountOf(network, sandbox, 'alice'));
        });
      }

      it('logs one error, whose message is not shown, if verify rejects', async () => {
        const app = await start({ verify: failing });
        const page = await logIn(new Browser(), app, SHORT_VIDEO);
        expect([page.status, page.json.message]).to.deep.equal([500, LATER]);
        expect(app.reports.map(({ message }) => message)).to.deep.equal(['the database is gone']);
        expect(await warnings.texts()).to.deep.equal([]);
        expect((await new Browser().get(app.url)).status).to.equal(200);
      });

      it('ignores a forwarded scheme and host on a plain connection, warns once, and logs the user in', async () => {
        const app = await start();
        const browser = new Browser();
        const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
        for (const _visit of ['first', 'second']) {
          const { location } = await browser.get(`${app.url}/api/auth/signin/short-video`, forged);
          expect(callbackIn(location)).to.equal(`${app.url}${CALLBACK}`);
          const page = await browser.get(await allow(browser, location, 'anna'), forged);
          expect(await account(browser, app, page)).to.deep.equal(accountOf(SHORT_VIDEO, sandbox, 'anna'));
          browser.signOut(app.url);
        }
        expect(app.reports).to.deep.equal([]);
        const [text, ...others] = await warnings.texts();
        expect(text).to.contain(`ShortVideoStrategy: option callbackURL is ${app.url}${CALLBACK}.`);
        expect(text).to.contain('A proxy says that the browser came with https');
        expect(others).to.deep.equal([]);
      });

      it('ignores a forwarded scheme on an encrypted connection', async () => {
        const example = await framework.load({ networks: REAL, secret: SECRET, report: () => {} });
        opened({ close: () => example.close?.() });
        const { url } = opened(await serveTLS(certificate, example.listener));
        const browser = new Browser({ ca: certificate.cert });
        const page = await browser.get(`${url}/api/auth/signin/short-video`, { 'x-forwarded-proto': 'http' });
        expect(callbackIn(page.location)).to.equal(`${url}${CALLBACK}`);
      });

      it('uses the forwarded scheme and host of a trusted proxy', async () => {
        const app = await start({ networks: REAL, trustProxy: true });
        const { location } = await new Browser().get(`${app.url}/api/auth/signin/short-video`, {
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'login.example',
        });
        expect(callbackIn(location)).to.equal(`https://login.example${CALLBACK}`);
        expect(await warnings.texts()).to.deep.equal([]);
      });

      it('cuts a long name', async () => {
        const app = await start();
        const browser = new Browser();
        const { displayName } = await account(browser, app, await logIn(browser, app, SHORT_VIDEO, 'hubert'));
        expect(displayName).to.have.length(100);
      });

      /** Logs somebody in with a new browser. @returns What sends the forms that begin a link. */
      const visit = async (app: ExampleApp, network: Network, person: string) => {
        const browser = new Browser();
        const page = await logIn(browser, app, network, person);
        const form = framework.sessionless ? { token: page.json.token } : {};
        const send = (name: string, headers: Readonly<Record<string, string>> = SAME_ORIGIN) =>
          browser.post(`${app.url}/link/${name}`, form, headers);
        return { browser, page, send };
      };
      const microblogOf = async (app: ExampleApp) => {
        const { browser, page } = await visit(app, MICROBLOG, 'max');
        return account(browser, app, page);
      };

      for (const network of NETWORKS.slice(1)) {
        it(`links a login at ${network.name} to the account of the user who asked for it, in every browser`, async () => {
          const app = await start();
          const alice = await visit(app, SHORT_VIDEO, 'alice');
          const { location } = await alice.send(network.name);
          const linked = await alice.browser.get(await allow(alice.browser, location, 'max'));
          const expected = accountOf(SHORT_VIDEO, sandbox, 'alice');
          expect(await account(alice.browser, app, linked)).to.deep.equal(expected);
          const { browser, page } = await visit(app, network, 'max');
          expect(await account(browser, app, page)).to.deep.equal(expected);
        });
      }

      it('links no login that belongs to another account', async () => {
        const app = await start();
        await visit(app, MICROBLOG, 'max');
        const { browser, send } = await visit(app, SHORT_VIDEO, 'alice');
        const { location } = await send(MICROBLOG.name);
        const refused = await browser.get(await allow(browser, location, 'max'));
        expect(`${refused.status} ${refused.json.message}`).to.equal(
          '409 This login belongs to another account.',
        );
        expect(await microblogOf(app)).to.deep.equal(accountOf(MICROBLOG, sandbox, 'max'));
      });

      it('begins no link with a form of another site, nor with nobody logged in', async () => {
        const app = await start();
        const { send } = await visit(app, SHORT_VIDEO, 'alice');
        for (const site of ['cross-site', 'same-site', 'none', undefined]) {
          const page = await send('microblog', site === undefined ? {} : { 'sec-fetch-site': site });
          expect([page.status, page.location], site).to.deep.equal([403, '']);
        }
        const page = await new Browser().post(`${app.url}/link/microblog`, { token: 'forged' }, SAME_ORIGIN);
        expect(`${page.status} ${page.location}`).to.equal(
          framework.sessionless ? '401 ' : `302 ${app.url}/`,
        );
      });

      if (framework.sessionless) {
        it('C44: takes no login, whose state would decide a link, that somebody made who knows the client secret', async () => {
          const baseURL = 'http://127.0.0.1:1';
          const microblog = { ...sandbox.options('microblog'), baseURL };
          const app = await start({ networks: { microblog } });
          const strategy = new MicroblogStrategy(microblog, () => ({}));
          const forger = opened(await loginApp(strategy, { start: { state: 'microblog:783214' } }));
          const browser = new Browser();
          const callback = await allow(browser, await startAt(browser, forger, 'microblog'), 'ned');
          const page = await browser.get(callback.replace(baseURL, app.url));
          expect([page.status, page.json.code]).to.deep.equal([403, 'unknown_login']);
        });
        return;
      }

      it('passes a rehearsal of links, also of one that another user of the browser would finish', async () => {
        const url = `${(await start()).url}/api/auth/signin/short-video`;
        const { checks } = await rehearse(url, { only: ['linking'], link: '/link/microblog' });
        expect(checks.at(-1)).to.include({ name: 'linking', passed: true });
      });
    });
  }
});

function callbackIn(authorization: string): string | null {
  return new URL(authorization).searchParams.get('redirect_uri');
}
