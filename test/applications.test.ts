import { expect } from 'chai';
import { MicroblogStrategy, ShortVideoStrategy } from '../lib/index.js';
import { type Sandbox, startSandbox } from '../sandbox/lib/index.js';
import { Browser } from './support/browser.js';
import { closesAfterEach } from './support/cleanup.js';
import { allow } from './support/journey.js';
import { realSockets } from './support/real-sockets.js';
import { serve } from './support/server.js';
import { collectsWarnings } from './support/warnings.js';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

type Done = (error: unknown, user?: unknown, info?: object) => void;
// biome-ignore lint/suspicious/noExplicitAny: verify functions of applications in JavaScript.
type Any = any;

/** The account of alice at X. */
const ALICE = '2244994945';

describe('an application that moves over', () => {
  realSockets();
  const close = closesAfterEach();
  const warnings = collectsWarnings();
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.reset());
  after(() => sandbox.close());

  /** What the applications share: a session, Passport, and routes named after the network. */
  function application(strategy: passport.Strategy) {
    const authenticator = new passport.Passport();
    authenticator.serializeUser((user, done) => done(null, user));
    authenticator.deserializeUser((user: Express.User, done) => done(null, user));
    const app = express();
    app.use(session({ secret: 'SESSION-SECRET', resave: false, saveUninitialized: false }));
    app.use(authenticator.session());
    authenticator.use('theirs', strategy);
    return { app, authenticator };
  }

  /** Logs alice in. @returns The page after the callback, or the page to which that redirects. */
  async function logIn(app: express.Express) {
    app.get('/', (req, res) => res.json({ user: req.user }));
    app.use(((error, _req, res, _next) => {
      res.status(500).json({ error: error.name, message: error.message });
    }) as express.ErrorRequestHandler);
    const { url } = close(await serve(app));
    const browser = new Browser();
    const start = await browser.get(`${url}/auth`);
    const page = await browser.get(await allow(browser, start.location));
    return page.location === '' ? page : browser.get(page.location);
  }

  const twitter = (verify: Any, options: object = {}) =>
    new MicroblogStrategy(
      {
        ...sandbox.options('microblog', { version: '1.0' }),
        name: 'theirs',
        callbackURL: '/callback',
        ...options,
      },
      verify,
    );

  it('as NodeBB did, with a state of its own in the session: the guide’s req.authInfo.state is that state, and the query’s is not', async () => {
    const options = { ...sandbox.options('microblog'), name: 'theirs', callbackURL: '/callback' };
    const { app, authenticator } = application(
      new MicroblogStrategy(options, async (_t: string, _r: unknown, { id }: Any) => ({ id })),
    );
    app.get('/auth', (req, res, next) => {
      const own = { ssoState: 'their-random-state' };
      Object.assign(req.session, own);
      authenticator.authenticate('theirs', { state: own.ssoState })(req, res, next);
    });
    app.get('/callback', authenticator.authenticate('theirs', { keepSessionInfo: true }), (req, res) => {
      const { ssoState } = req.session as unknown as { ssoState: string };
      const { state } = req.authInfo as { state: string };
      res.json({ user: req.user, isTheirs: state === ssoState, isInQuery: req.query.state === ssoState });
    });
    expect((await logIn(app)).json).to.deep.equal({ user: { id: ALICE }, isTheirs: true, isInQuery: false });
  });

  it('as its code for connecting an account did: verify reads req.authInfo.state', async () => {
    const verify = (req: express.Request, _t: string, _s: string, { id }: Any, done: Done) =>
      done(null, { id, action: (req.authInfo as { state: { action: string } }).state.action });
    const { app, authenticator } = application(twitter(verify, { passReqToCallback: true }));
    app.get('/auth', authenticator.authenticate('theirs', { state: { action: 'connect' } }));
    app.get('/callback', authenticator.authenticate('theirs', { successRedirect: '/' }));
    expect((await logIn(app)).json.user).to.deep.equal({ id: ALICE, action: 'connect' });
  });

  it('as MEAN.js did, with a query for _json.id_str: stops before the query matches somebody', async () => {
    const queries: object[] = [];
    const verify = (_t: string, _s: string, profile: Any, done: Done) => {
      queries.push({ 'providerData.id_str': profile._json.id_str });
      done(null, { id: 'the first user' });
    };
    const { app, authenticator } = application(twitter(verify));
    app.get('/auth', authenticator.authenticate('theirs'));
    app.get('/callback', authenticator.authenticate('theirs', { successRedirect: '/' }));
    const { status, json } = await logIn(app);
    expect([status, json.error, queries]).to.deep.equal([500, 'TypeError', []]);
    expect(json.message).to.include('no id_str: read profile.id');
  });

  it('as HedgeDoc and CodiMD did, with the profile as JSON in a column: works unchanged', async () => {
    const verify = (token: string, secret: string, profile: Any, done: Done) => {
      const row = { profileid: `${profile.provider}-${profile.id}`, profile: JSON.stringify(profile) };
      done(null, { ...row, hasTokens: Boolean(token && secret) });
    };
    const { app, authenticator } = application(twitter(verify));
    app.get('/auth', authenticator.authenticate('theirs'));
    app.get('/callback', authenticator.authenticate('theirs', { successReturnToOrRedirect: '/' }));
    const { user } = (await logIn(app)).json;
    expect(user).to.include({ profileid: `theirs-${ALICE}`, hasTokens: true });
    expect(JSON.parse(user.profile).username).to.be.a('string');
  });

  it('as a NestJS backend did, whose validate calls done itself: logs the user in, without a warning', async () => {
    const options = { ...sandbox.options('short-video'), name: 'theirs', callbackURL: '/callback' };
    const validate = (_t: string, _r: unknown, { id }: Any, done: Done) => done(null, { id });
    // The wrapper of @nestjs/passport.
    const callback = async (...params: Any[]) => {
      const done = params.at(-1) as Done;
      try {
        const result: unknown = await (validate as Any)(...params);
        if (Array.isArray(result)) done(null, ...result);
        else done(null, result);
      } catch (error) {
        done(error, null);
      }
    };
    const { app, authenticator } = application(new ShortVideoStrategy(options, callback));
    app.get('/auth', authenticator.authenticate('theirs'));
    app.get('/callback', authenticator.authenticate('theirs', { successRedirect: '/' }));
    expect((await logIn(app)).json.user.id).to.be.a('string');
    expect(await warnings.texts()).to.deep.equal([]);
  });
});
