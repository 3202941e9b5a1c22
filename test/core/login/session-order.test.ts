import { mock } from 'node:test';
import { expect } from 'chai';
import { MemoryStore } from 'express-session';
import {
  type LoginRequest,
  type PendingLogin,
  PendingLogins,
  sessionLogins,
} from '../../../lib/core/login/index.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import { LOGIN } from '../../support/logins.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';
import { sessionApp } from '../../support/session-app.js';
import { SlowStore } from '../../support/slow-sessions.js';
import { rejectionOf } from '../../support/thrown.js';

type Done = (error: unknown, user: object) => void;
type Got = (error: unknown, session?: object | null) => void;

const OWNER = { strategy: 'network', clientID: 'client', authorizationURL: 'https://network.example/' };

const pause = () => new Promise((resolve) => setImmediate(resolve));

/** A request as express-session leaves it. */
const storedRequest = (sessionStore: object, session: object = {}, sessionID = 'sid') =>
  ({ sessionID, sessionStore, session }) as LoginRequest & { session: Record<string, unknown> };

const loginWith = (id: string): PendingLogin => ({
  id,
  strategy: 'network',
  clientID: 'client',
  callbackURL: 'https://app.example/cb',
  expiresAt: Date.now() + 60_000,
});

const idsIn = ({ session }: { session: Record<string, unknown> }) =>
  Object.keys((session.pendingLogins ?? {}) as object);

describe('sessionLogins with the session store of express-session', () => {
  it('reads the logins from the store, not from the copy that the request has', async () => {
    const store = new MemoryStore();
    const stored = { pendingLogins: { new: loginWith('new') } };
    await new Promise((resolve) => store.set('sid', { cookie: {}, ...stored } as never, resolve));
    const request = storedRequest(store, { pendingLogins: { old: loginWith('old') } });
    await sessionLogins().save(request, loginWith('latest'));
    expect(idsIn(request)).to.deep.equal(['new', 'latest']);
  });

  it('reads them from the request without a store, and for a session that is not stored yet', async () => {
    for (const request of [
      storedRequest(new MemoryStore()),
      storedRequest({}),
      { session: {} as Record<string, unknown> },
    ]) {
      request.session.pendingLogins = { own: loginWith('own') };
      await sessionLogins().save(request, loginWith('latest'));
      expect(idsIn(request)).to.deep.equal(['own', 'latest']);
    }
  });

  it('T14: an error of the store is the error of the login', async () => {
    const failure = new Error('the store is away');
    const request = storedRequest({ get: (_id: string, done: Got) => done(failure) });
    const logins = new PendingLogins(sessionLogins(), OWNER);
    expect(await rejectionOf(logins.begin(request, LOGIN))).to.equal(failure);
    expect(await rejectionOf(logins.take(request, 'state'))).to.equal(failure);
  });
});

describe('changes of a session', () => {
  afterEach(() => mock.timers.reset());

  /** A request whose session is saved a moment later; notes when the change begins and ends. */
  function loggedRequest(log: string[], name: string, sessionID?: string) {
    const session = {
      async save() {
        log.push(`${name} begins`);
        await pause();
        log.push(`${name} ends`);
      },
    };
    return { session, ...(sessionID !== undefined && { sessionID }) };
  }
  const store = sessionLogins();
  const change = async (request: LoginRequest, signal?: AbortSignal) =>
    store.save(request, loginWith('a-login'), signal);

  it('C3: changes of one session wait for one another', async () => {
    const log: string[] = [];
    await Promise.all(['a', 'b'].map((name) => change(loggedRequest(log, name, 'sid'))));
    expect(log).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('changes of two sessions, or of sessions without an ID, do not wait', async () => {
    for (const [one, other] of [
      ['one', 'other'],
      [undefined, undefined],
    ]) {
      const log: string[] = [];
      await Promise.all([change(loggedRequest(log, 'a', one)), change(loggedRequest(log, 'b', other))]);
      expect(log.slice(0, 2)).to.deep.equal(['a begins', 'b begins']);
    }
  });

  it('T14: a change that fails does not stop the next one', async () => {
    const failure = new Error('the store is away');
    const log: string[] = [];
    const failing = change({
      session: { save: () => Promise.reject(failure) },
      sessionID: 'sid',
    } as LoginRequest);
    const next = change(loggedRequest(log, 'b', 'sid'));
    expect(await rejectionOf(failing)).to.equal(failure);
    await next;
    expect(log).to.deep.equal(['b begins', 'b ends']);
  });

  const hangingRequest = () => ({ session: { save: () => new Promise(() => {}) }, sessionID: 'sid' });

  it('T14: a change that hangs lets the next one through when its signal is aborted', async () => {
    const log: string[] = [];
    const hanging = new AbortController();
    void change(hangingRequest(), hanging.signal);
    const next = change(loggedRequest(log, 'b', 'sid'), new AbortController().signal);
    await pause();
    expect(log).to.deep.equal([]);
    hanging.abort();
    await next;
    expect(log).to.deep.equal(['b begins', 'b ends']);
  });

  it('C3: a change that was given up while it waited is not made, and those after it keep their order', async () => {
    const log: string[] = [];
    const [first, second] = [new AbortController(), new AbortController()];
    void change(hangingRequest(), first.signal);
    const waiting = change(loggedRequest(log, 'b', 'sid'), second.signal);
    const others = ['c', 'd'].map((name) => change(loggedRequest(log, name, 'sid')));
    await pause();
    first.abort();
    second.abort();
    expect(await rejectionOf(waiting)).to.include({ name: 'AbortError' });
    await Promise.all(others);
    expect(log).to.deep.equal(['c begins', 'c ends', 'd begins', 'd ends']);
  });

  it('T14: a store that wraps sessionLogins and passes no signal on does not block the session either', async () => {
    const timeout = mock.method(AbortSignal, 'timeout', () => AbortSignal.abort());
    try {
      const log: string[] = [];
      void change(hangingRequest()).catch(() => {});
      timeout.mock.restore();
      await change(loggedRequest(log, 'b', 'sid'));
      expect(log).to.deep.equal(['b begins', 'b ends']);
    } finally {
      timeout.mock.restore();
    }
  });

  it('T14: a login that hangs is an error after a minute, and the next login of the session proceeds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const log: string[] = [];
    const logins = new PendingLogins(store, OWNER);
    const hanging = rejectionOf(logins.begin(hangingRequest(), LOGIN));
    mock.timers.tick(30_000);
    const next = logins.begin(loggedRequest(log, 'b', 'sid'), LOGIN);
    await pause();
    expect(log).to.deep.equal([]);
    mock.timers.tick(30_000);
    expect(await hanging).to.be.instanceOf(TypeError);
    expect(await next).to.be.a('string');
    expect(log).to.deep.equal(['b begins', 'b ends']);
  });
});

const verify = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const PROTOCOLS = {
  'OAuth 2': {
    Strategy: ExampleStrategy,
    answers: exampleAnswers(),
    tokenPath: '/token',
    start: [],
    query: 'code=the-code&state=',
  },
  'OAuth 1.0a': {
    Strategy: ExampleOAuth1Strategy,
    answers: exampleOAuth1Answers(),
    tokenPath: '/access_token',
    start: ['/request_token'],
    query: 'oauth_verifier=the-verifier&oauth_token=',
  },
};

for (const [protocol, { Strategy, answers, tokenPath, start, query }] of Object.entries(PROTOCOLS)) {
  describe(`a slow session store, ${protocol}`, () => {
    realSockets();
    const close = closesAfterEach();

    /** An application, and what happens in it, in order. */
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
    const callbackURL = (app: { url: string }, location: string) => {
      const { searchParams } = new URL(location);
      const key = searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
      return `${app.url}/?${query}${encodeURIComponent(key)}`;
    };

    it('C2: has stored the login before the redirect, and removed it before the token request', async () => {
      const { events, app, browser } = await application();
      const { location } = await browser.get(`${app.url}/`);
      expect(events.slice(0, start.length + 2)).to.deep.equal([...start, 'stored', 'redirect']);
      events.length = 0;
      const page = await browser.get(callbackURL(app, location));
      expect(page.json).to.deep.equal({ loggedIn: true });
      expect(events.slice(0, 3)).to.deep.equal(['stored', tokenPath, '/profile']);
    });

    it('C2: that fails at the start is the error of the login, without a redirect', async () => {
      const { events, store, app, browser } = await application();
      store.failure = new Error('the session store is away');
      const page = await browser.get(`${app.url}/`);
      expect([page.status, page.location]).to.deep.equal([500, '']);
      expect(app.errors[0]).to.equal(store.failure);
      expect(events).to.deep.equal(start);
    });

    it('C2: that fails at the callback is the error of the login, without a token request', async () => {
      const { events, store, app, browser } = await application();
      const { location } = await browser.get(`${app.url}/`);
      events.length = 0;
      store.failure = new Error('the session store is away');
      const page = await browser.get(callbackURL(app, location));
      expect([page.status, page.json]).to.deep.equal([500, { failed: true }]);
      expect(app.errors[0]).to.equal(store.failure);
      expect(events).to.deep.equal([]);
    });
  });
}
