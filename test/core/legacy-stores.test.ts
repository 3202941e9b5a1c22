import { expect } from 'chai';
import { Browser, type Page } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../support/example-oauth2.js';
import { type LoginApp, loginApp, type NamedStrategy } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';

type StoreConstructor = new (options: { key: string }) => object;
type Done = (error: unknown, user: object) => void;

const PKCEStore = require('passport-oauth2/lib/state/pkcesession') as StoreConstructor;
const StateStore = require('passport-oauth2/lib/state/store') as StoreConstructor;
const SessionStore = require('passport-oauth1/lib/requesttoken/session') as StoreConstructor;
const SessionStateStore = require('passport-oauth1/lib/requesttoken/state') as StoreConstructor;

const admit = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const OAUTH2 = { answers: exampleAnswers(), exchange: '/token', query: 'code=the-code&state=' };
const OAUTH1 = {
  answers: exampleOAuth1Answers(),
  exchange: '/access_token',
  query: 'oauth_verifier=the-verifier&oauth_token=',
};
const STORES = {
  "passport-oauth2's pkcesession.js": { ...OAUTH2, Strategy: ExampleStrategy, Store: PKCEStore },
  "passport-oauth2's store.js": { ...OAUTH2, Strategy: ExampleStrategy, Store: StateStore },
  "passport-oauth1's session.js": { ...OAUTH1, Strategy: ExampleOAuth1Strategy, Store: SessionStore },
  "passport-oauth1's state.js": { ...OAUTH1, Strategy: ExampleOAuth1Strategy, Store: SessionStateStore },
};

for (const [title, { Strategy, Store, answers, exchange, query }] of Object.entries(STORES)) {
  describe(`a login kept in ${title}`, () => {
    realSockets();
    const close = closesAfterEach();

    async function world() {
      const server = close(await network(answers));
      const strategy = new Strategy(server.url, admit, { store: new Store({ key: 'legacy' }) });
      const app = close(await loginApp(strategy as NamedStrategy));
      const exchanges = () => server.requests.filter(({ path }) => path === exchange).length;
      return { app, exchanges };
    }
    async function callbackOf(browser: Browser, app: LoginApp): Promise<string> {
      const { searchParams } = new URL((await browser.get(`${app.url}/login/example`)).location);
      const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
      return `${app.url}/api/auth/callback/example?${query}${encodeURIComponent(key)}`;
    }
    const codeOf = ({ json }: Page): unknown => json.failure?.code;

    it('C13: five callbacks at the same moment make one exchange', async () => {
      const { app, exchanges } = await world();
      const browser = new Browser();
      const callback = await callbackOf(browser, app);
      const pages = await Promise.all(Array.from({ length: 5 }, () => browser.get(callback)));
      expect(exchanges()).to.equal(1);
      expect(pages.map(({ status }) => status)).to.have.members([200, 403, 403, 403, 403]);
      const failures = pages.filter(({ status }) => status === 403).map(codeOf);
      for (const code of failures) expect(code).to.be.oneOf(['used_login', 'unknown_login']);
    });

    it('S7: a callback without the session of its login is 403 unknown_login, and nothing is exchanged', async () => {
      const { app, exchanges } = await world();
      const callback = await callbackOf(new Browser(), app);
      const page = await new Browser().get(callback);
      expect([page.status, codeOf(page)]).to.deep.equal([403, 'unknown_login']);
      expect(exchanges()).to.equal(0);
    });

    it('S7: a callback that comes again is 403, and nothing is exchanged again', async () => {
      const { app, exchanges } = await world();
      const browser = new Browser();
      const callback = await callbackOf(browser, app);
      expect((await browser.get(callback)).status).to.equal(200);
      expect((await browser.get(callback)).status).to.equal(403);
      expect(exchanges()).to.equal(1);
    });
  });
}
