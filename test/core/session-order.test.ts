import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../support/example-oauth2.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { sessionApp } from '../support/session-app.js';
import { SlowStore } from '../support/slow-sessions.js';

type Done = (error: unknown, user: object) => void;

const verify = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const PROTOCOLS = {
  'OAuth 2': {
    Strategy: ExampleStrategy,
    answers: exampleAnswers(),
    exchange: '/token',
    start: [],
    query: 'code=the-code&state=',
  },
  'OAuth 1.0a': {
    Strategy: ExampleOAuth1Strategy,
    answers: exampleOAuth1Answers(),
    exchange: '/access_token',
    start: ['/request_token'],
    query: 'oauth_verifier=the-verifier&oauth_token=',
  },
};

for (const [protocol, { Strategy, answers, exchange, start, query }] of Object.entries(PROTOCOLS)) {
  describe(`a slow session store, ${protocol}`, () => {
    realSockets();
    const close = closesAfterEach();

    /** An application, and everything that happens in it in order. */
    async function application() {
      const events: string[] = [];
      const server = close(
        await network((request) => {
          events.push(request.path);
          return answers(request);
        }),
      );
      const store = new SlowStore(() => events.push('stored'));
      const strategy = new Strategy(server.url, verify, { callbackURL: 'http://127.0.0.1/' });
      const app = close(await sessionApp(strategy, store, () => events.push('redirect')));
      return { events, store, app, browser: new Browser() };
    }
    const callbackAfter = (app: { url: string }, location: string) => {
      const { searchParams } = new URL(location);
      const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
      return `${app.url}/?${query}${encodeURIComponent(key)}`;
    };

    it('C2: has the login before the redirect leaves, and has forgotten it before the exchange', async () => {
      const { events, app, browser } = await application();
      const { location } = await browser.get(`${app.url}/`);
      expect(events.slice(0, start.length + 2)).to.deep.equal([...start, 'stored', 'redirect']);
      events.length = 0;
      const page = await browser.get(callbackAfter(app, location));
      expect(page.json).to.deep.equal({ loggedIn: true });
      expect(events.slice(0, 3)).to.deep.equal(['stored', exchange, '/profile']);
    });

    it('C2: that fails at the start ends the login in its error, and nobody is redirected', async () => {
      const { events, store, app, browser } = await application();
      store.failure = new Error('the session store is away');
      const page = await browser.get(`${app.url}/`);
      expect([page.status, page.location]).to.deep.equal([500, '']);
      expect(app.errors[0]).to.equal(store.failure);
      expect(events).to.deep.equal(start);
    });

    it('C2: that fails in the callback ends the login in its error, and no code is exchanged', async () => {
      const { events, store, app, browser } = await application();
      const { location } = await browser.get(`${app.url}/`);
      events.length = 0;
      store.failure = new Error('the session store is away');
      const page = await browser.get(callbackAfter(app, location));
      expect([page.status, page.json]).to.deep.equal([500, { failed: true }]);
      expect(app.errors[0]).to.equal(store.failure);
      expect(events).to.deep.equal([]);
    });
  });
}
