import { expect } from 'chai';
import { StoredLogins } from '../../lib/core/pending-login.js';
import { sessionLogins } from '../../lib/core/session-logins.js';
import { fakeClock } from '../support/clock.js';
import { LOGIN, sessionRequest } from '../support/logins.js';
import { rejectionOf } from '../support/thrown.js';

const OWNER = { strategy: 'network', clientID: 'client', authorizationURL: 'https://network.example/' };
const begun = (session: Record<string, unknown>, options = {}) =>
  new StoredLogins(sessionLogins(options), OWNER).begin({ session }, LOGIN);
const pending = (session: Record<string, unknown>, key = 'pendingLogins') =>
  Object.values((session[key] ?? {}) as object) as { expiresAt: number }[];

describe('session-logins', () => {
  const clock = fakeClock();

  it('keeps a login in the session’s member pendingLogins, or in another one', async () => {
    const session = {};
    await begun(session);
    await begun(session, { key: 'logins' });
    expect(Object.keys(session)).to.deep.equal(['pendingLogins', 'logins']);
    expect(pending(session)).to.have.length(1);
    expect(pending(session, 'logins')).to.have.length(1);
  });

  it('can be a part of an application’s own store', async () => {
    const request = sessionRequest();
    const logins = new StoredLogins({ ...sessionLogins(), lifetime: 1_000 }, OWNER);
    const state = await logins.begin(request, LOGIN);
    logins.beforeLogin(request);
    expect((await logins.take(request, state)).callbackURL).to.equal(LOGIN.callbackURL);
  });

  it('C2: taking a login removes it from the session', async () => {
    const request = sessionRequest();
    const logins = new StoredLogins(sessionLogins(), OWNER);
    const state = await logins.begin(request, LOGIN);
    await logins.take(request, state);
    expect(pending(request.session)).to.have.length(0);
  });

  it('C3: several logins stand side by side, and taking one leaves the others', async () => {
    const request = sessionRequest();
    const logins = new StoredLogins(sessionLogins(), OWNER);
    const states = [];
    for (const state of ['a', 'b', 'c']) states.push(await logins.begin(request, { ...LOGIN, state }));
    const [first = '', second = '', third = ''] = states;
    expect((await logins.take(request, second)).state).to.equal('b');
    expect((await logins.take(request, third)).state).to.equal('c');
    expect((await logins.take(request, first)).state).to.equal('a');
  });

  it('C3: twenty logins are kept, the oldest goes first; the number is an option', async () => {
    const session = {};
    for (let count = 0; count < 25; count += 1) await begun(session);
    expect(pending(session)).to.have.length(20);
    for (let count = 0; count < 3; count += 1) await begun(session, { limit: 2 });
    expect(pending(session)).to.have.length(2);
  });

  it('C6: expired logins are cleared away by the next one', async () => {
    const session = {};
    await begun(session);
    await begun(session);
    clock.advance(600_000);
    await begun(session);
    expect(pending(session)).to.have.length(1);
  });

  it('C6: the lifetime is an option', async () => {
    const session = {};
    const before = Date.now();
    await begun(session, { lifetime: 60_000 });
    expect(pending(session)[0]?.expiresAt).to.be.within(before + 60_000, Date.now() + 60_000);
  });

  it('the session’s member is replaced, not written into, so that every middleware notices', async () => {
    const session: Record<string, unknown> = {};
    await begun(session);
    const before = session.pendingLogins;
    await begun(session);
    expect(session.pendingLogins).to.not.equal(before);
    expect(Object.keys(before as object)).to.have.length(1);
  });

  it('passes over what an older version, or somebody else, wrote there', async () => {
    for (const rubbish of ['text', 1, null, [], { x: 1 }, { a: { id: 'a' } }]) {
      const session = { pendingLogins: rubbish };
      await begun(session);
      expect(pending(session)).to.have.length(1);
    }
  });

  it('a request without a session is a TypeError that names express-session', async () => {
    const logins = new StoredLogins(sessionLogins(), OWNER);
    for (const session of [undefined, null, false]) {
      const mistake = await rejectionOf(logins.begin({ session }, LOGIN));
      expect(mistake).to.be.instanceOf(TypeError);
      expect((mistake as Error).message).to.include(
        'Mount a session middleware (for example express-session)',
      );
    }
    expect(await rejectionOf(logins.take({}, 'state'))).to.be.instanceOf(TypeError);
  });

  it('options that cannot be used are TypeErrors that name them', () => {
    const mistakes: [object, string][] = [
      [{ key: '' }, 'sessionLogins: key must be a non-empty text.'],
      [{ key: 7 }, 'sessionLogins: key must be a non-empty text.'],
      [{ limit: 0 }, 'sessionLogins: limit must be a whole number from 1 on.'],
      [{ limit: 1.5 }, 'sessionLogins: limit must be a whole number from 1 on.'],
      [{ lifetime: 0 }, 'sessionLogins: lifetime must be a positive number of milliseconds, at most a day.'],
      [
        { lifetime: Number.POSITIVE_INFINITY },
        'sessionLogins: lifetime must be a positive number of milliseconds, at most a day.',
      ],
      [
        { lifetime: '60' },
        'sessionLogins: lifetime must be a positive number of milliseconds, at most a day.',
      ],
    ];
    for (const [options, message] of mistakes)
      expect(() => sessionLogins(options)).to.throw(TypeError, message);
  });
});
