import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import {
  MicroblogOAuth2Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../lib/index.js';
import type { Sandbox } from '../sandbox/lib/index.js';
import { textOf } from './guides/pages.js';
import { Browser } from './support/browser.js';
import { allow } from './support/journey.js';
import { passportApp } from './support/login-app.js';
import { realSockets } from './support/real-sockets.js';
import { oneSandbox } from './support/sandbox.js';
import { serve } from './support/server.js';
import { collectsWarnings } from './support/warnings.js';

import express = require('express');
import passport = require('passport');

type Done = (error: unknown, user?: unknown, info?: object) => void;
// biome-ignore lint/suspicious/noExplicitAny: verify functions of applications in JavaScript.
type Any = any;

/** What every application here has. */
const OWN = { name: 'theirs', callbackURL: '/callback' };
const KINDS = {
  x1: [MicroblogStrategy, 'microblog', { version: '1.0' }],
  x2: [MicroblogStrategy, 'microblog'],
  tiktok: [ShortVideoStrategy, 'short-video'],
  vk: [SocialNetworkStrategy, 'social-network'],
  vkId: [SocialNetworkStrategy, 'social-network', { version: '2.1' }],
};
/** The account of alice at X. */
const ALICE = '2244994945';
const NAME = 'Alice Example';

describe('an application that moves over', () => {
  const close = realSockets();
  collectsWarnings();
  const sandbox = oneSandbox();
  afterEach(() => sandbox.reset());

  /** What the applications share: a session, Passport, and routes named after the network. */
  function application(strategy: passport.Strategy) {
    const made = passportApp();
    made.authenticator.use('theirs', strategy);
    return made;
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

  function strategyOf(kind: keyof typeof KINDS, verify: Any, options: object = {}): passport.Strategy {
    const [Strategy, ...of] = KINDS[kind] as [Any, ...Parameters<Sandbox['options']>];
    return new Strategy({ ...sandbox.options(...of), ...OWN, ...options }, verify);
  }

  /** Logs alice in with `successRedirect`, as the READMEs do. @returns The page after the login. */
  function logInWith(strategy: passport.Strategy, start: object = {}) {
    const { app, authenticator } = application(strategy);
    app.get('/auth', authenticator.authenticate('theirs', start));
    app.get('/callback', authenticator.authenticate('theirs', { successRedirect: '/' }));
    return logIn(app);
  }

  it('as hackathon-starter did over 1.0a, with the guide’s places: links the account of who is signed in', async () => {
    const account = { id: 'hers', tokens: [{ kind: 'github' }] };
    const verify = (req: Any, accessToken: string, tokenSecret: string, profile: Any, done: Done) => {
      const { user } = req;
      user.tokens.push({ kind: 'x', accessToken, tokenSecret });
      user.profile = { name: profile.displayName, location: profile._json.data.location };
      done(null, Object.assign(user, { x: profile.id }));
    };
    const { app, authenticator } = application(
      strategyOf('x1', verify, { passReqToCallback: true, state: true }),
    );
    app.use((req, _res, next) => {
      req.user ??= account;
      next();
    });
    app.get('/auth', authenticator.authenticate('theirs'));
    app.get('/callback', authenticator.authenticate('theirs', { successRedirect: '/' }));
    const { user } = (await logIn(app)).json;
    expect(user).to.deep.include({ id: 'hers', x: ALICE, profile: { name: NAME, location: 'Lisbon' } });
    expect(user.tokens.map(({ kind }: Any) => kind)).to.deep.equal(['github', 'x']);
  });

  it('as NodeBB’s plugins for VK did: params.email or profile.emails, the request, and an API version as a number', async () => {
    const verify = (req: Any, _t: string, _r: string, params: Any, profile: Any, done: Done) => {
      const email = Object.hasOwn(profile, 'emails') ? profile.emails[0].value : 'made up';
      const isSame = params.email === email;
      done(null, { uid: req.user?.uid ?? profile.id, name: profile.displayName, email, isSame });
    };
    const options = { passReqToCallback: true, apiVersion: 5.131 };
    const { user } = (await logInWith(strategyOf('vk', verify, options), { scope: 'email' })).json;
    expect(user).to.include({ uid: '1000000001', name: NAME, email: 'alice@example.com', isSame: true });
  });

  it('as the guide says for a database that keeps another package’s _json: the subclass gives verify the same record', async () => {
    const [, code = ''] = /```js\n( *class OwnStrategy .*?)```/s.exec(textOf('docs/migrating.md')) ?? [];
    const Own = runInNewContext(`${code}; OwnStrategy`, {
      MicroblogOAuth2Strategy,
    }) as typeof MicroblogOAuth2Strategy;
    const verify = async (_t: string, _r: unknown, { id, _json }: Any) => ({ id, record: _json });
    const own = new Own({ ...sandbox.options('microblog'), ...OWN }, verify);
    const { user } = (await logInWith(own)).json;
    expect(user.id).to.equal(ALICE);
    expect(user.record).to.include({ id: ALICE, name: NAME, username: 'alice_example' });
    expect(user.record).to.have.property('profile_image_url');
  });

  for (const [what, kind, field, place] of [
    ['applications of passport-twitter did, with a query for _json.id_str', 'x2', 'id_str', 'profile.id'],
    ['applications of superface did, where _json is the user', 'x2', 'id', 'profile.id'],
    ['applications of passport-vk-id did, where _json is the user', 'vkId', 'user_id', 'profile.id'],
  ] as [string, keyof typeof KINDS, string, string][]) {
    it(`S13: as ${what}: stops before undefined finds somebody, and lets code write the field`, async () => {
      const theirs = (_t: string, _r: string, { _json }: Any, done: Done) => done(null, { id: _json[field] });
      const { status, json } = await logInWith(strategyOf(kind, theirs));
      expect([status, json.error]).to.deep.equal([500, 'TypeError']);
      expect(json.message).to.equal(
        `profile._json has no ${field}: read ${place}, or JSON.parse(profile._raw).`,
      );
      const writing = (_t: string, _r: string, { _json }: Any) => Object.assign(_json, { [field]: 1 });
      expect((await logInWith(strategyOf(kind, writing))).json.user[field]).to.equal(1);
    });
  }

  for (const [Strategy, option, sentence] of [
    [MicroblogStrategy, { clientType: 'confidential' }, 'is confidential with a clientSecret'],
    [ShortVideoStrategy, { fields: ['bio_description'] }, 'it is profileFields here'],
    [SocialNetworkStrategy, { profileFields: ['id', 'emails', 'name'] }, 'leave it out'],
    [SocialNetworkStrategy, { profileFields: ['custom_field_1'] }, 'no field of the network: leave it out'],
    [SocialNetworkStrategy, { version: '2.1', lang_id: 1 }, 'give langId to passport.authenticate'],
  ] as [Any, object, string][]) {
    it(`with the option ${inspect(option)} of its own package: stops with what to write instead`, () => {
      const options = { clientID: '1', clientSecret: 'CLIENT-SECRET', ...OWN, ...option };
      expect(() => new Strategy(options, () => {})).to.throw(TypeError, sentence);
    });
  }
});
