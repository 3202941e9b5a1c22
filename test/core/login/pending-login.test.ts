import { expect } from 'chai';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import { type LoginStore, type PendingLogin, PendingLogins } from '../../../lib/core/login/index.js';
import { type LoginOwner, ReplayGuard } from '../../../lib/core/login/pending-login.js';
import { fakeClock } from '../../support/clock.js';
import { LOGIN, memoryLogins, sessionRequest } from '../../support/logins.js';
import { rejectionOf, thrownBy } from '../../support/thrown.js';

/** What a stored login says about its owner. */
const NAMES = { strategy: 'network', clientID: 'client' };
const OWNER = { ...NAMES, authorizationURL: 'https://network.example/' };
const request = sessionRequest();

async function expectFailure(taking: Promise<unknown>, code: string): Promise<LoginFailure> {
  const failure = (await rejectionOf(taking)) as LoginFailure;
  expect(failure).to.be.instanceOf(LoginFailure);
  expect([failure.code, failure.status]).to.deep.equal([code, 403]);
  return failure;
}

describe('pending logins', () => {
  const clock = fakeClock();

  it('a login that was begun is taken with everything that was saved', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    const state = await logins.begin(request, LOGIN);
    const { id, expiresAt, ...login } = await logins.take(request, state);
    expect(login).to.deep.equal({ ...LOGIN, ...NAMES });
    expect(id).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(expiresAt).to.be.a('number');
  });

  it('C5: a state has 43 characters of base64url, and none comes twice', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    const states = await Promise.all(Array.from({ length: 100 }, () => logins.begin(request, LOGIN)));
    for (const state of states) expect(state).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(states).size).to.equal(100);
  });

  it('the store gets neither the state nor the request token', async () => {
    const store = memoryLogins();
    const logins = new PendingLogins(store, OWNER);
    const state = await logins.begin(request, LOGIN);
    await logins.save(request, 'request-token-0123456789', LOGIN);
    const stored = JSON.stringify([...store.logins]);
    expect(stored).to.not.include(state);
    expect(stored).to.not.include('request-token-0123456789');
  });

  it('the ID is a digest of owner and key, and similar ones have different IDs', async () => {
    const idOf = async (strategy: string, clientID: string, key: string) => {
      const store = memoryLogins();
      const owner: LoginOwner = { ...OWNER, strategy, clientID };
      await new PendingLogins(store, owner).save(request, key, LOGIN);
      return [...store.logins.keys()].join();
    };
    expect(await idOf('a', 'b', 'key')).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(await idOf('a', 'b', 'key')).to.equal(await idOf('a', 'b', 'key'));
    const parts: [string, string, string][] = [
      ['a', 'b', 'key'],
      ['ab', '', 'key'],
      ['', 'ab', 'key'],
      ['a","b', '', 'key'],
      ['a', '', 'bkey'],
      ['a', 'b', 'other'],
    ];
    const ids = await Promise.all(parts.map((part) => idOf(...part)));
    expect(new Set(ids).size).to.equal(parts.length);
  });

  it('S3: keys that are no valid Unicode have IDs of their own', async () => {
    const store = memoryLogins();
    const logins = new PendingLogins(store, OWNER);
    for (const key of ['\ud800', '\ud801', '\ufffd']) await logins.save(request, key, LOGIN);
    expect(store.logins.size).to.equal(3);
  });

  it('a login is plain JSON', async () => {
    const store = memoryLogins();
    await new PendingLogins(store, OWNER).begin(request, LOGIN);
    const [login] = store.logins.values();
    expect(JSON.parse(JSON.stringify(login))).to.deep.equal(login);
  });

  it('C2: a login is taken once; after its use the second time is used_login', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    const denied = await logins.begin(request, LOGIN);
    await logins.take(request, denied);
    await expectFailure(logins.take(request, denied), 'unknown_login');
    const state = await logins.begin(request, LOGIN);
    await logins.use(await logins.take(request, state));
    await expectFailure(logins.take(request, state), 'used_login');
  });

  it('C2: of two simultaneous requests one can use the login, even if the store returns it twice', async () => {
    const store = memoryLogins();
    const careless: LoginStore = { ...store, take: async (_req, id) => store.logins.get(id) };
    const logins = new PendingLogins(careless, OWNER);
    const state = await logins.begin(request, LOGIN);
    const use = async () => logins.use(await logins.take(request, state));
    const requests = await Promise.allSettled([use(), use()]);
    expect(requests.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
  });

  it('C25: whoever is signed in is recognized where Passport or its framework keeps the user', async () => {
    const isAuthenticated = () => true;
    const user = (id: unknown) => ({ id, seen: Math.random() });
    for (const as of [
      // Passport, and what @fastify/passport keeps under the same name, in a session with and without methods.
      (id: number) => ({ isAuthenticated, session: { passport: { user: id } } }),
      (id: number) => ({ isAuthenticated, session: { passport: id } }),
      (id: number) => ({ isAuthenticated, session: { passport: { id } } }),
      (id: number) => ({ isAuthenticated, session: { get: () => id } }),
      // No session, or one of the application's own.
      (id: number) => ({ user: user(id) }),
      (id: number) => ({ session: { userID: id }, user: { sub: String(id), iat: Math.random() } }),
      (id: number) => ({ session: { passport: {} }, user: { _id: { toJSON: () => String(id) } } }),
      (id: number) => ({ user: { id: BigInt(id), seen: Math.random() } }),
      (id: number) => ({ user: { name: `user ${id}` } }),
      (id: number) => ({ user: `user ${id}` }),
      (id: number) => ({ ctx: { isAuthenticated, state: { user: user(id) } } }),
      (id: number) => ({ isAuthenticated, _userProperty: 'account', account: user(id) }),
    ]) {
      const signedIn = as(1);
      const logins = new PendingLogins(memoryLogins(), OWNER);
      const link = { ...request, ...signedIn };
      const state = await logins.begin(link, LOGIN);
      expect(await logins.take({ ...request, ...as(1) }, state, true)).to.include({
        strategy: OWNER.strategy,
      });
      const another = await logins.begin({ ...request, ...as(2) }, LOGIN);
      await expectFailure(logins.take(link, another, true), 'unknown_login');
      const login = await logins.begin(request, LOGIN);
      await expectFailure(logins.take(link, login, true), 'unknown_login');
    }
  });

  it('C25: users whom nothing tells apart, or only their issuer, are never taken for one', async () => {
    class Account {
      readonly #id: number;
      constructor(id: number) {
        this.#id = id;
      }
      get isFirst() {
        return this.#id === 1;
      }
    }
    for (const as of [
      (id: number) => ({ id: '7', provider: `network ${id}` }),
      (id: number) => ({ sub: '7', iss: `https://issuer-${id}.example` }),
      (id: number) => ({ sub: '7', tenant: id }),
      (id: number) => new Account(id),
      (id: number) => new Map([['id', id]]),
      (id: number) => ({ id: '', name: `user ${id}` }),
    ]) {
      const logins = new PendingLogins(memoryLogins(), OWNER);
      const state = await logins.begin({ ...request, user: as(1) }, LOGIN);
      await expectFailure(logins.take({ ...request, user: as(2) }, state, true), 'unknown_login');
    }
  });

  it('C26: strategies that share a store share what it has used', async () => {
    const store = memoryLogins();
    const [one, other] = [new PendingLogins(store, OWNER), new PendingLogins(store, OWNER)];
    const state = await one.begin(request, LOGIN);
    const login = await one.take(request, state);
    await one.use(login);
    store.logins.set(login.id, login);
    await expectFailure(other.take(request, state), 'used_login');
  });

  it('C26: only a login that its store claims can be used', async () => {
    const claims: unknown[] = [];
    const claim = (...claimed: [string, number]) => claims.push(claimed) === 1;
    const logins = new PendingLogins({ ...memoryLogins(), claim }, OWNER);
    const states = [await logins.begin(request, LOGIN), await logins.begin(request, LOGIN)];
    const [first, second] = await Promise.all(states.map(async (state) => logins.take(request, state)));
    if (!first || !second) throw new Error('a login is missing');
    await logins.use(first);
    await expectFailure(logins.use(second), 'used_login');
    expect(claims).to.deep.equal([first, second].map(({ id, expiresAt }) => [id, expiresAt]));
  });

  it('C3: an unknown, empty or missing state leaves every login as it is', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    const state = await logins.begin(request, LOGIN);
    await expectFailure(logins.take(request, 'forged'), 'unknown_login');
    await expectFailure(logins.take(request, ''), 'unknown_login');
    await expectFailure(logins.take(request, undefined), 'unknown_login');
    expect((await logins.take(request, state)).callbackURL).to.equal(LOGIN.callbackURL);
  });

  it('C4: a login belongs to one strategy, one client and one network', async () => {
    const store = memoryLogins();
    const state = await new PendingLogins(store, OWNER).begin(request, LOGIN);
    const otherStrategy = new PendingLogins(store, { ...OWNER, strategy: 'other' });
    const otherClient = new PendingLogins(store, { ...OWNER, clientID: 'other' });
    await expectFailure(otherStrategy.take(request, state), 'unknown_login');
    await expectFailure(otherClient.take(request, state), 'unknown_login');
    const otherNetwork = new PendingLogins(store, { ...OWNER, authorizationURL: 'https://other.example/' });
    await expectFailure(otherNetwork.take(request, state), 'unknown_login');
    expect(await new PendingLogins(store, OWNER).take(request, state)).to.include(NAMES);
  });

  it('a login that a store mixed up with another is not accepted', async () => {
    const store = memoryLogins();
    const mixing: LoginStore = {
      ...store,
      take: async () => [...store.logins.values()].at(-1),
    };
    const logins = new PendingLogins(mixing, OWNER);
    const state = await logins.begin(request, LOGIN);
    await logins.begin(request, { ...LOGIN, state: 'another tab' });
    await expectFailure(logins.take(request, state), 'unknown_login');
  });

  it('a value that is no login is not accepted from a store', async () => {
    for (const rubbish of [null, {}, { id: 1 }, 'login', []]) {
      const store: LoginStore = {
        save: async () => {},
        take: async () => rubbish as unknown as PendingLogin,
      };
      await expectFailure(new PendingLogins(store, OWNER).take(request, 'state'), 'unknown_login');
    }
  });

  it('C6: a login is valid for ten minutes: a millisecond before the end it is taken', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    const now = clock.stop();
    const state = await logins.begin(request, LOGIN);
    clock.advance(599_999);
    expect((await logins.take(request, state)).expiresAt).to.equal(now + 600_000);
  });

  it('C6: a login has expired after ten minutes', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    clock.stop();
    const state = await logins.begin(request, LOGIN);
    clock.advance(600_000);
    const failure = await expectFailure(logins.take(request, state), 'expired_login');
    expect(failure.message).to.include('Start the login again.');
  });

  it('C6: a store can set another lifetime', async () => {
    const logins = new PendingLogins(memoryLogins(60_000), OWNER);
    const state = await logins.begin(request, LOGIN);
    const other = await logins.begin(request, LOGIN);
    clock.advance(59_000);
    expect(await logins.take(request, state)).to.include(NAMES);
    clock.advance(1_000);
    await expectFailure(logins.take(request, other), 'expired_login');
  });

  it('C6: if the clock is turned back, a login expires once more than a lifetime and a minute are left', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    clock.stop();
    const states = [await logins.begin(request, LOGIN), await logins.begin(request, LOGIN)] as const;
    clock.advance(-60_000);
    expect(await logins.take(request, states[0])).to.include(NAMES);
    clock.advance(-1);
    await expectFailure(logins.take(request, states[1]), 'expired_login');
  });

  it('a login without a time of expiry is not accepted', async () => {
    const store = memoryLogins();
    const logins = new PendingLogins(store, OWNER);
    const state = await logins.begin(request, LOGIN);
    const [[id, login]] = [...store.logins] as [[string, PendingLogin]];
    store.logins.set(id, { ...login, expiresAt: 'never' as unknown as number });
    await expectFailure(logins.take(request, state), 'expired_login');
  });

  it('a login is not used up if the store fails to return it', async () => {
    const store = memoryLogins();
    const failure = new Error('the store is away');
    let isAway = true;
    const failing: LoginStore = {
      ...store,
      async take(req, id) {
        if (isAway) throw failure;
        return store.take(req, id);
      },
    };
    const logins = new PendingLogins(failing, OWNER);
    const state = await logins.begin(request, LOGIN);
    expect(await rejectionOf(logins.take(request, state))).to.equal(failure);
    isAway = false;
    expect(await logins.take(request, state)).to.include(NAMES);
  });

  it('the message distinguishes a browser without cookies from one with another login', async () => {
    const logins = new PendingLogins(memoryLogins(), OWNER);
    const withoutCookie = await expectFailure(logins.take({ headers: {} }, 'x'), 'unknown_login');
    expect(withoutCookie.message).to.include('The browser sent no cookie');
    expect(withoutCookie.message).to.include('localhost and 127.0.0.1 are two');
    const withCookie = await expectFailure(logins.take(request, 'x'), 'unknown_login');
    expect(withCookie.message).to.include('started in another browser or by another strategy');
  });
});

describe('the replay guard', () => {
  const clock = fakeClock();

  it('C2: rejects a login that was used before', () => {
    const guard = new ReplayGuard();
    const expiresAt = Date.now() + 600_000;
    guard.check('a');
    guard.use('a', expiresAt);
    guard.use('b', expiresAt);
    for (const again of [() => guard.use('a', expiresAt), () => guard.check('a')]) {
      const failure = thrownBy(again) as LoginFailure;
      expect(failure).to.be.instanceOf(LoginFailure);
      expect([failure.code, failure.status]).to.deep.equal(['used_login', 403]);
      expect(failure.message).to.include('Start the login again.');
    }
  });

  it('forgets a login when it has expired', () => {
    const guard = new ReplayGuard();
    guard.use('a', clock.stop() + 1_000);
    clock.advance(999);
    expect(() => guard.check('a')).to.throw(LoginFailure);
    clock.advance(1);
    guard.check('a');
  });

  it('remembers a hundred thousand logins and forgets the oldest first', () => {
    const guard = new ReplayGuard();
    const expiresAt = Date.now() + 600_000;
    for (let count = 0; count <= 100_000; count += 1) guard.use(`login-${count}`, expiresAt);
    guard.check('login-0');
    expect(() => guard.check('login-1')).to.throw(LoginFailure);
    expect(() => guard.check('login-100000')).to.throw(LoginFailure);
  });
});
