import { mock } from 'node:test';
import { expect } from 'chai';
import { MemoryStore } from 'express-session';
import type { LoginRequest } from '../../lib/core/pending-login.js';
import { inTurn, latestMember } from '../../lib/core/session.js';
import { rejectionOf } from '../support/thrown.js';

const pause = () => new Promise((resolve) => setImmediate(resolve));

/** A request as express-session leaves it. */
const stored = (sessionStore: object, sessionID = 'sid') => ({ sessionID, sessionStore }) as LoginRequest;

describe('session: the latest member', () => {
  it('is read from the store, not from the copy that the request has', async () => {
    const store = new MemoryStore();
    await new Promise((resolve) => store.set('sid', { cookie: {}, logins: 'new' } as never, resolve));
    const request = Object.assign(stored(store), { session: { logins: 'old' } });
    expect(await latestMember(request, 'logins')).to.equal('new');
    expect(await latestMember(request, 'other')).to.equal(undefined);
  });

  it('is undefined without a store, and for a session that is not in it yet', async () => {
    expect(await latestMember({ session: { logins: 'own' } }, 'logins')).to.equal(undefined);
    expect(await latestMember(stored(new MemoryStore()), 'logins')).to.equal(undefined);
    expect(await latestMember(stored({ sessionStore: {} }), 'logins')).to.equal(undefined);
  });

  it('T14: an error of the store is the error', async () => {
    const failure = new Error('the store is away');
    const store = { get: (_id: string, done: (error: Error) => void) => done(failure) };
    expect(await rejectionOf(Promise.resolve(latestMember(stored(store), 'logins')))).to.equal(failure);
  });
});

describe('session: changes in turn', () => {
  const change = (log: string[], name: string) => async () => {
    log.push(`${name} begins`);
    await pause();
    log.push(`${name} ends`);
  };

  it('C3: changes of one session wait for one another', async () => {
    const log: string[] = [];
    await Promise.all([inTurn(stored({}), change(log, 'a')), inTurn(stored({}), change(log, 'b'))]);
    expect(log).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('changes of two sessions, or of sessions without an identifier, do not', async () => {
    for (const [one, other] of [
      [stored({}, 'one'), stored({}, 'other')],
      [{}, {}],
    ] as const) {
      const log: string[] = [];
      await Promise.all([inTurn(one, change(log, 'a')), inTurn(other, change(log, 'b'))]);
      expect(log.slice(0, 2)).to.deep.equal(['a begins', 'b begins']);
    }
  });

  it('T14: a change that fails does not stop the next one', async () => {
    const failure = new Error('the store is away');
    const log: string[] = [];
    const failing = inTurn(stored({}), () => Promise.reject(failure));
    const next = inTurn(stored({}), change(log, 'b'));
    expect(await rejectionOf(failing)).to.equal(failure);
    await next;
    expect(log).to.deep.equal(['b begins', 'b ends']);
  });

  it('T14: a change that never ends lets the next one through after a minute', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const log: string[] = [];
    const hanging = rejectionOf(inTurn(stored({}), () => new Promise(() => {})));
    const next = inTurn(stored({}), change(log, 'b'));
    await pause();
    expect(log).to.deep.equal([]);
    mock.timers.tick(60_000);
    mock.timers.reset();
    expect(await hanging).to.be.instanceOf(TypeError);
    await next;
    expect(log).to.deep.equal(['b begins', 'b ends']);
  });
});
