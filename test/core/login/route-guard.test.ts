import { expect } from 'chai';
import { Browser, type Page } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import { type LoginApp, loginApp, type NamedStrategy } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

type Done = (error?: unknown, value?: unknown) => void;

/** Code of the application that fails with a value that is no error. */
interface Failing {
  readonly verify?: () => unknown;
  readonly userProfile?: () => unknown;
  readonly skipUserProfile?: unknown;
}

const admit = (...args: unknown[]) => (args.at(-1) as Done)(null, { id: 'person-1' });

const FAILURES: Readonly<Record<string, (value: unknown) => Failing>> = {
  'a verify that throws': (value) => ({ verify: () => thrown(value) }),
  'a verify that rejects': (value) => ({ verify: async () => thrown(value) }),
  'a userProfile that throws': (value) => ({ userProfile: () => thrown(value) }),
  'a userProfile that rejects': (value) => ({ userProfile: async () => thrown(value) }),
  'a skipUserProfile that throws': (value) => ({ skipUserProfile: () => thrown(value) }),
  'a skipUserProfile that rejects': (value) => ({ skipUserProfile: async () => thrown(value) }),
  'a skipUserProfile with arguments that throws': (value) => ({
    skipUserProfile: (_token: string, _done: Done) => thrown(value),
  }),
  'a skipUserProfile with arguments that rejects': (value) => ({
    skipUserProfile: async (_token: string, _done: Done) => thrown(value),
  }),
};

function thrown(value: unknown): never {
  throw value;
}

describe('a route behind passport.authenticate', () => {
  realSockets();
  const close = closesAfterEach();

  async function oauth2({ verify = admit, userProfile, ...options }: Failing) {
    const server = close(await network(exampleAnswers()));
    const strategy = new ExampleStrategy(server.url, verify, options);
    if (userProfile) Object.assign(strategy, { userProfile });
    return { strategy, query: 'code=the-code&state=' };
  }

  async function oauth1({ verify = admit, userProfile, ...options }: Failing) {
    const server = close(await network(exampleOAuth1Answers()));
    const strategy = new ExampleOAuth1Strategy(server.url, verify, options);
    if (userProfile) Object.assign(strategy, { userProfile });
    return { strategy, query: 'oauth_verifier=the-verifier&oauth_token=' };
  }

  /** Finishes a login at a route behind `passport.authenticate(name)`. */
  async function finishAtRoute(
    strategy: NamedStrategy,
    query: string,
  ): Promise<{ app: LoginApp; page: Page }> {
    const app = close(await loginApp(strategy));
    const browser = new Browser();
    const { searchParams } = new URL((await browser.get(`${app.url}/login/example`)).location);
    const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
    return { app, page: await browser.get(`${app.url}/plain/example?${query}${encodeURIComponent(key)}`) };
  }

  for (const [protocol, make] of Object.entries({ 'OAuth 2': oauth2, 'OAuth 1.0a': oauth1 })) {
    for (const [title, failing] of Object.entries(FAILURES)) {
      for (const value of [undefined, null, '']) {
        const shown = value === '' ? 'an empty string' : String(value);
        it(`T14, S6: is not reached after ${title} with ${shown}, ${protocol}`, async () => {
          const { strategy, query } = await make(failing(value));
          const { app, page } = await finishAtRoute(strategy, query);
          expect(page.status).to.equal(500);
          expect(page.json).to.not.have.any.keys('user', 'info', 'session');
          expect(page.json.error).to.equal('TypeError');
          expect(app.endings).to.have.length(1);
          expect(app.endings[0]?.error).to.be.instanceOf(Error);
        });
      }
    }

    it(`is reached after a login in which nothing fails, ${protocol}`, async () => {
      const { strategy, query } = await make({});
      const { app, page } = await finishAtRoute(strategy, query);
      expect(page.status).to.equal(200);
      expect(page.json.user).to.deep.equal({ id: 'person-1' });
      expect(app.endings).to.deep.equal([]);
    });
  }
});
