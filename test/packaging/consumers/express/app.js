import assert from 'node:assert/strict';
import { once } from 'node:events';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { check } from 'passport-social-networks-check';
import { login } from 'passport-social-networks-sandbox';
import { logInWithEach } from './visit.js';

/**
 * Logs in with each strategy in an Express application with sessions.
 * @param {import('passport-social-networks-sandbox').Sandbox} sandbox - Closed at the end.
 * @param {readonly (import('passport').Strategy & { name: string } & Parameters<typeof check>[0])[]} strategies
 */
export async function logIn(sandbox, strategies) {
  for (const strategy of strategies) {
    assert.notEqual((await check(strategy)).verdict, 'failed');
    passport.use(strategy);
  }
  passport.serializeUser((user, done) => done(null, user));
  passport.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));

  const app = express();
  app.use(session({ secret: 'session-secret', resave: false, saveUninitialized: false }));
  app.use(passport.session());
  for (const { name } of strategies) {
    app.get(`/api/auth/signin/${name}`, passport.authenticate(name));
    app.get(`/api/auth/callback/${name}`, passport.authenticate(name, { successRedirect: '/' }));
  }
  app.get('/', (req, res) => {
    res.json(req.user);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  await logInWithEach(login, strategies, `http://127.0.0.1:${port}`);
  server.close();
  server.closeAllConnections();
  await sandbox.close();
}
