import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { freePorts } from '../../../examples/cluster/ports.js';
import { Browser } from '../../support/browser.js';
import { needs } from '../../support/requirements.js';
import { programsOf, Visitor } from '../programs.js';

const REDIS = '/usr/bin/redis-server';

/** An application with the store of the guide, to stand below it in the same file. */
const APP = `
import express from 'express';
import passport from 'passport';
import { MicroblogStrategy } from 'passport-social-networks';

const { MICROBLOG_CLIENT_ID: clientID, MICROBLOG_CLIENT_SECRET: clientSecret } = process.env;
passport.use(new MicroblogStrategy({ clientID, clientSecret, store }, async (_token, _refresh, { id }) => ({ id })));
const app = express();
app.get('/signin', passport.authenticate('microblog', { session: false, state: 'kept' }));
app.get('/api/auth/callback/microblog', passport.authenticate('microblog', { session: false }), (req, res) => {
  res.json({ user: req.user, info: req.authInfo });
});
app.listen();
`;

describe('The guide to pending logins', function () {
  this.timeout(30_000);
  const { start } = programsOf('docs/pending-logins.md');

  describe('a store of your own, over Redis', () => {
    let redis: ChildProcess | undefined;
    let url: string;

    before(async function () {
      needs(this, existsSync(REDIS), 'The store of the guide needs Redis: apt-get install redis-server.');
      const [port] = await freePorts(1);
      redis = spawn(REDIS, ['--bind', '127.0.0.1', '--port', String(port), '--save', ''], {
        stdio: 'ignore',
      });
      url = `redis://127.0.0.1:${port}`;
    });
    after(() => redis?.kill());

    const app = async () =>
      start('redis-logins.mts', { env: { REDIS_URL: url }, change: (code) => `${code}${APP}`, isNew: true });

    it('logs users in, in two tabs in either order, with the state', async () => {
      const visitor = new Visitor((await app()).url);
      const first = await visitor.consent(await visitor.start('/signin'));
      const second = await visitor.consent(await visitor.start('/signin'));
      for (const callback of [second, first]) {
        const { json } = await visitor.open(callback);
        expect(json).to.deep.equal({ user: { id: '2244994945' }, info: { state: 'kept' } });
      }
    });

    it('gives a login to its browser only, and once, whichever process asks', async () => {
      const [one, other] = await Promise.all([app(), app()]);
      const [browser, stranger] = [new Browser(), new Browser()];
      const { location } = await browser.get(`${one.url}/signin`);
      const callback = await new Visitor(one.url).consent(location);
      const { pathname, search } = new URL(callback);
      const cookie = browser.cookieHeader(one.url);
      await stranger.get(`${one.url}/signin`);
      expect((await stranger.get(`${one.url}${pathname}${search}`)).status).to.equal(403);
      expect((await browser.get(`${one.url}${pathname}${search}`)).status).to.equal(200);
      expect((await new Browser().get(`${other.url}${pathname}${search}`, { cookie })).status).to.equal(403);
    });
  });

  it('returns users to the page they came from, but never to another site', async () => {
    const app = await start('return-address.mts');
    for (const [returnTo, path] of [
      ['/cart', '/cart'],
      ['//evil.example', '/'],
      ['https://evil.example', '/'],
    ]) {
      const page = await new Visitor(app.url).logIn(`/api/auth/signin/microblog?returnTo=${returnTo}`);
      expect(page.json).to.deep.equal({ path, user: { id: '2244994945', name: 'Alice Example' } });
    }
  });
});
