import { expect } from 'chai';
import { MemoryStore } from 'express-session';
import { type Done, describeEach, personOf, type Subject } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow, callbackOf, logIn, start } from '../support/journey.js';
import type { NamedStrategy } from '../support/login-app.js';

import passport = require('passport');

/** A session store, and the calls to it, with the properties of each session that it is given. */
function notingStore() {
  const calls: string[] = [];
  const sessions = new MemoryStore();
  for (const method of ['get', 'set', 'touch', 'destroy'] as const) {
    const original = sessions[method].bind(sessions) as (...args: unknown[]) => void;
    sessions[method] = (...args: unknown[]) => {
      const [, session] = args;
      calls.push(typeof session === 'object' ? `${method} ${Object.keys(session ?? {}).join()}` : method);
      original(...args);
    };
  }
  return { sessions, calls };
}

/** A strategy that does nothing but send the browser away and, when it comes back, log it in. */
class BareStrategy extends passport.Strategy {
  override readonly name: string;

  constructor({ provider }: Subject) {
    super();
    this.name = provider;
  }

  override authenticate({ query }: { readonly query: object }): void {
    if (Object.keys(query).length === 0) this.redirect('/elsewhere');
    else this.success({ id: '1' });
  }
}

describeEach('the session of the application', ({ subject, sandbox, strategy, app, serving }) => {
  const { provider } = subject;

  for (const [title, options] of [
    ['a login', {}],
    ['a link', { assignProperty: 'account' }],
  ] as const) {
    it(`C28: ${title} causes the same calls to the session store as a strategy that keeps nothing`, async () => {
      /** The calls of two logins in one browser; in the second one somebody is signed in. */
      const callsOf = async (made: NamedStrategy, respond: (url: string) => Promise<string>) => {
        const { sessions, calls } = notingStore();
        const server = await app(made, { sessions, start: options });
        const browser = new Browser();
        for (let count = 0; count < 2; count += 1) {
          const callback = await respond(await start(browser, server, provider));
          const { search } = new URL(callback, server.url);
          expect((await browser.get(`${server.url}/plain/${provider}${search}`)).status).to.equal(200);
        }
        return calls;
      };
      const bare = await callsOf(new BareStrategy(subject), async () => '/?code=x');
      const ours = await callsOf(strategy(await sandbox()), (url) => allow(new Browser(), url));
      expect(ours).to.deep.equal(bare);
      // Passport's own: it reads the session of the user, replaces it, and saves who is signed in.
      expect(ours.filter((call) => call.startsWith('set'))).to.include('set cookie,passport');
    });
  }

  it('C20: the session ID changes at login, and the pending logins of other tabs survive', async () => {
    const { world, server } = await serving();
    const browser = new Browser();
    await logIn(server, provider, 'max', browser);
    const callback = await callbackOf(browser, server, provider, 'alice');
    const other = await callbackOf(browser, server, provider, 'anna');
    const before = (await browser.get(`${server.url}/me`)).json.session;
    const page = await browser.get(callback);
    expect(page.json.session).to.be.a('string').that.does.not.equal(before);
    const { session } = page.json;
    const user = personOf(subject, world, 'alice');
    expect((await browser.get(`${server.url}/me`)).json).to.deep.equal({ user, session });
    expect((await browser.get(other)).json.user).to.deep.equal(personOf(subject, world, 'anna'));
  });
});

describeEach('application state', ({ subject, sandbox, strategy, app, begin }) => {
  const { provider } = subject;

  it('C17: application state is never in a URL; the state there is random', async () => {
    const state = 'app-state-of-the-test';
    const { browser, authorization, callback } = await begin({}, { start: { state } });
    const { searchParams } = new URL(authorization);
    expect(searchParams.get('state') ?? searchParams.get('oauth_token')).to.match(/^[\w-]{20,}$/);
    expect(authorization + callback).to.not.include(state);
    expect((await browser.get(callback)).json.info).to.deep.equal({ state });
  });

  it('C17: with passReqToCallback verify finds application state at req.authInfo', async () => {
    const verify = ({ authInfo }: { authInfo: object }, _t: string, _r: unknown, _p: object, done: Done) =>
      done(null, authInfo);
    const state = { returnTo: '/cart' };
    const made = strategy(await sandbox(), { passReqToCallback: true }, verify);
    expect((await logIn(await app(made, { start: { state } }), provider)).json.user).to.deep.equal({ state });
  });
});
