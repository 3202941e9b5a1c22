import { expect } from 'chai';
import { cookieLogins, type LoginStore, ShortVideoStrategy, sessionLogins } from 'passport-social-networks';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { serve } from '../../support/server.js';
import { type ExampleApp, type Listening, SECRET, startExample } from './example-app.js';
import { callbackOf } from './example-journey.js';
import { FRAMEWORKS, titleOf } from './frameworks.js';
import {
  bareFastifyApp,
  expressApp,
  fastifyApp,
  koaApp,
  type Mistake,
  nestApp,
  type Parts,
} from './misbuilt-apps.js';
import { compileNest } from './nest.js';
import { sandboxNetworks } from './networks.js';

type Build = (mistake: Mistake, parts: Parts) => Promise<Listening>;

/** The strategy's message. */
const STRATEGY_MESSAGE =
  'A pending login is kept in req.session, and there is none. Mount a session middleware (for example express-session) before Passport.';
/** Passport's message, before it calls a strategy. */
const PASSPORT_MESSAGE =
  'Login sessions require session support. Did you forget to use `express-session` middleware?';

const MIDDLEWARE = {
  missing: STRATEGY_MESSAGE,
  'after the routes': STRATEGY_MESSAGE,
  'after Passport': PASSPORT_MESSAGE,
};

/** Frameworks in which the order of the middleware matters. */
const ORDERED: readonly [title: string, build: Build][] = [
  ['Express 4, express-session', expressApp('express-4', 'express-session')],
  ['Express 5, express-session', expressApp('express-5', 'express-session')],
  ['Express 5, cookie-session', expressApp('cookie-session', 'cookie-session')],
  ['NestJS 11, express-session', nestApp('nestjs-11')],
  ['NestJS 12, express-session', nestApp('nestjs-12')],
];

describe('session middleware', () => {
  const opened = closesAfterEach();
  let sandbox: Sandbox;

  before(async function () {
    this.timeout(60_000);
    compileNest();
    sandbox = await startSandbox();
  });

  after(() => sandbox?.close());

  async function start(
    build: Build,
    mistake: Mistake,
    store: LoginStore = sessionLogins(),
  ): Promise<ExampleApp> {
    const reports: Error[] = [];
    const networks = sandboxNetworks(sandbox);
    const verify = async () => ({ id: 'somebody' });
    const strategy = new ShortVideoStrategy({ ...sandbox.options('short-video'), store }, verify);
    const example = await build(mistake, {
      strategy: strategy as NamedStrategy,
      store,
      networks,
      secret: SECRET,
      report: (error) => reports.push(error as Error),
    });
    const server = await serve(example.listener);
    const close = async () => {
      await server.close();
      await example.close?.();
    };
    return opened({ url: server.url, port: server.port, reports, close });
  }

  for (const [title, build] of ORDERED) {
    for (const [mistake, message] of Object.entries(MIDDLEWARE) as [Mistake, string][]) {
      it(`${mistake} in ${title} causes one error that names it`, async () => {
        const app = await start(build, mistake);
        for (const visit of [1, 2]) {
          const page = await new Browser().get(`${app.url}/api/auth/signin/short-video`);
          expect(page.status).to.equal(500);
          expect(app.reports.map((error) => error.message)).to.deep.equal(Array(visit).fill(message));
        }
      });
    }
  }

  it('missing in Koa 3, koa-session causes one error that names it', async () => {
    const app = await start(koaApp('memory'), 'missing');
    const page = await new Browser().get(`${app.url}/api/auth/signin/short-video`);
    expect(page.status).to.equal(500);
    expect(app.reports.map(({ message }) => message)).to.deep.equal([STRATEGY_MESSAGE]);
  });

  for (const mistake of ['after Passport', 'after the routes'] as const) {
    it(`${mistake} in Koa 3, koa-session is harmless, because each save writes the cookie`, async () => {
      const app = await start(koaApp('cookie'), mistake);
      const browser = new Browser();
      const page = await browser.get(await callbackOf(browser, app, 'short-video'));
      expect([page.status, page.location]).to.deep.equal([302, `${app.url}/`]);
      expect(app.reports).to.deep.equal([]);
    });
  }

  it('after the routes in Koa 3, koa-session with a store causes one failure: the session is gone', async () => {
    const app = await start(koaApp('memory'), 'after the routes');
    const browser = new Browser();
    const page = await browser.get(await callbackOf(browser, app, 'short-video'));
    expect(page.status).to.equal(403);
    expect(page.json.code).to.equal('unknown_login');
    expect(page.json.message).to.contain('or its session or cookie is gone');
    expect(app.reports).to.deep.equal([]);
  });

  for (const plugin of ['session', 'secure-session'] as const) {
    for (const mistake of ['missing', 'after the routes'] as const) {
      it(`${mistake} in Fastify 5, @fastify/${plugin} fails at startup`, async () => {
        const message = await start(fastifyApp(plugin), mistake).then(
          () => 'it started',
          (error: Error) => error.message,
        );
        expect(message).to.match(/^The decorator 'session' required by '@fastify\/flash' is not present/);
      });
    }
  }

  it('missing in Fastify 5, with the session property declared, causes one error that names it', async () => {
    const app = await start(bareFastifyApp(), 'missing');
    const page = await new Browser().get(`${app.url}/api/auth/signin/short-video`);
    expect(page.status).to.equal(500);
    expect(app.reports.map(({ message }) => message)).to.deep.equal([STRATEGY_MESSAGE]);
  });

  it('missing with sessionLogins() as the store causes one error that names it', async () => {
    const sessionless = FRAMEWORKS.find(({ sessions }) => sessions === undefined);
    if (!sessionless) throw new Error('no example without a session');
    const networks = sandboxNetworks(sandbox);
    const app = opened(await startExample(sessionless, { networks, store: sessionLogins() }));
    const page = await new Browser().get(`${app.url}/api/auth/signin/short-video`);
    expect(page.status, titleOf(sessionless)).to.equal(500);
    expect(app.reports.map(({ message }) => message)).to.deep.equal([STRATEGY_MESSAGE]);
  });

  it('is not needed for cookieLogins() in Fastify 5, but a missing request.res causes one error that names it', async () => {
    const app = await start(bareFastifyApp(), 'missing', cookieLogins({ secrets: SECRET }));
    const page = await new Browser().get(`${app.url}/api/auth/signin/short-video`);
    expect(page.status).to.equal(500);
    expect(app.reports).to.have.length(1);
    expect(app.reports[0]?.message).to.match(/^cookieLogins: a cookie must be set.*request\.res = reply/);
  });

  it('is not needed for cookieLogins() in Fastify 5, with the reply at request.res', async () => {
    const build = bareFastifyApp({ showsReply: true });
    const app = await start(build, 'missing', cookieLogins({ secrets: SECRET }));
    const browser = new Browser();
    const page = await browser.get(await callbackOf(browser, app, 'short-video'));
    expect(page.json).to.deep.equal({ id: 'somebody' });
    expect(browser.cookieHeader(app.url)).to.equal('');
    expect(app.reports).to.deep.equal([]);
  });

  it('that stores sessions in a cookie keeps five tabs within the size limit of browsers', async () => {
    const framework = FRAMEWORKS.find(({ sessions }) => sessions === 'cookie-session');
    if (!framework) throw new Error('no example with cookie-session');
    const networks = sandboxNetworks(sandbox);
    const app = opened(await startExample(framework, { networks }));
    const browser = new Browser();
    const callbacks: string[] = [];
    for (let tab = 0; tab < 6; tab += 1) {
      callbacks.push(await callbackOf(browser, app, 'social-network-2.1', 'anna'));
      const longest = Math.max(
        ...browser
          .cookieHeader(app.url)
          .split('; ')
          .map(({ length }) => length),
      );
      expect(longest).to.be.below(4_096);
    }
    const [oldest = '', ...newer] = callbacks;
    expect((await browser.get(oldest)).json.code).to.equal('unknown_login');
    for (const callback of newer.reverse()) {
      const page = await browser.get(callback);
      expect(await framework.accountAfter(browser, app, page)).to.include({ displayName: 'Анна Примерова' });
    }
  });
});
