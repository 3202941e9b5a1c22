const assert = require('node:assert/strict');
const events = require('node:events');
const express = require('express');
const session = require('express-session');
const passport = require('passport');
const main = require('passport-social-networks');
const { check } = require('passport-social-networks/check');
const { microblog, MicroblogStrategy } = require('passport-social-networks/microblog');
const { startSandbox } = require('passport-social-networks-sandbox');
const shortVideo = require('passport-social-networks/short-video').default;
const { Strategy } = require('passport-social-networks/social-network');

/**
 * Logs in as a browser would and returns the final page.
 * @param {string} name
 * @param {string} application
 */
async function logIn(name, application) {
  let address = new URL(`/api/auth/signin/${name}`, application);
  const cookies = new Map();
  for (;;) {
    const headers = { cookie: [...cookies.values()].join('; ') };
    const page = await fetch(address, { redirect: 'manual', headers });
    for (const [cookie] of page.headers.getSetCookie().map((line) => line.split(';'))) {
      cookies.set(cookie?.split('=')[0], cookie);
    }
    if (page.status >= 400) throw new Error(await page.text());
    const location = page.headers.get('location');
    if (location === null) return page.text();
    address = new URL(location, address);
    if (address.origin !== application) address.search += '&auto=allow&person=alice';
  }
}

async function start() {
  const sandbox = await startSandbox();
  const strategies = [
    shortVideo(sandbox.options('short-video'), (_token, _refreshToken, profile, done) => done(null, profile)),
    microblog(sandbox.options('microblog'), (_token, _refreshToken, profile, done) => done(null, profile)),
    new Strategy(sandbox.options('social-network'), async (_token, _refreshToken, profile) => profile),
  ];
  assert(strategies[0] instanceof main.ShortVideoStrategy);
  assert.equal(main.MicroblogStrategy, MicroblogStrategy);
  assert.equal(main.SocialNetworkStrategy, Strategy);
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
  await events.once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  for (const { name } of strategies) {
    const { provider, displayName } = JSON.parse(await logIn(name, `http://127.0.0.1:${port}`));
    assert.deepEqual([provider, displayName], [name, 'Alice Example']);
  }
  console.log(`${process.version} logged in: ${strategies.map(({ name }) => name).join(', ')}`);
  server.close();
  server.closeAllConnections();
  await sandbox.close();
}

void start();
