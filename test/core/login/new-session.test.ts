import { once } from 'node:events';
import { mock } from 'node:test';
import { expect } from 'chai';
import { type LoginRequest, PendingLogins, sessionLogins } from '../../../lib/core/login/index.js';
import { cookieJar, LOGIN } from '../../support/logins.js';

type Done = (error?: unknown) => void;

const store = sessionLogins();
const logins = new PendingLogins(store, {
  strategy: 'network',
  clientID: 'client',
  authorizationURL: 'https://network.example/',
});

/** A pending login that is bound to its browser. */
const KEPT = {
  a: {
    id: 'a',
    strategy: 'network',
    clientID: 'client',
    callbackURL: 'https://a.example/',
    expiresAt: 1,
    browser: 'digest',
  },
};

describe('the new session at login', () => {
  /** A request with a session like express-session's: `regenerate` replaces it with a new one. */
  function request(error?: unknown): LoginRequest & { session: Record<string, unknown> } {
    const made: LoginRequest & { session: Record<string, unknown> } = { session: {}, ...cookieJar() };
    const regenerate = (done: Done) => {
      if (error === undefined) made.session = { regenerate };
      done(error);
    };
    made.session = { regenerate };
    return made;
  }
  const regenerate = (session: Record<string, unknown>) =>
    new Promise<unknown>((resolve) => (session.regenerate as (done: Done) => void)(resolve));

  it('C20: the new session keeps the logins of other tabs, and nothing else', async () => {
    const req = request();
    const state = await logins.begin(req, LOGIN);
    req.session.cart = ['book'];
    const before = req.session;
    store.beforeLogin?.(req);
    expect(await regenerate(before)).to.equal(undefined);
    expect(req.session).to.not.equal(before);
    expect(Object.keys(req.session)).to.have.members(['regenerate', 'pendingLogins']);
    expect((await logins.take(req, state)).state).to.deep.equal(LOGIN.state);
  });

  it('C25: a login that could not be bound to its browser is not kept, because the framework offers no response', async () => {
    const req = Object.assign(request(), { res: undefined });
    await logins.begin(req, LOGIN);
    store.beforeLogin?.(req);
    await regenerate(req.session);
    expect(Object.keys(req.session)).to.not.include('pendingLogins');
  });

  it('C20: without other logins the session is not touched', async () => {
    const req = request();
    const own = req.session.regenerate;
    store.beforeLogin?.(req);
    expect(req.session.regenerate).to.equal(own);
  });

  it('C20: the next new session, for example at logout, keeps nothing', async () => {
    const req = request();
    await logins.begin(req, LOGIN);
    store.beforeLogin?.(req);
    await regenerate(req.session);
    await regenerate(req.session);
    expect(Object.keys(req.session)).to.deep.equal(['regenerate']);
  });

  it('C20: a regenerate that takes the properties to keep and returns a promise keeps the logins as well', async () => {
    const kept: unknown[] = [];
    const made: LoginRequest & { session: Record<string, unknown> } = { session: {}, ...cookieJar() };
    made.session = {
      async regenerate(members: unknown) {
        kept.push(members);
        made.session = {};
      },
    };
    const state = await logins.begin(made, LOGIN);
    store.beforeLogin?.(made);
    const session = made.session as { regenerate(members: readonly string[]): Promise<void> };
    await session.regenerate(['cart']);
    expect(kept).to.deep.equal([['cart']]);
    expect((await logins.take(made, state)).state).to.deep.equal(LOGIN.state);
  });

  it('a regenerate of the application that cannot be replaced is not touched', async () => {
    const session: Record<string, unknown> = {};
    const own = () => {};
    Object.defineProperty(session, 'regenerate', { value: own });
    await logins.begin({ session }, LOGIN);
    store.beforeLogin?.({ session });
    expect(session.regenerate).to.equal(own);
  });

  it('T14: an exception of regenerate is passed on, and one of the callback is a warning', async () => {
    const failure = new Error('the client is closed');
    const session: Record<string, unknown> = {
      regenerate() {
        throw failure;
      },
    };
    await logins.begin({ session }, LOGIN);
    store.beforeLogin?.({ session });
    expect(await regenerate(session)).to.equal(failure);

    const req = request();
    await logins.begin(req, LOGIN);
    store.beforeLogin?.(req);
    const warned = once(process, 'warning');
    (req.session.regenerate as (done: Done) => void)(() => {
      throw new Error('of the application');
    });
    expect(String((await warned)[0])).to.match(/A callback of the application threw \(Error\)/);
  });

  it('C20: logins are kept if the session store fails, and not restored if no new session began', async () => {
    const req = Object.assign(request(), {
      sessionID: 'A',
      sessionStore: { get: (_id: string, done: Done) => done(new Error('the store is down')) },
    });
    req.session.pendingLogins = KEPT;
    store.beforeLogin?.(req);
    expect(await regenerate(req.session)).to.equal(undefined);
    expect(req.session.pendingLogins).to.deep.equal(KEPT);

    const failed: LoginRequest & { session: Record<string, unknown> } = { session: {} };
    failed.session.regenerate = (done: Done) => {
      failed.session = {};
      done(new Error('no new session'));
    };
    await logins.begin(failed, LOGIN);
    store.beforeLogin?.(failed);
    await regenerate(failed.session);
    expect(failed.session).to.deep.equal({});
  });

  it('C20: a session store that hangs delays the login by a minute at most', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const req = Object.assign(request(), { sessionID: 'A', sessionStore: { get: () => {} } });
      req.session.pendingLogins = KEPT;
      store.beforeLogin?.(req);
      const regenerated = regenerate(req.session);
      mock.timers.tick(60_000);
      expect(await regenerated).to.equal(undefined);
      expect(req.session.pendingLogins).to.deep.equal(KEPT);
    } finally {
      mock.timers.reset();
    }
  });

  it('C20: the new session keeps a login that another request saved meanwhile', async () => {
    const req = Object.assign(request(), {
      sessionID: 'A',
      sessionStore: {
        get: (_id: string, done: (error: unknown, session: object) => void) =>
          done(null, { pendingLogins: KEPT }),
      },
    });
    store.beforeLogin?.(req);
    await regenerate(req.session);
    expect(req.session.pendingLogins).to.deep.equal(KEPT);
  });

  it('an error of regenerate is passed on', async () => {
    const failure = new Error('no new session');
    const req = request(failure);
    await logins.begin(req, LOGIN);
    store.beforeLogin?.(req);
    expect(await regenerate(req.session)).to.equal(failure);
  });

  it('a session without regenerate, or no session at all, is accepted', async () => {
    const session: Record<string, unknown> = {};
    await logins.begin({ session }, LOGIN);
    store.beforeLogin?.({ session });
    store.beforeLogin?.({});
    expect(Object.keys(session)).to.deep.equal(['pendingLogins']);
  });
});
