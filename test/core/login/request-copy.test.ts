import { expect } from 'chai';
import type { Request } from 'express';
import { attempt, fakeRequest, redirectOf } from '../../support/attempt.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import { loginApp, type NamedStrategy } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

type Done = (error: unknown, user: object) => void;

const admit = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const TENANT = Symbol('tenant');

/** What a subclass does to the copy of the strategy that Passport makes for a request. */
type Change = (copy: object) => void;

class OwnOAuth2Strategy extends ExampleStrategy {
  declare [TENANT]?: string;
  declare change?: Change;

  override authenticate(req: Request, options?: object): void {
    this.change?.(this);
    super.authenticate(req, options);
  }

  override authorizationParams(): object {
    return { from: this[TENANT] ?? 'the strategy' };
  }
}

class OwnOAuth1Strategy extends ExampleOAuth1Strategy {
  declare [TENANT]?: string;
  declare change?: Change;

  override authenticate(req: Request, options?: object): void {
    this.change?.(this);
    super.authenticate(req, options);
  }

  override userAuthorizationParams(): object {
    return { from: this[TENANT] ?? 'the strategy' };
  }
}

const PROTOCOLS = {
  'OAuth 2': {
    Strategy: OwnOAuth2Strategy,
    hook: 'authorizationParams',
    answers: exampleAnswers(),
    query: 'code=c&state=',
  },
  'OAuth 1.0a': {
    Strategy: OwnOAuth1Strategy,
    hook: 'userAuthorizationParams',
    answers: exampleOAuth1Answers(),
    query: 'oauth_verifier=v&oauth_token=',
  },
};

for (const [protocol, { Strategy, hook, answers, query }] of Object.entries(PROTOCOLS)) {
  describe(`the copy of a strategy for one request, ${protocol}`, () => {
    realSockets();
    const close = closesAfterEach();
    const own = { value: () => ({ from: 'the request' }) };

    it('keeps what a subclass puts on it: under a name, under a symbol, or hidden', async () => {
      const server = close(await network(answers));
      const changes: Change[] = [
        (copy) => Object.defineProperty(copy, hook, { ...own, enumerable: true }),
        (copy) => Object.assign(copy, { [TENANT]: 'the request' }),
        (copy) => Object.defineProperty(copy, hook, own),
      ];
      for (const change of changes) {
        const strategy = Object.assign(new Strategy(server.url, admit), { change });
        expect((await redirectOf(strategy as NamedStrategy)).searchParams.get('from')).to.equal(
          'the request',
        );
        const unchanged = Object.assign(strategy, { change: undefined });
        expect((await redirectOf(unchanged as NamedStrategy)).searchParams.get('from')).to.equal(
          'the strategy',
        );
      }
    });

    it('S5: holds everything of the request; the strategy gets nothing but Passport’s actions', async () => {
      const server = close(await network(answers));
      const strategy = new Strategy(server.url, admit) as NamedStrategy;
      const properties = Reflect.ownKeys(strategy);
      const app = close(await loginApp(strategy, { byInstance: true }));
      const browser = new Browser();
      const { searchParams } = new URL((await browser.get(`${app.url}/login/example`)).location);
      const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
      const page = await browser.get(`${app.url}/api/auth/callback/example?${query}${key}`);
      expect(page.status).to.equal(200);
      const actions = ['success', 'fail', 'redirect', 'pass', 'error'];
      expect(Reflect.ownKeys(strategy)).to.have.members([...properties, ...actions]);
    });

    it('S5: is not the copy that Passport makes, which gets nothing but the actions', async () => {
      const server = close(await network(answers));
      const copies: object[] = [];
      const change: Change = (copy) => copies.push(copy);
      const strategy = Object.assign(new Strategy(server.url, admit), { change }) as NamedStrategy;
      const session = {};
      const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session));
      const { searchParams } = new URL(redirect);
      const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
      const ending = await attempt(strategy, fakeRequest(`/callback?${query}${key}`, session));
      expect(ending.user).to.deep.equal({ id: 1 });
      expect(copies).to.have.length(2);
      const actions = ['success', 'fail', 'redirect', 'pass', 'error'];
      for (const copy of copies) expect(Reflect.ownKeys(copy)).to.have.members(actions);
    });
  });
}
