import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { collectsWarnings } from '../../support/warnings.js';
import {
  type BareApp,
  expressApp,
  fastifyApp,
  httpApp,
  koaApp,
  nestApp,
  SIGN_IN,
  startBareApp,
} from './bare-apps.js';
import { allow, callbackOf, start } from './example-journey.js';
import { compileNest } from './nest.js';

/** With NestJS on Fastify, the consumers `nestjs-11` and `nestjs-12` prove the same. */
const APPS: readonly [title: string, build: BareApp][] = [
  ['Express 4', expressApp('express-4')],
  ['Express 5', expressApp('express-5')],
  ['NestJS 11', nestApp('nestjs-11')],
  ['NestJS 12', nestApp('nestjs-12')],
  ['Koa 3', koaApp],
  ['Fastify 5', fastifyApp({ exposes: true })],
];

describe('the response', () => {
  const opened = closesAfterEach();
  collectsWarnings();
  let sandbox: Sandbox;

  before(async function () {
    this.timeout(60_000);
    compileNest();
    sandbox = await startSandbox();
  });

  after(() => sandbox?.close());

  for (const [title, build] of APPS) {
    it(`C36: of the default error handler of ${title} removes the cookie, and neither caches nor Referer keep the callback`, async () => {
      const app = opened(await startBareApp(build, sandbox));
      const browser = new Browser();
      const authorization = await start(browser, app, 'short-video');
      expect(browser.cookieHeader(app.url)).to.match(/^login\.[\w-]{16}=[^;]+$/);
      const { searchParams } = new URL(authorization);
      const callback = new URL(searchParams.get('redirect_uri') ?? '');
      callback.search = `?error=server_error&state=${searchParams.get('state')}`;
      const page = await browser.get(callback.href);
      expect(page.status).to.equal(502);
      expect(page.headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(page.headers['set-cookie']?.join()).to.match(
        /^login\.[\w-]{16}=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/,
      );
      expect(browser.cookieHeader(app.url)).to.equal('');
      const again = await browser.get(await allow(browser, authorization));
      expect(again.status).to.equal(403);
    });
  }

  for (const [title, build, line] of [
    ['Fastify', fastifyApp, "app.addHook('onRequest', exposeResponse)"],
    ['bare node:http', httpApp, 'app.use(exposeResponse)'],
  ] as const) {
    it(`that ${title} does not offer is a TypeError with the line to add`, async () => {
      const app = opened(await startBareApp(build({ exposes: false }), sandbox));
      const page = await new Browser().get(`${app.url}${SIGN_IN}`);
      expect([page.status, page.location]).to.deep.equal([500, '']);
      expect(app.reports.map(String)).to.deep.equal([
        `TypeError: cookieLogins: a cookie must be set, and the framework offers no response at req.res. Add ${line} before Passport, with exposeResponse from passport-social-networks.`,
      ]);
    });

    it(`is all that ${title} needs`, async () => {
      const app = opened(await startBareApp(build({ exposes: true }), sandbox));
      const browser = new Browser();
      const page = await browser.get(await callbackOf(browser, app, 'short-video'));
      expect(page.json).to.deep.equal({ id: 'somebody' });
      expect(browser.cookieHeader(app.url)).to.equal('');
      expect(app.reports).to.deep.equal([]);
    });
  }
});
