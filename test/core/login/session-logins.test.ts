import { expect } from 'chai';
import { PendingLogins, sessionLogins } from '../../../lib/core/login/index.js';
import { fakeClock } from '../../support/clock.js';
import { LOGIN, sessionRequest } from '../../support/logins.js';
import { rejectionOf } from '../../support/thrown.js';

type Done = (error?: unknown) => void;

const OWNER = { strategy: 'network', clientID: 'client', authorizationURL: 'https://network.example/' };
const begun = (session: Record<string, unknown>, options = {}) =>
  new PendingLogins(sessionLogins(options), OWNER).begin({ session }, LOGIN);
const pending = (session: Record<string, unknown>, key = 'pendingLogins') =>
  Object.values((session[key] ?? {}) as object) as { expiresAt: number; state?: unknown }[];

describe('sessionLogins', () => {
  const clock = fakeClock();

  it('keeps a login in the session’s property pendingLogins, or in another one', async () => {
    const session = {};
    await begun(session);
    await begun(session, { key: 'logins' });
    expect(Object.keys(session)).to.deep.equal(['pendingLogins', 'logins']);
    expect(pending(session)).to.have.length(1);
    expect(pending(session, 'logins')).to.have.length(1);
  });

  it('can be part of an application’s own store', async () => {
    const request = sessionRequest();
    const logins = new PendingLogins({ ...sessionLogins(), lifetime: 1_000 }, OWNER);
    const state = await logins.begin(request, LOGIN);
    logins.beforeLogin(request);
    expect((await logins.take(request, state)).callbackURL).to.equal(LOGIN.callbackURL);
  });

  it('C2: taking a login removes it from the session', async () => {
    const request = sessionRequest();
    const logins = new PendingLogins(sessionLogins(), OWNER);
    const state = await logins.begin(request, LOGIN);
    await logins.take(request, state);
    expect(pending(request.session)).to.have.length(0);
  });

  it('C3: a session holds several logins, and taking one leaves the others', async () => {
    const request = sessionRequest();
    const logins = new PendingLogins(sessionLogins(), OWNER);
    const states = [];
    for (const state of ['a', 'b', 'c']) states.push(await logins.begin(request, { ...LOGIN, state }));
    const [first = '', second = '', third = ''] = states;
    expect((await logins.take(request, second)).state).to.equal('b');
    expect((await logins.take(request, third)).state).to.equal('c');
    expect((await logins.take(request, first)).state).to.equal('a');
  });

  it('C3: twenty logins are kept, and the oldest is dropped first; the number is an option', async () => {
    // Kept on the server: with a cookie there is less room.
    const session = { save: (done: Done) => done() };
    for (let count = 0; count < 25; count += 1) await begun(session);
    expect(pending(session)).to.have.length(20);
    for (let count = 0; count < 3; count += 1) await begun(session, { limit: 2 });
    expect(pending(session)).to.have.length(2);
  });

  it('C6: expired logins are removed when the next login begins', async () => {
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

  it('the session’s property is replaced, not changed, so that every middleware notices', async () => {
    const session: Record<string, unknown> = {};
    await begun(session);
    const before = session.pendingLogins;
    await begun(session);
    expect(session.pendingLogins).to.not.equal(before);
    expect(Object.keys(before as object)).to.have.length(1);
  });

  it('ignores values that an older version or other code wrote there', async () => {
    for (const rubbish of ['text', 1, null, [], { x: 1 }, { a: { id: 'a' } }]) {
      const session = { pendingLogins: rubbish };
      await begun(session);
      expect(pending(session)).to.have.length(1);
    }
  });

  it('a request without a session is a TypeError that names express-session', async () => {
    const logins = new PendingLogins(sessionLogins(), OWNER);
    for (const session of [undefined, null, false]) {
      const mistake = await rejectionOf(logins.begin({ session }, LOGIN));
      expect(mistake).to.be.instanceOf(TypeError);
      expect((mistake as Error).message).to.include(
        'Mount a session middleware (for example express-session)',
      );
    }
    expect(await rejectionOf(logins.take({}, 'state'))).to.be.instanceOf(TypeError);
  });

  it('C27: in a session that is a cookie, the largest logins make room for the latest one', async () => {
    const session = {};
    await begun(session);
    const logins = new PendingLogins(sessionLogins(), OWNER);
    for (let link = 0; link < 6; link += 1) {
      await logins.begin({ session }, { ...LOGIN, state: `${link}${'x'.repeat(800)}` });
      expect(JSON.stringify(session)).to.have.length.below(2_800);
    }
    const states = pending(session).map(({ state }) =>
      typeof state === 'string' ? state.slice(0, 3) : 'own',
    );
    expect(states).to.deep.equal(['own', '4xx', '5xx']);
  });

  it('C27: in a session that is a cookie, about seven of the twenty logins fit, the latest ones', async () => {
    const session = {};
    const logins = new PendingLogins(sessionLogins(), { ...OWNER, strategy: 'short-video' });
    const login = {
      callbackURL: 'https://shop.example/api/auth/callback/short-video',
      scope: ['user.info.basic'],
      secret: 'x'.repeat(43),
    };
    for (let tab = 0; tab < 20; tab += 1) await logins.begin({ session }, { ...login, state: 10 + tab });
    const states = pending(session).map(({ state }) => state);
    expect(states).to.have.length.within(6, 8);
    expect(states).to.deep.equal(states.map((_, place) => 30 - states.length + place));
    // As cookie-session writes it. Browsers drop a cookie of more than 4,096 bytes.
    expect(Buffer.from(JSON.stringify(session)).toString('base64').length).to.be.below(4_000);
  });

  it('a login that is too large for a session in a cookie causes one warning', async () => {
    const texts: string[] = [];
    const collect = ({ message }: Error) => texts.push(message);
    process.on('warning', collect);
    try {
      const logins = new PendingLogins(sessionLogins(), OWNER, 9_000);
      for (let link = 0; link < 2; link += 1) {
        await logins.begin(sessionRequest(), { ...LOGIN, state: 'x'.repeat(3_000) });
      }
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', collect);
    }
    expect(texts).to.have.length(1);
    expect(texts.join()).to.match(
      /^sessionLogins: one pending login has 3\d\d\d bytes\. .*give authenticate a shorter state, or use cookieLogins\.$/,
    );
  });

  it('C27: stores with different keys do not drop each other’s cookies', async () => {
    const lines: string[] = [];
    const res = { setHeader() {}, appendHeader: (_name: string, line: string) => lines.push(line) };
    const request = () => ({
      session,
      res,
      headers: { cookie: lines.map((line) => line.split(';', 1)[0]).join('; ') },
    });
    const session = {};
    const [one, other] = ['one', 'other'].map(
      (key) => new PendingLogins(sessionLogins({ key, limit: 1 }), OWNER),
    ) as [PendingLogins, PendingLogins];
    const state = await one.begin(request(), LOGIN);
    await other.begin(request(), LOGIN);
    expect(lines.filter((line) => line.includes('Max-Age=0'))).to.deep.equal([]);
    expect((await one.take(request(), state)).callbackURL).to.equal(LOGIN.callbackURL);
  });

  it('options that cannot be used are a TypeError that names them', () => {
    const mistakes: [object, string][] = [
      [{ key: '' }, 'sessionLogins: key must be a non-empty string.'],
      [{ key: 7 }, 'sessionLogins: key must be a non-empty string.'],
      [
        { limits: 3 },
        'sessionLogins: there is no option limits. Its options are lifetime, limit, claim, key.',
      ],
      [{ limit: 0 }, 'sessionLogins: limit must be a whole number of at least 1.'],
      [{ limit: 1.5 }, 'sessionLogins: limit must be a whole number of at least 1.'],
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

describe('sessionLogins: saving the session', () => {
  const logins = new PendingLogins(sessionLogins(), OWNER);

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

  it('a save without callback or promise, and a session without save, are accepted', async () => {
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

  it('what save throws, rejects with or passes to its callback is the error', async () => {
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
