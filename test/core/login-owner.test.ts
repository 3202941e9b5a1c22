import { expect } from 'chai';
import { MemoryStore } from 'express-session';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../support/example-oauth2.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { memoryLogins } from '../support/logins.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';

type Done = (error: unknown, user: object) => void;
type StoreConstructor = new (options: { key: string }) => object;

const PKCEStore = require('passport-oauth2/lib/state/pkcesession') as StoreConstructor;
const TokenStore = require('passport-oauth1/lib/requesttoken/session') as StoreConstructor;

const admit = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const OAUTH2 = { Strategy: ExampleStrategy, answers: exampleAnswers(), option: 'authorizationURL' };
const OAUTH1 = {
  Strategy: ExampleOAuth1Strategy,
  answers: exampleOAuth1Answers(),
  option: 'userAuthorizationURL',
};
const WAYS = {
  'OAuth 2, session': { ...OAUTH2, query: 'code=c&state=', store: () => undefined },
  'OAuth 2, login store': { ...OAUTH2, query: 'code=c&state=', store: () => memoryLogins() },
  "OAuth 2, passport-oauth2's store": {
    ...OAUTH2,
    query: 'code=c&state=',
    store: () => new PKCEStore({ key: 'legacy' }),
  },
  'OAuth 1.0a, session': { ...OAUTH1, query: 'oauth_verifier=v&oauth_token=', store: () => undefined },
  "OAuth 1.0a, passport-oauth1's store": {
    ...OAUTH1,
    query: 'oauth_verifier=v&oauth_token=',
    store: () => new TokenStore({ key: 'legacy' }),
  },
};

for (const [title, { Strategy, answers, option, query, store }] of Object.entries(WAYS)) {
  describe(`one name and client at two networks, ${title}`, () => {
    realSockets();
    const close = closesAfterEach();

    it('C4: a login of the one is unknown to the other, which asks its network nothing', async () => {
      const sessions = new MemoryStore();
      const options = { store: store() };
      const one = close(await network(answers));
      const other = close(await network(answers));
      const appOf = async (strategy: NamedStrategy) => close(await loginApp(strategy, { sessions }));
      const ours = await appOf(new Strategy(one.url, admit, options) as NamedStrategy);
      const elsewhere = { ...options, [option]: `${other.url}/elsewhere` };
      const theirs = await appOf(new Strategy(other.url, admit, elsewhere) as NamedStrategy);

      const browser = new Browser();
      const { searchParams } = new URL((await browser.get(`${ours.url}/login/example`)).location);
      const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
      const callback = `/api/auth/callback/example?${query}${encodeURIComponent(key)}`;
      const page = await new Browser().get(theirs.url + callback, { cookie: browser.cookieHeader(ours.url) });

      expect(page.status).to.equal(403);
      expect(page.json.failure.code).to.equal('unknown_login');
      expect(other.requests).to.deep.equal([]);
    });
  });
}
