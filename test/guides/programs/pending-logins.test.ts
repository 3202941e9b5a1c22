import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { Client } from 'pg';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import type { Serving } from '../../support/process.js';
import { needs } from '../../support/requirements.js';
import { forward, serve } from '../../support/server.js';
import { hasServers, type Servers, startServers } from '../../support/servers.js';
import { blocksOf } from '../pages.js';
import { programsOf, Visitor, withSessions } from '../programs.js';

const PAGE = 'docs/pending-logins.md';

/** An application with a store of the guide, to stand below it in the same file. */
const APP = `
import express from 'express';
import passport from 'passport';
import { MicroblogStrategy } from 'passport-social-networks';

const { MICROBLOG_CLIENT_ID: clientID, MICROBLOG_CLIENT_SECRET: clientSecret } = process.env;
const options = { clientID, clientSecret, store, baseURL: 'http://127.0.0.1:3000' };
passport.use(new MicroblogStrategy(options, async (_token, _refresh, { id }) => ({ id })));
const app = express();
app.get('/signin', passport.authenticate('microblog', { session: false, state: 'kept' }));
app.get('/api/auth/callback/microblog', (req, res, next) => {
  const finish = (error, user, info, status) => (error ? next(error) : res.status(status ?? 200).json({ user, info }));
  passport.authenticate('microblog', { session: false }, finish)(req, res, next);
});
app.listen();
`;

/** A host like Firebase Hosting, in front of an application. */
const handsOnSession =
  (application: string): RequestListener =>
  (req, res) => {
    const { cookie: all = '', ...others } = req.headers;
    const cookie = /(?:^|; )(__session=[^;]*)/.exec(all)?.[1];
    forward(req, res, application, { ...others, ...(cookie !== undefined && { cookie }) });
  };

describe('The guide to pending logins', function () {
  this.timeout(30_000);
  const { start } = programsOf(PAGE);
  const closing = closesAfterEach();

  describe('has a store that', () => {
    let servers: Servers;

    before(async function () {
      needs(
        this,
        hasServers,
        'the store of the guide, and what starts its database, need PostgreSQL and Redis.',
      );
      servers = await startServers();
      const database = new Client({ connectionString: servers.databaseURL });
      await database.connect();
      for (const { language, code } of blocksOf(PAGE)) if (language === 'sql') await database.query(code);
      await database.end();
    });
    after(() => servers?.stop());

    const app = async () => {
      const env = { DATABASE_URL: servers.databaseURL };
      return start('claim-with-pg.mts', { env, change: (code) => `${code}${APP}`, isNew: true });
    };

    it('C26, C31: with claim in PostgreSQL, of two processes that get one callback at once, one logs in', async () => {
      const apps = await Promise.all([app(), app()]);
      const browser = new Browser();
      const { location } = await browser.get(`${apps[0].url}/signin`);
      const { pathname, search } = new URL(await new Visitor(apps[0].url).consent(location));
      const cookie = browser.cookieHeader(apps[0].url);
      const open = async ({ url }: Serving) => new Browser().get(`${url}${pathname}${search}`, { cookie });
      const pages = await Promise.all(apps.map(open));
      const codes = pages.map(({ status, json }) => `${status} ${json?.info?.code ?? json?.user?.id}`);
      expect(codes.sort()).to.deep.equal(['200 2244994945', '403 used_login']);
    });
  });

  it('has a store that logs users in behind a host that hands on the cookie __session alone, where the default is lost', async () => {
    const change = (code: string) => {
      const middleware =
        "app.use(session({ name: '__session', secret: 's', resave: false, saveUninitialized: false }));";
      const imports = "import session from 'express-session';\n";
      return `${imports}${code}${APP.replace('app.get', `${middleware}\napp.get`)}`;
    };
    const own = await start('session-logins.mjs', { change });
    const usual = await start('session-logins.mjs', {
      change: (code) => change(code).replace('clientSecret, store,', 'clientSecret,'),
    });
    const outcomes = [];
    for (const app of [own, usual]) {
      const host = closing(await serve(handsOnSession(app.url)));
      const visitor = new Visitor(host.url);
      const second = await visitor.start('/signin');
      const callbacks = [
        await visitor.consent(await visitor.start('/signin')),
        await visitor.consent(second),
      ];
      for (const callback of callbacks) {
        const { json } = await visitor.open(callback);
        outcomes.push(json.user?.id ?? json.info.code);
      }
      // A stranger who has the URL.
      const stranger = await new Visitor(host.url).open(
        await visitor.consent(await visitor.start('/signin')),
      );
      outcomes.push(stranger.json.info.code);
    }
    const lost = 'unknown_login';
    expect(outcomes).to.deep.equal(['2244994945', '2244994945', lost, lost, lost, lost]);
  });

  it('returns users to the page they came from, but never to another site', async () => {
    const app = await start('return-address.mts', { change: withSessions('{ id }') });
    for (const [returnTo, path] of [
      ['/cart', '/cart'],
      ['//evil.example', '/'],
      ['https://evil.example', '/'],
    ]) {
      const page = await new Visitor(app.url).logIn(`/api/auth/signin/microblog?returnTo=${returnTo}`);
      expect(page.json).to.deep.equal({ path, user: { id: '2244994945' } });
    }
  });
});
