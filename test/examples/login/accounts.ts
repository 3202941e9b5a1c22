import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import type * as AccountsModule from '../../../examples/login/accounts.js';
import type * as DataFolderModule from '../../../examples/login/data-folder.js';
import type * as DatabaseModule from '../../../examples/login/database/open.js';
import type * as EncryptionModule from '../../../examples/login/encryption.js';
import type { Login, Tokens } from '../../../examples/login/networks/network.js';
import type * as SettingsModule from '../../../examples/login/settings.js';
import { FOLDER } from '../app.js';

const SANDBOX = 'sandbox:microblog';

/** Imports a module of the example. */
export function load<T>(name: string): Promise<T> {
  return import(join(FOLDER, name)) as Promise<T>;
}

/** Opens the database of a data folder, or that of a server, without the rest of the application. */
export async function open(path: string, environment: NodeJS.ProcessEnv = {}) {
  const { DataFolder } = await load<typeof DataFolderModule>('data-folder.js');
  const { openDatabase } = await load<typeof DatabaseModule>('database/open.js');
  const { readSettings } = await load<typeof SettingsModule>('settings.js');
  const settings = readSettings(environment);
  const folder = await DataFolder.open(path);
  return { ...(await openDatabase(settings, folder)), settings, folder };
}

/** Accounts while networks take their time: a request must not keep the database from other users. */
export function describeAccounts(location: () => Promise<string>): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let accounts: AccountsModule.Accounts;
  const signIn = (identifier: string) => accounts.signIn(loginOf(identifier));

  before(async () => {
    const { Accounts } = await load<typeof AccountsModule>('accounts.js');
    const { Cipher } = await load<typeof EncryptionModule>('encryption.js');
    opened = await open(await location());
    accounts = new Accounts(opened.database, new Cipher(randomBytes(32)));
  });

  after(() => opened?.close());

  it("at the sandbox are never the network's, cannot take those over, and are rejected once there are any", async () => {
    const alice = await accounts.signIn(loginOf('1', SANDBOX));
    expect(await accounts.hasRealAccounts()).to.equal(false);
    expect(await codeOf(accounts.link(alice.userID, loginOf('1')))).to.equal('sandbox_user');
    const real = await signIn('1');
    expect(real.userID).to.not.equal(alice.userID);
    expect(await accounts.hasRealAccounts()).to.equal(true);
    expect(await codeOf(accounts.move(real.id, alice.userID))).to.equal('sandbox_user');
    for (const attempt of [
      () => accounts.signIn(loginOf('1', SANDBOX)),
      () => accounts.signIn(loginOf('3', SANDBOX)),
      () => accounts.link(alice.userID, loginOf('3', SANDBOX)),
    ]) {
      expect(await codeOf(attempt())).to.equal('sandbox_closed');
    }
    expect(await accounts.list(alice.userID)).to.have.length(1);
  });

  for (const action of ['refresh', 'revoke'] as const) {
    it(`leave the database to other users during ten slow requests to ${action} the tokens of one`, async () => {
      const { userID, id } = await signIn(`slow-${action}`);
      const network = slowNetwork();
      const attempts = Array.from({ length: 10 }, () => accounts[action](userID, id, network.request));
      const rejections: unknown[] = [];
      const allButOneRejected = new Promise<void>((resolve) => {
        for (const one of attempts) one.catch((reason) => rejections.push(reason) === 9 && resolve());
      });
      await network.asked;
      await allButOneRejected;
      await signIn(`other-${action}`);
      await opened.sessionPool.query('select 1');
      expect(network.requests).to.deep.equal(['old']);
      expect(rejections).to.have.length(9);
      network.respond({ accessToken: 'new', refreshToken: 'new' });
      await Promise.allSettled(attempts);
      for (const reason of rejections) expect(reason).to.include({ status: 409, code: 'busy' });
    });
  }

  it('send each refresh with the tokens of the one before, also after one that failed or was killed', async () => {
    const owner = await signIn('sequence');
    expect(await refresh(owner, 'first')).to.equal('old');
    expect(await refresh(owner, 'second')).to.equal('first');
    const failing = accounts.refresh(owner.userID, owner.id, () => Promise.reject(new Error('No answer.')));
    expect(await failing.catch((error: Error) => error.message)).to.equal('No answer.');
    expect(await refresh(owner, 'third')).to.equal('second');
    await opened.database.execute(
      `update accounts set claim = gen_random_uuid(), claimed_until = now() - interval '1 second' where id = '${owner.id}'`,
    );
    expect(await refresh(owner, 'fourth')).to.equal('third');
  });

  it('keep the tokens of a login that finished during a refresh', async () => {
    const owner = await signIn('login');
    const network = slowNetwork();
    const slow = accounts.refresh(owner.userID, owner.id, network.request);
    await network.asked;
    await signIn('login');
    network.respond({ accessToken: 'refreshed', refreshToken: 'refreshed' });
    await slow;
    expect(await refresh(owner, 'new')).to.equal('old');
  });

  /** Refreshes an account's tokens. @returns The refresh token that the network gets. */
  async function refresh({ userID, id }: AccountsModule.Account, refreshToken: string): Promise<unknown> {
    let sent: string | undefined;
    await accounts.refresh(userID, id, async (_account, tokens) => {
      sent = tokens.refreshToken;
      return { accessToken: refreshToken, refreshToken };
    });
    return sent;
  }
}

/** Sessions while the accounts use all of their database connections. */
export async function keepsSessionConnections(path: string, url: string): Promise<void> {
  const opened = await open(path, { DATABASE_URL: url });
  let ended = 0;
  const slow = Array.from({ length: 20 }, async () => {
    await opened.database.execute('select pg_sleep(1)');
    ended += 1;
  });
  await opened.sessionPool.query('select 1');
  expect(ended).to.equal(0);
  await Promise.all(slow);
  await opened.close();
}

/** A login at the microblog network. */
function loginOf(identifier: string, provider = 'microblog'): Login {
  return {
    provider,
    network: 'microblog',
    identifier,
    profile: { displayName: 'Anna' },
    record: {},
    tokens: { accessToken: 'old', refreshToken: 'old' },
  };
}

function codeOf(rejected: Promise<unknown>): Promise<unknown> {
  return rejected.catch((error: { code: string }) => error.code);
}

/** A network that responds when it is told to. */
function slowNetwork() {
  const requests: unknown[] = [];
  const asked = deferred<void>();
  const response = deferred<Tokens>();
  return {
    /** The refresh tokens that were sent. */
    requests,
    asked: asked.promise,
    respond: response.resolve,
    request: (_account: unknown, { refreshToken }: Tokens): Promise<Tokens> => {
      requests.push(refreshToken);
      asked.resolve();
      return response.promise;
    },
  };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
