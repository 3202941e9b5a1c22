import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import type { Profile } from 'passport-social-networks';
import type { Sandbox } from 'passport-social-networks-sandbox';

/** The user of the application. */
export interface Account {
  id: string;
  displayName: string;
}

export function accountOf({ provider, id, displayName }: Profile<unknown>): Account {
  return { id: `${provider}:${id}`, displayName };
}

/** Logs in with each strategy in an Express application with sessions, and closes the sandbox. */
export async function logInWithEach(
  sandbox: Sandbox,
  strategies: readonly (passport.Strategy & { readonly name: string })[],
): Promise<void> {
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

  for (const { name } of strategies) {
    const { id, displayName } = JSON.parse(await logIn(name, `http://127.0.0.1:${port}`)) as Account;
    assert.equal(displayName, 'Alice Example');
    assert.ok(id.startsWith(`${name}:`));
  }
  console.log(`${process.version} logged in: ${strategies.map(({ name }) => name).join(', ')}`);
  server.close();
  server.closeAllConnections();
  await sandbox.close();
}

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
