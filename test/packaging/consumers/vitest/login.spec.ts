import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import type { Profile } from 'passport-social-networks';
import microblog, { endpoints } from 'passport-social-networks/microblog';
import { ShortVideoStrategy } from 'passport-social-networks/short-video';
import { SocialNetworkStrategy } from 'passport-social-networks/social-network';
import { startSandbox } from 'passport-social-networks-sandbox';
import { expect, test } from 'vitest';

interface Account {
  id: string;
  displayName: string;
}

function accountOf({ provider, id, displayName }: Profile<unknown>): Account {
  return { id: `${provider}:${id}`, displayName };
}

test('a user logs in with each network', async () => {
  const sandbox = await startSandbox();
  const strategies = [
    new ShortVideoStrategy(sandbox.options('short-video'), (_token, _refreshToken, profile, done) =>
      done(null, accountOf(profile)),
    ),
    microblog(sandbox.options('microblog'), async (_token, _refreshToken, profile) => accountOf(profile)),
    new SocialNetworkStrategy(sandbox.options('social-network'), (_token, _refreshToken, profile, done) =>
      done(null, accountOf(profile)),
    ),
  ];
  expect(endpoints.TOKEN_URL).toMatch(/^https:/);
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

  try {
    for (const { name } of strategies) {
      const { id, displayName } = JSON.parse(await logIn(name, `http://127.0.0.1:${port}`)) as Account;
      expect(displayName).toBe('Alice Example');
      expect(id.startsWith(`${name}:`)).toBe(true);
    }
    console.log(`${process.version} logged in: ${strategies.map(({ name }) => name).join(', ')}`);
  } finally {
    server.close();
    server.closeAllConnections();
    await sandbox.close();
  }
});

/** Logs in as a browser would and returns the final page. */
async function logIn(name: string, application: string): Promise<string> {
  let address = new URL(`/api/auth/signin/${name}`, application);
  const cookies = new Map<string | undefined, string | undefined>();
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
