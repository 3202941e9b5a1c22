import { once } from 'node:events';
import { expect } from 'chai';
import { type LoginRequest, StoredLogins } from '../../lib/core/pending-login.js';
import { sessionLogins } from '../../lib/core/session-logins.js';
import { LOGIN } from '../support/logins.js';
import { rejectionOf } from '../support/thrown.js';

type Done = (error?: unknown) => void;

const store = sessionLogins();
const logins = new StoredLogins(store, {
  strategy: 'network',
  clientID: 'client',
  authorizationURL: 'https://network.example/',
});

describe('session-logins: saving', () => {
  it('the session is saved before the redirect leaves, through a callback', async () => {
    const events: string[] = [];
    const session = {
      save(done: Done) {
        events.push(`saving ${Object.keys(this).includes('pendingLogins')}`);
        setImmediate(() => {
          events.push('saved');
          done();
        });
      },
    };
    await logins.begin({ session }, LOGIN);
    expect(events).to.deep.equal(['saving true', 'saved']);
  });

  it('the session is saved before the redirect leaves, through a promise', async () => {
    const events: string[] = [];
    const session = {
      async save() {
        await new Promise((resolve) => setImmediate(resolve));
        events.push('saved');
      },
    };
    await logins.begin({ session }, LOGIN);
    expect(events).to.deep.equal(['saved']);
  });

  it('a save that says nothing, and a session without save, are fine', async () => {
    let saves = 0;
    const session = {
      save() {
        saves += 1;
      },
    };
    const state = await logins.begin({ session }, LOGIN);
    await logins.take({ session }, state);
    expect(saves).to.equal(2);
    expect(await logins.begin({ session: {} }, LOGIN)).to.be.a('string');
  });

  it('what a save throws, rejects with or calls back with is the error', async () => {
    const failure = new Error('the session store is away');
    const saves = [
      (done: Done) => done(failure),
      (_done: Done) => {
        throw failure;
      },
      async (_done: Done) => {
        throw failure;
      },
    ];
    for (const save of saves)
      expect(await rejectionOf(logins.begin({ session: { save } }, LOGIN))).to.equal(failure);
  });
});

describe('session-logins: the new session at login', () => {
  /** A session like express-session's: `regenerate` puts a new one in its place. */
  function request(error?: unknown): LoginRequest & { session: Record<string, unknown> } {
    const made: LoginRequest & { session: Record<string, unknown> } = { session: {} };
    const regenerate = (done: Done) => {
      if (error === undefined) made.session = { regenerate };
      done(error);
    };
    made.session = { regenerate };
    return made;
  }
  const regenerate = (session: Record<string, unknown>) =>
    new Promise<unknown>((resolve) => (session.regenerate as (done: Done) => void)(resolve));

  it('C20: logins of other tabs go over into the new session, and nothing else does', async () => {
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

  it('C20: without other logins the session is left alone', async () => {
    const req = request();
    const own = req.session.regenerate;
    store.beforeLogin?.(req);
    expect(req.session.regenerate).to.equal(own);
  });

  it('C20: the next new session, for example at logout, takes nothing along', async () => {
    const req = request();
    await logins.begin(req, LOGIN);
    store.beforeLogin?.(req);
    await regenerate(req.session);
    await regenerate(req.session);
    expect(Object.keys(req.session)).to.deep.equal(['regenerate']);
  });

  it('C20: a session whose regenerate takes the members to keep, and gives a promise, carries them over, too', async () => {
    const kept: unknown[] = [];
    const made: LoginRequest & { session: Record<string, unknown> } = { session: {} };
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

  it('a regenerate of the application’s own that cannot be replaced is left alone', async () => {
    const session: Record<string, unknown> = {};
    const own = () => {};
    Object.defineProperty(session, 'regenerate', { value: own });
    await logins.begin({ session }, LOGIN);
    store.beforeLogin?.({ session });
    expect(session.regenerate).to.equal(own);
  });

  it('T14: what regenerate throws is passed on, and what the callback throws is a warning', async () => {
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

  it('C20: logins are kept when the store cannot tell them, and are not carried when no new session began', async () => {
    const req = Object.assign(request(), {
      sessionID: 'A',
      sessionStore: { get: (_id: string, done: Done) => done(new Error('the store is down')) },
    });
    req.session.pendingLogins = { kept: true };
    store.beforeLogin?.(req);
    expect(await regenerate(req.session)).to.equal(undefined);
    expect(req.session.pendingLogins).to.deep.equal({ kept: true });

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

  it('C20: a tab that another request saved meanwhile is carried over, too', async () => {
    const req = Object.assign(request(), {
      sessionID: 'A',
      sessionStore: {
        get: (_id: string, done: (error: unknown, session: object) => void) =>
          done(null, { pendingLogins: { newer: true } }),
      },
    });
    store.beforeLogin?.(req);
    await regenerate(req.session);
    expect(req.session.pendingLogins).to.deep.equal({ newer: true });
  });

  it('an error of regenerate is passed on', async () => {
    const failure = new Error('no new session');
    const req = request(failure);
    await logins.begin(req, LOGIN);
    store.beforeLogin?.(req);
    expect(await regenerate(req.session)).to.equal(failure);
  });

  it('a session without regenerate, or none at all, is fine', async () => {
    const session: Record<string, unknown> = {};
    await logins.begin({ session }, LOGIN);
    store.beforeLogin?.({ session });
    store.beforeLogin?.({});
    expect(Object.keys(session)).to.deep.equal(['pendingLogins']);
  });
});
