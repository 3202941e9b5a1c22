import assert from 'node:assert/strict';
import { once } from 'node:events';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { MicroblogOAuth1Strategy, ShortVideoStrategy, SocialNetworkStrategy } from 'passport-social-networks';
import { check } from 'passport-social-networks/check';
import microblog, { MicroblogOAuth1Strategy as OAuth1 } from 'passport-social-networks/microblog';
import shortVideo, { endpoints, Strategy } from 'passport-social-networks/short-video';
import socialNetwork, { grantedScopes } from 'passport-social-networks/social-network';
import { PEOPLE, startSandbox } from 'passport-social-networks-sandbox';

// The classes of the network's own module and of the main one are the same in a bundle, too.
assert.equal(Strategy, ShortVideoStrategy);
assert.equal(OAuth1, MicroblogOAuth1Strategy);
assert.match(endpoints.TOKEN_URL, /^https:/);
assert.equal(typeof grantedScopes, 'function');

// No `await` outside a function: the bundle may be a CommonJS module.
async function start() {
  const alice = PEOPLE.find(({ id }) => id === 'alice');
  const sandbox = await startSandbox();
  const strategies = [
    shortVideo(sandbox.options('short-video'), (_token, _refreshToken, profile, done) => done(null, profile)),
    microblog(sandbox.options('microblog', { version: '1.0' }), (_token, _tokenSecret, profile, done) =>
      done(null, profile),
    ),
    socialNetwork(
      sandbox.options('social-network', { version: '2.1' }),
      async (_token, _refreshToken, profile) => profile,
    ),
  ];
  assert(strategies[2] instanceof SocialNetworkStrategy);
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

  for (const { name } of strategies) {
    const { provider, displayName } = JSON.parse(await logIn(name, `http://127.0.0.1:${port}`));
    assert.deepEqual([provider, displayName], [name, alice?.displayName]);
  }
  console.log(`${process.version} logged in: ${strategies.map(({ name }) => name).join(', ')}`);
  server.close();
  server.closeAllConnections();
  await sandbox.close();
}

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

void start();
