import { expect } from 'chai';
import { LoginFailure } from '../../lib/core/errors.js';
import { type LoginStore, type PendingLogin, StoredLogins } from '../../lib/core/pending-login.js';
import { fakeClock } from '../support/clock.js';
import { LOGIN, memoryLogins, sessionRequest } from '../support/logins.js';
import { rejectionOf } from '../support/thrown.js';

/** What a record tells about its owner. */
const NAMES = { strategy: 'network', clientID: 'client' };
const OWNER = { ...NAMES, authorizationURL: 'https://network.example/' };
const request = sessionRequest();

async function expectFailure(taking: Promise<unknown>, code: string): Promise<LoginFailure> {
  const failure = (await rejectionOf(taking)) as LoginFailure;
  expect(failure).to.be.instanceOf(LoginFailure);
  expect([failure.code, failure.status]).to.deep.equal([code, 403]);
  return failure;
}

describe('pending-login', () => {
  const clock = fakeClock();

  it('what was begun is taken, with all that was told about it', async () => {
    const logins = new StoredLogins(memoryLogins(), OWNER);
    const state = await logins.begin(request, LOGIN);
    const { id, expiresAt, ...login } = await logins.take(request, state);
    expect(login).to.deep.equal({ ...LOGIN, ...NAMES });
    expect(id).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(expiresAt).to.be.a('number');
  });

  it('C5: a state has 43 characters of base64url and is another one each time', async () => {
    const logins = new StoredLogins(memoryLogins(), OWNER);
    const states = await Promise.all(Array.from({ length: 100 }, () => logins.begin(request, LOGIN)));
    for (const state of states) expect(state).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(states).size).to.equal(100);
  });

  it('the store learns neither the state nor the request token', async () => {
    const store = memoryLogins();
    const logins = new StoredLogins(store, OWNER);
    const state = await logins.begin(request, LOGIN);
    await logins.keep(request, 'request-token-0123456789', LOGIN);
    const stored = JSON.stringify([...store.logins]);
    expect(stored).to.not.include(state);
    expect(stored).to.not.include('request-token-0123456789');
  });

  it('a login is plain JSON', async () => {
    const store = memoryLogins();
    await new StoredLogins(store, OWNER).begin(request, LOGIN);
    const [login] = store.logins.values();
    expect(JSON.parse(JSON.stringify(login))).to.deep.equal(login);
  });

  it('C2: a login is taken once; again it is used', async () => {
    const logins = new StoredLogins(memoryLogins(), OWNER);
    const state = await logins.begin(request, LOGIN);
    await logins.take(request, state);
    await expectFailure(logins.take(request, state), 'used_login');
  });

  it('C2: two takers at the same moment get one login, even from a store that gives it twice', async () => {
    const store = memoryLogins();
    const careless: LoginStore = { ...store, take: async (_req, id) => store.logins.get(id) };
    const logins = new StoredLogins(careless, OWNER);
    const state = await logins.begin(request, LOGIN);
    const takers = await Promise.allSettled([logins.take(request, state), logins.take(request, state)]);
    expect(takers.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
  });

  it('C3: an unknown state leaves every login as it is', async () => {
    const logins = new StoredLogins(memoryLogins(), OWNER);
    const state = await logins.begin(request, LOGIN);
    await expectFailure(logins.take(request, 'forged'), 'unknown_login');
    await expectFailure(logins.take(request, ''), 'unknown_login');
    await expectFailure(logins.take(request, undefined), 'unknown_login');
    expect((await logins.take(request, state)).callbackURL).to.equal(LOGIN.callbackURL);
  });

  it('C4: a login belongs to one strategy, one client and one network', async () => {
    const store = memoryLogins();
    const state = await new StoredLogins(store, OWNER).begin(request, LOGIN);
    const otherStrategy = new StoredLogins(store, { ...OWNER, strategy: 'other' });
    const otherClient = new StoredLogins(store, { ...OWNER, clientID: 'other' });
    await expectFailure(otherStrategy.take(request, state), 'unknown_login');
    await expectFailure(otherClient.take(request, state), 'unknown_login');
    const otherNetwork = new StoredLogins(store, { ...OWNER, authorizationURL: 'https://other.example/' });
    await expectFailure(otherNetwork.take(request, state), 'unknown_login');
    expect(await new StoredLogins(store, OWNER).take(request, state)).to.include(NAMES);
  });

  it('a login that a store mixed up with another is not believed', async () => {
    const store = memoryLogins();
    const mixing: LoginStore = {
      ...store,
      take: async () => [...store.logins.values()].at(-1),
    };
    const logins = new StoredLogins(mixing, OWNER);
    const state = await logins.begin(request, LOGIN);
    await logins.begin(request, { ...LOGIN, state: 'another tab' });
    await expectFailure(logins.take(request, state), 'unknown_login');
  });

  it('what a store gives in place of a login is not believed', async () => {
    for (const rubbish of [null, {}, { id: 1 }, 'login', []]) {
      const store: LoginStore = {
        save: async () => {},
        take: async () => rubbish as unknown as PendingLogin,
      };
      await expectFailure(new StoredLogins(store, OWNER).take(request, 'state'), 'unknown_login');
    }
  });

  it('C6: a login lives ten minutes: a millisecond before the end it is taken', async () => {
    const logins = new StoredLogins(memoryLogins(), OWNER);
    const now = clock.stop();
    const state = await logins.begin(request, LOGIN);
    clock.advance(599_999);
    expect((await logins.take(request, state)).expiresAt).to.equal(now + 600_000);
  });

  it('C6: at the end of the ten minutes it has expired', async () => {
    const logins = new StoredLogins(memoryLogins(), OWNER);
    clock.stop();
    const state = await logins.begin(request, LOGIN);
    clock.advance(600_000);
    const failure = await expectFailure(logins.take(request, state), 'expired_login');
    expect(failure.message).to.include('Start the login again.');
  });

  it('C6: a store may set another lifetime', async () => {
    const logins = new StoredLogins(memoryLogins(60_000), OWNER);
    const state = await logins.begin(request, LOGIN);
    const other = await logins.begin(request, LOGIN);
    clock.advance(59_000);
    expect(await logins.take(request, state)).to.include(NAMES);
    clock.advance(1_000);
    await expectFailure(logins.take(request, other), 'expired_login');
  });

  it('a login without a time of expiry is not believed', async () => {
    const store = memoryLogins();
    const logins = new StoredLogins(store, OWNER);
    const state = await logins.begin(request, LOGIN);
    const [[id, login]] = [...store.logins] as [[string, PendingLogin]];
    store.logins.set(id, { ...login, expiresAt: 'never' as unknown as number });
    await expectFailure(logins.take(request, state), 'expired_login');
  });

  it('a store that fails at taking does not spend the login', async () => {
    const store = memoryLogins();
    const failure = new Error('the store is away');
    let away = true;
    const failing: LoginStore = {
      ...store,
      async take(req, id) {
        if (away) throw failure;
        return store.take(req, id);
      },
    };
    const logins = new StoredLogins(failing, OWNER);
    const state = await logins.begin(request, LOGIN);
    expect(await rejectionOf(logins.take(request, state))).to.equal(failure);
    away = false;
    expect(await logins.take(request, state)).to.include(NAMES);
  });

  it('the message tells a browser without cookies from one with a foreign login', async () => {
    const logins = new StoredLogins(memoryLogins(), OWNER);
    const stranger = await expectFailure(logins.take({ headers: {} }, 'x'), 'unknown_login');
    expect(stranger.message).to.include('The browser sent no cookie');
    expect(stranger.message).to.include('localhost and 127.0.0.1 are two');
    const other = await expectFailure(logins.take(request, 'x'), 'unknown_login');
    expect(other.message).to.include('started in another browser or by another strategy');
  });
});
