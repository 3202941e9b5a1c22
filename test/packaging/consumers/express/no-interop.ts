import assert = require('node:assert/strict');

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

import * as main from 'passport-social-networks';

import microblogNetwork = require('passport-social-networks/microblog');

import shortVideo, { type ShortVideoOptions } from 'passport-social-networks/short-video';
import { SocialNetworkStrategy } from 'passport-social-networks/social-network';
import { login, startSandbox } from 'passport-social-networks-sandbox';
import { logInWithEach } from './visit.js';

function accountOf({ provider, displayName }: main.Profile<unknown>) {
  return { provider, displayName };
}

async function start(): Promise<void> {
  const sandbox = await startSandbox();
  const options: ShortVideoOptions & { passReqToCallback: true } = {
    ...sandbox.options('short-video'),
    passReqToCallback: true,
  };
  const strategies = [
    shortVideo(options, (req, _token, _refreshToken, profile, done) => {
      assert.equal(req.path, '/api/auth/callback/short-video');
      done(null, accountOf(profile));
    }),
    microblogNetwork.default(
      sandbox.options('microblog', { version: '1.0' }),
      (_token, _tokenSecret, profile, done) => done(null, accountOf(profile)),
    ),
    new main.SocialNetworkStrategy(
      sandbox.options('social-network', { version: '2.1' }),
      async (_token, _refreshToken, profile) => accountOf(profile),
    ),
  ];
  assert.ok(strategies[2] instanceof SocialNetworkStrategy);
  for (const strategy of strategies) passport.use(strategy);

  passport.serializeUser((user, done) => done(null, user));
  passport.deserializeUser((user: Express.User, done) => done(null, user));

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
  const { port } = server.address() as AddressInfo;

  await logInWithEach(login, strategies, `http://127.0.0.1:${port}`);
  server.close();
  server.closeAllConnections();
  await sandbox.close();
}

void start();
