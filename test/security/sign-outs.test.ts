import { expect } from 'chai';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

import { cookieLogins, sessionLogins } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';
import type { NamedStrategy } from '../support/login-app.js';
import { serve } from '../support/server.js';

/** An application in which a request can wait between reading its session and starting or finishing a login. */
async function slowApp(
  strategy: NamedStrategy,
  { keepsMessages = false, options = {}, userProperty = 'user' } = {},
) {
  const authenticator = new passport.Passport();
  authenticator.serializeUser((user, done) => done(null, user));
  authenticator.deserializeUser((user: Express.User, done) => done(null, user));
  authenticator.use(strategy);
  let hold: Promise<void> | undefined;
  let isHeld: () => void = () => {};
  const app = express();
  app.use(session({ secret: 'session-secret', resave: false, saveUninitialized: false }));
  app.use(authenticator.initialize({ userProperty }));
  app.use(authenticator.session());
  const held: express.RequestHandler = async (_req, _res, next) => {
    isHeld();
    await hold;
    next();
  };
  const failures: unknown[] = [];
  const signedIn: unknown[] = [];
  const authenticate: express.RequestHandler = (req, res, next) => {
    void authenticator.authenticate(
      strategy.name,
      options,
      (error: unknown, user: unknown, info: unknown) => {
        if (error) return next(error);
        failures.push(info);
        signedIn.push(Reflect.get(req, userProperty));
        // What Passport does with the option failureMessage.
        if (keepsMessages && !user) Object.assign(req.session, { messages: ['failed'] });
        return res.json({ user });
      },
    )(req, res, next);
  };
  app.get(`/login/${strategy.name}`, held, authenticate);
  app.get(`/api/auth/callback/${strategy.name}`, held, authenticate);
  app.get('/signin', (req, res, next) => {
    req.logIn({ id: 'victim' }, (error: unknown) => (error ? next(error) : res.json({})));
  });
  app.get('/signout', (req, res) => req.session.destroy(() => res.json({})));
  app.get('/me', (req, res) => {
    res.json({ user: Reflect.get(req, userProperty) as unknown });
  });
  /** Waits until the next request has read its session. @returns Lets it go on. */
  const holdNext = () => {
    let release: () => void = () => {};
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    return { reached, release };
  };
  return Object.assign(await serve(app), { holdNext, failures, signedIn });
}

describeEach(
  'signing out while a login is under way',
  ({ subject: { provider }, sandbox, strategy, closing }) => {
    const paths: Readonly<Record<string, (browser: Browser, app: { url: string }) => Promise<string>>> = {
      starts: async (_browser, app) => `${app.url}/login/${provider}`,
      finishes: (browser, app) => callbackOf(browser, app, provider),
    };

    for (const [what, pathOf] of Object.entries(paths)) {
      it(`C28: a login that ${what} in a session that was destroyed meanwhile does not bring the session back`, async () => {
        const app = closing(await slowApp(strategy(await sandbox())));
        const browser = new Browser();
        await browser.get(`${app.url}/signin`);
        const url = await pathOf(browser, app);
        const cookie = browser.cookieHeader(app.url);
        expect((await browser.get(`${app.url}/me`)).json.user).to.deep.equal({ id: 'victim' });
        const { reached, release } = app.holdNext();
        const slow = fetch(url, { headers: { cookie }, redirect: 'manual' });
        await reached;
        await browser.get(`${app.url}/signout`);
        release();
        await slow;
        if (what === 'starts') expect(app.failures.at(-1)).to.include({ code: 'unknown_login' });
        const after = await fetch(`${app.url}/me`, { headers: { cookie } });
        expect(await after.json()).to.deep.equal({});
      });
    }

    const stores = { sessionLogins, cookieLogins: () => cookieLogins({ secrets: 'k'.repeat(32) }) };

    for (const [what, isLink, store, userProperty] of [
      ['a link', true, 'sessionLogins', 'user'],
      ['a link', true, 'cookieLogins', 'user'],
      ['a login that verify rejects', false, 'sessionLogins', 'user'],
      ['a login that verify rejects', false, 'cookieLogins', 'user'],
      ['a login that verify rejects', false, 'sessionLogins', 'account'],
    ] as const) {
      const how = `with ${store} and the user at req.${userProperty}`;
      it(`C28: ${what} that ends after a sign-out in another tab does not bring the session back, ${how}`, async () => {
        let isVerifying: () => void = () => {};
        const verifying = new Promise<void>((resolve) => {
          isVerifying = resolve;
        });
        let decide: (user: object | false) => void = () => {};
        const verdict = new Promise<object | false>((resolve) => {
          decide = resolve;
        });
        const verify = () => {
          isVerifying();
          return verdict;
        };
        const options = isLink ? { assignProperty: 'account' } : {};
        const login = strategy(await sandbox(), { store: stores[store]() }, verify);
        const app = closing(await slowApp(login, { keepsMessages: !isLink, options, userProperty }));
        const browser = new Browser();
        await browser.get(`${app.url}/signin`);
        const url = await callbackOf(browser, app, provider);
        const cookie = browser.cookieHeader(app.url);
        const slow = fetch(url, { headers: { cookie }, redirect: 'manual' });
        await verifying;
        await browser.get(`${app.url}/signout`);
        decide(isLink ? { id: 'account' } : false);
        await slow;
        if (isLink) expect(app.failures.at(-1)).to.include({ code: 'unknown_login' });
        expect(app.signedIn.at(-1)).to.equal(undefined);
        const after = await fetch(`${app.url}/me`, { headers: { cookie } });
        expect(await after.json()).to.deep.equal({});
      });
    }
  },
);
