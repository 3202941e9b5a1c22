import { expect } from 'chai';
import { MemoryStore } from 'express-session';
import { Browser, type Page } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import { type LoginApp, loginApp, type NamedStrategy } from '../../support/login-app.js';
import { memoryLogins } from '../../support/logins.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

type Done = (error: unknown, user: object) => void;

const admit = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const OAUTH2 = {
  Strategy: ExampleStrategy,
  answers: exampleAnswers(),
  tokenPath: '/token',
  authorizationOption: 'authorizationURL',
  query: 'code=the-code&state=',
};
const OAUTH1 = {
  Strategy: ExampleOAuth1Strategy,
  answers: exampleOAuth1Answers(),
  tokenPath: '/access_token',
  authorizationOption: 'userAuthorizationURL',
  query: 'oauth_verifier=the-verifier&oauth_token=',
};
const SESSION = { storeOptions: () => ({}), isPerBrowser: true };
const OWN_STORE = { storeOptions: () => ({ store: memoryLogins() }), isPerBrowser: false };
const STORES = {
  'the session, OAuth 2': { ...OAUTH2, ...SESSION },
  'the session, OAuth 1.0a': { ...OAUTH1, ...SESSION },
  'a store of the application, OAuth 2': { ...OAUTH2, ...OWN_STORE },
  'a store of the application, OAuth 1.0a': { ...OAUTH1, ...OWN_STORE },
};

for (const [title, setting] of Object.entries(STORES)) {
  describe(`a login kept in ${title}`, () => {
    const { Strategy, answers, tokenPath, authorizationOption, query, storeOptions, isPerBrowser } = setting;
    realSockets();
    const close = closesAfterEach();

    const networkServer = async () => close(await network(answers));
    const appWith = async (strategy: object, sessions = new MemoryStore()) =>
      close(await loginApp(strategy as NamedStrategy, { sessions }));
    async function world() {
      const server = await networkServer();
      const app = await appWith(new Strategy(server.url, admit, storeOptions()));
      const tokenRequests = () => server.requests.filter(({ path }) => path === tokenPath).length;
      return { app, tokenRequests };
    }
    /** Path and query of the callback URL of a login that the browser starts. */
    async function callbackOf(browser: Browser, app: LoginApp): Promise<string> {
      const { searchParams } = new URL((await browser.get(`${app.url}/login/example`)).location);
      const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
      return `/api/auth/callback/example?${query}${encodeURIComponent(key)}`;
    }
    const codeOf = ({ json }: Page): unknown => json.failure?.code;

    it('C13: five simultaneous callbacks make one token request', async () => {
      const { app, tokenRequests } = await world();
      const browser = new Browser();
      const callback = app.url + (await callbackOf(browser, app));
      const pages = await Promise.all(Array.from({ length: 5 }, () => browser.get(callback)));
      expect(tokenRequests()).to.equal(1);
      expect(pages.map(({ status }) => status)).to.have.members([200, 403, 403, 403, 403]);
      const failures = pages.filter(({ status }) => status === 403).map(codeOf);
      for (const code of failures) expect(code).to.be.oneOf(['used_login', 'unknown_login']);
    });

    it('S7: a callback is 403 the second time, without another token request', async () => {
      const { app, tokenRequests } = await world();
      const browser = new Browser();
      const callback = app.url + (await callbackOf(browser, app));
      expect((await browser.get(callback)).status).to.equal(200);
      const page = await browser.get(callback);
      expect([page.status, codeOf(page)]).to.deep.equal([403, 'used_login']);
      expect(tokenRequests()).to.equal(1);
    });

    it('C4: the same client name at another network does not know the login, and sends no request', async () => {
      const sessions = new MemoryStore();
      const options = storeOptions();
      const [server, otherServer] = [await networkServer(), await networkServer()];
      const app = await appWith(new Strategy(server.url, admit, options), sessions);
      const otherOptions = { ...options, [authorizationOption]: `${otherServer.url}/elsewhere` };
      const otherApp = await appWith(new Strategy(otherServer.url, admit, otherOptions), sessions);

      const browser = new Browser();
      const callback = await callbackOf(browser, app);
      const cookie = browser.cookieHeader(app.url);
      const page = await new Browser().get(otherApp.url + callback, { cookie });

      expect([page.status, codeOf(page)]).to.deep.equal([403, 'unknown_login']);
      expect(otherServer.requests).to.deep.equal([]);
    });

    if (isPerBrowser) {
      it('S7: a callback without the session of its login is 403 unknown_login, without a token request', async () => {
        const { app, tokenRequests } = await world();
        const callback = app.url + (await callbackOf(new Browser(), app));
        const page = await new Browser().get(callback);
        expect([page.status, codeOf(page)]).to.deep.equal([403, 'unknown_login']);
        expect(tokenRequests()).to.equal(0);
      });
    }
  });
}
