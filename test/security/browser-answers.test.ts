import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';

import express = require('express');

import fc from 'fast-check';

import passport = require('passport');

import { exposeResponse, isLocalURL } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser, type Page } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { allow, callbackOf, deny, start, withParameters } from '../support/journey.js';
import type { NamedStrategy } from '../support/login-app.js';
import { serve, type TestServer } from '../support/server.js';

function expectPrivate({ headers }: Page): void {
  expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
}

describeEach('what a browser may store of a login', ({ subject, sandbox, strategy, app, begin }) => {
  const { provider } = subject;

  it('C21: no redirect and no page at the callback URL is cached or sends a Referer, whatever the outcome', async () => {
    const { world, server, browser, callback } = await begin();
    const again = await callbackOf(browser, server, provider);
    expectPrivate(await browser.get(`${server.url}/login/${provider}`));
    expectPrivate(await browser.get(callback));
    // The same response again, now as a failure.
    expectPrivate(await browser.get(callback));
    expectPrivate(await browser.get(await deny(browser, await start(browser, server, provider))));
    world.reset();
    const page = await browser.get(again);
    expect(page.status).to.equal(502);
    expectPrivate(page);
  });

  it('C22: a URL in the query of a request is never a redirect target', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const browser = new Browser();
    const evil = encodeURIComponent('https://evil.example/');
    const names = ['redirect_uri', 'callbackURL', 'returnTo', 'return_to', 'next', 'successRedirect'];
    const query = names.map((name) => `${name}=${evil}`).join('&');
    const beginning = await browser.get(`${server.url}/login/${provider}?${query}`);
    expect(new URL(beginning.location).origin).to.equal(world.url);
    expect(beginning.location).to.not.include('evil');
    const callback = await allow(browser, beginning.location);
    expect(new URL(callback).origin).to.equal(server.url);
    const page = await browser.get(`${callback}&${query}`);
    expect([page.status, page.location]).to.deep.equal([200, '']);
  });
});

describe('a return URL', () => {
  const close = closesAfterEach();
  const evil = [
    ...'//evil.example ///evil.example \\\\evil.example /\\evil.example \\/evil.example'.split(' '),
    ...'/\t/evil.example /\n/evil.example /\r\n/evil.example \t//evil.example'.split(' '),
    ...'https:evil.example https:/evil.example https://evil.example javascript:alert(1)'.split(' '),
    ...'data:text/html,x evil.example @evil.example /path\\to /path\u0000 /path\u007f /path\u0085 /путь /é'.split(
      ' ',
    ),
    // The host that the check itself uses as its base.
    '//here.invalid/path',
    ' //evil.example',
    '/a\r\nSet-Cookie: x=1',
    '',
  ];

  it('C22: every accepted URL leads to the host of the application', () => {
    const piece = fc.constantFrom(...'/ \\ . : @ ? # %2f \t \n a é ж evil.example https'.split(' '), ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const candidate = pieces.join('');
        if (!isLocalURL(candidate)) return;
        expect(new URL(candidate, 'https://app.example/cb?x').origin).to.equal('https://app.example');
        expect(candidate.startsWith('/')).to.equal(true);
        // https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2: an URI has no other letters.
        expect(candidate).to.match(/^\p{ASCII}*$/u);
      }),
      { numRuns: 5_000 },
    );
  });

  it('C22: an application that checks return URLs never redirects to a rejected one', async () => {
    const app = express();
    app.get('/back', ({ query: { to } }, res) => res.redirect(isLocalURL(to) ? to : '/'));
    const { url } = close(await serve(app));
    for (const candidate of [...evil, '/cart']) {
      const page = await new Browser().get(`${url}/back?to=${encodeURIComponent(candidate)}`);
      const expected = candidate === '/cart' ? `${url}/cart` : `${url}/`;
      expect([candidate, page.status, page.location]).to.deep.equal([candidate, 302, expected]);
    }
    expect((await new Browser().get(`${url}/back?to=/cart&to=//evil.example`)).location).to.equal(`${url}/`);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: these frameworks have no types here.
type Untyped = any;

const from = (example: string, name: string): Untyped =>
  createRequire(join(__dirname, '..', '..', 'examples', example, 'app.js'))(name);

const BEGIN = '/login/';
const CALLBACK = '/callback';
const finished = { finished: true };

/** An application with the default error handler of its framework. */
type Framework = (strategy: NamedStrategy) => Promise<TestServer>;

const expressOf =
  (example: string): Framework =>
  async (strategy) => {
    const app = from(example, 'express')();
    // The default error handler prints the error, but not in tests.
    app.set('env', 'test');
    const authenticator = new passport.Passport().use(strategy);
    const authenticate = authenticator.authenticate(strategy.name, { session: false });
    app.get(BEGIN, authenticate);
    app.get(CALLBACK, authenticate, (_req: unknown, res: Untyped) => res.json(finished));
    return serve(app);
  };

const koa: Framework = async (strategy) => {
  const app = new (from('koa', 'koa'))();
  app.silent = true;
  const authenticator = new (from('koa', 'koa-passport').KoaPassport)();
  authenticator.use(strategy);
  const authenticate = authenticator.authenticate(strategy.name, { session: false });
  app.use(authenticator.initialize()).use(authenticate);
  app.use((ctx: Untyped) => {
    ctx.body = finished;
  });
  return serve(app.callback());
};

const fastify: Framework = async (strategy) => {
  const app = from('fastify', 'fastify')();
  app.addHook('onRequest', exposeResponse);
  await app.register(from('fastify', '@fastify/cookie'));
  await app.register(from('fastify', '@fastify/session'), {
    secret: 'k'.repeat(32),
    cookie: { secure: false },
  });
  const authenticator = new (from('fastify', '@fastify/passport').Authenticator)();
  authenticator.use(strategy);
  await app.register(authenticator.initialize());
  const preValidation = authenticator.authenticate(strategy.name, { session: false });
  app.get(BEGIN, { preValidation }, async () => {});
  app.get(CALLBACK, { preValidation }, async () => finished);
  await app.ready();
  const server = await serve((req, res) => app.routing(req, res));
  return { ...server, close: () => server.close().then(() => app.close()) };
};

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  'Express 4': expressOf('express-4'),
  'Express 5': expressOf('express'),
  'Koa and koa-passport': koa,
  'Fastify and @fastify/passport': fastify,
};

describeEach('a login that ends in an error', ({ subject, sandbox, strategy, closing }) => {
  for (const [framework, start] of Object.entries(FRAMEWORKS)) {
    // What a framework does with an error hangs on no network: elsewhere one of each protocol.
    if (framework !== 'Express 5' && subject.provider !== 'microblog') continue;
    it(`C36: in ${framework}, the default error handler removes the login's cookie and keeps the response private`, async () => {
      const world = await sandbox({});
      const made = strategy(world, { callbackURL: CALLBACK });
      const server = closing(await start(made));
      const browser = new Browser();
      const callback = await callbackOf(browser, server, '');
      expect(browser.cookieHeader(server.url)).to.match(/^login\.[\w-]{16}=/);
      // An error response of OAuth 2.0 does not use up the code. OAuth 1.0a has none, so there the network is down.
      const error = { code: undefined, error: 'server_error' };
      if (subject.oauth === '1.0a') await world.close();
      const page = await browser.get(subject.oauth === '1.0a' ? callback : withParameters(callback, error));
      expect(page.status).to.equal(subject.oauth === '1.0a' ? 502 : 503);
      expectPrivate(page);
      expect(browser.cookieHeader(server.url)).to.not.include('login.');
      const again = await browser.get(callback);
      expect([again.status, again.json]).to.not.deep.equal([200, finished]);
    });
  }
});
