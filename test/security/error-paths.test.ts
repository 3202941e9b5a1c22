import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';

import passport = require('passport');

import { exposeResponse } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf, withParameters } from '../support/journey.js';
import type { NamedStrategy } from '../support/login-app.js';
import { serve, type TestServer } from '../support/server.js';

// biome-ignore lint/suspicious/noExplicitAny: these frameworks have no types here.
type Untyped = any;

/** Loads a package as an example does. */
const from = (example: string, name: string): Untyped =>
  createRequire(join(__dirname, '..', '..', 'examples', example, 'app.js'))(name);

const BEGIN = '/login/';
const CALLBACK = '/callback';
const finished = { finished: true };

/** An application with the default error handler of its framework. */
type Framework = (strategy: NamedStrategy) => Promise<TestServer>;

const express =
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
  'Express 4': express('express-4'),
  'Express 5': express('express'),
  'Koa and koa-passport': koa,
  'Fastify and @fastify/passport': fastify,
};

describeEach('a login that ends in an error', ({ subject, sandbox, strategy, closing }) => {
  for (const [framework, start] of Object.entries(FRAMEWORKS)) {
    it(`C36: in ${framework}, the default error handler removes the login's cookie and keeps the response private`, async () => {
      const world = await sandbox({});
      const made = strategy(world, { callbackURL: CALLBACK });
      const server = closing(await start(made));
      const browser = new Browser();
      const callback = await callbackOf(browser, server, '');
      const cookie = browser.cookieHeader(server.url);
      expect(cookie).to.match(/^login\.[\w-]{16}=/);
      // An error response of OAuth 2.0 does not use up the code. OAuth 1.0a has none, so there the network is down.
      const error = { code: undefined, error: 'server_error' };
      if (subject.oauth === '1.0a') await world.close();
      const page = await browser.get(subject.oauth === '1.0a' ? callback : withParameters(callback, error));
      expect(page.status).to.equal(502);
      expect(page.headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(browser.cookieHeader(server.url)).to.not.include('login.');
      const again = await browser.get(callback);
      expect([again.status, again.json]).to.not.deep.equal([200, finished]);
    });
  }
});
