import { expect } from 'chai';
import { LoginFailure } from '../../../lib/core/errors/index.js';
import type { LoginStore, PendingLogin } from '../../../lib/core/login/index.js';
import { PendingLogins, ReplayGuard } from '../../../lib/core/login/pending-logins.js';
import { fakeClock } from '../../support/clock.js';
import { LOGIN, memoryLogins, OWNER } from '../../support/logins.js';
import { rejectionOf } from '../../support/thrown.js';

const request = { headers: { cookie: 'sid=1' } };

function pendingLogins(store: LoginStore = memoryLogins(), changes: Partial<typeof OWNER> = {}) {
  return new PendingLogins(store, { ...OWNER, ...changes });
}

async function expectFailure(taking: Promise<unknown>, code: string): Promise<LoginFailure> {
  const failure = (await rejectionOf(taking)) as LoginFailure;
  expect(failure).to.be.instanceOf(LoginFailure);
  expect([failure.code, failure.status]).to.deep.equal([code, 403]);
  return failure;
}

describe('pending logins', () => {
  it('what a store returns is not accepted if it is another login, or none', async () => {
    const other = { ...LOGIN, id: 'another-id', expiresAt: Number.POSITIVE_INFINITY };
    for (const found of [other, null, {}, { id: 1 }, 'login', []]) {
      const store: LoginStore = { save() {}, take: () => found as PendingLogin };
      await expectFailure(pendingLogins(store).take(request, 'key'), 'unknown_login');
    }
    const store = memoryLogins();
    const logins = pendingLogins(store);
    await logins.save(request, 'key', LOGIN);
    for (const login of store.logins.values()) Object.assign(login, { expiresAt: 'never' });
    await expectFailure(logins.take(request, 'key'), 'expired_login');
  });

  it('a login is not used up if the store fails to return it', async () => {
    const store = memoryLogins();
    const failure = new Error('the store is away');
    let isAway = true;
    const take: LoginStore['take'] = async (req, id) => {
      if (isAway) throw failure;
      return store.take(req, id);
    };
    const logins = pendingLogins({ ...store, take });
    await logins.save(request, 'key', LOGIN);
    expect(await rejectionOf(logins.take(request, 'key'))).to.equal(failure);
    isAway = false;
    expect(await logins.take(request, 'key')).to.deep.include(LOGIN);
  });

  it('C26: strategies that share a store share what it has used', async () => {
    const store = memoryLogins();
    const [one, other] = [pendingLogins(store), pendingLogins(store)];
    await one.save(request, 'key', LOGIN);
    const login = await one.take(request, 'key');
    await one.markUsed(login);
    store.logins.set(login.id, login);
    await expectFailure(other.take(request, 'key'), 'used_login');
  });

  it('C46: the message names every cause, and distinguishes a browser without cookies from one with another login', async () => {
    const logins = pendingLogins();
    const without = await expectFailure(logins.take({ headers: {} }, 'key'), 'unknown_login');
    expect(without.message).to.include('The browser sent no cookie');
    const withCookie = await expectFailure(logins.take(request, 'key'), 'unknown_login');
    expect(withCookie.message).to.include('started in another browser or by another strategy');
    for (const { message } of [without, withCookie]) {
      for (const cause of ['another host name', 'Secure over http', 'has expired', 'removed by the host'])
        expect(message, 'C46').to.include(cause);
    }
  });

  it('C14: has no property that something else in the process gives all objects', async () => {
    const store = memoryLogins();
    const logins = pendingLogins(store);
    const prototype = Object.prototype as { requestTokenSecret?: string };
    prototype.requestTokenSecret = 'polluted';
    try {
      await logins.save(request, 'key', LOGIN);
      const [saved] = store.logins.values();
      store.logins.set(saved?.id ?? '', { ...(saved as PendingLogin) });
      const taken = await logins.take(request, 'key');
      expect([saved?.requestTokenSecret, taken.requestTokenSecret]).to.deep.equal([undefined, undefined]);
      expect(taken).to.deep.include(LOGIN);
    } finally {
      delete prototype.requestTokenSecret;
    }
  });

  it("a start with a parameter `state` of the application's own learns that the name is taken", async () => {
    const messageFor = async (...names: string[]) =>
      (await expectFailure(pendingLogins().take({ url: '/login' }, 'key', names), 'unknown_login')).message;
    const said = 'This request has state and no code, so it belongs to no pending login of network. To start';
    for (const name of ['state', 'type', 'expires_in'])
      expect(await messageFor(name)).to.include(said.replace('state', name));
    for (const names of [['type', 'state'], ['state', 'code'], ['error'], ['code'], ['oauth_token'], []])
      expect(await messageFor(...names)).not.to.include('and no code');
  });
});

describe('the replay guard', () => {
  const clock = fakeClock();

  it('forgets a login when it has expired', () => {
    const guard = new ReplayGuard();
    guard.use('a', clock.stop() + 1_000);
    clock.advance(999);
    expect(() => guard.check('a')).to.throw(LoginFailure);
    clock.advance(1);
    guard.check('a');
  });

  it('S16: drops what has expired when another login is used', () => {
    const guard = new ReplayGuard();
    const now = clock.stop();
    for (let count = 0; count < 50; count += 1) guard.use(`login-${count}`, now + 1_000);
    clock.advance(1_000);
    guard.use('the next', now + 2_000);
    expect((guard as unknown as { used: Map<string, number> }).used.size).to.equal(1);
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
