import { expect } from 'chai';
import type { Tokens } from '../../../examples/login/networks/network.js';
import { type Location, loginOf, type OpenedAccounts, openAccounts } from './open-accounts.js';

/** Long enough for a query that waits for nothing, in milliseconds. */
const PROMPT = 2_000;

/** Requests to a network that takes its time. They must not keep the database from other users. */
export function describeNetworkRequests(location: () => Promise<Location>): void {
  let opened: OpenedAccounts;
  const signIn = (identifier: string) => opened.accounts.signIn(loginOf(identifier));

  before(async () => {
    opened = await openAccounts(await location());
  });

  after(() => opened?.close());

  for (const action of ['refresh', 'revoke'] as const) {
    it(`leave the database to other users during ten slow requests to ${action} the tokens of an account`, async () => {
      const { userID, id } = await signIn(`slow-${action}`);
      const network = slowNetwork();
      const attempts = Array.from({ length: 10 }, () => opened.accounts[action](userID, id, network.request));
      const rejections: unknown[] = [];
      const allButOneRejected = new Promise<void>((resolve) => {
        for (const one of attempts) one.catch((reason) => rejections.push(reason) === 9 && resolve());
      });
      await network.asked;
      await allButOneRejected;
      await within(PROMPT, signIn(`other-${action}`));
      await within(PROMPT, opened.sessionPool.query('select 1'));
      expect(network.requests).to.deep.equal(['old']);
      expect(rejections).to.have.length(9);
      network.respond({ accessToken: 'new', refreshToken: 'new' });
      await Promise.allSettled(attempts);
      for (const reason of rejections) expect(reason).to.include({ status: 409, code: 'busy' });
    });
  }

  it('are made one at a time for an account, each with the tokens of the one before', async () => {
    const { userID, id } = await signIn('sequence');
    const sent: unknown[] = [];
    for (const next of ['first', 'second', 'third']) {
      await opened.accounts.refresh(userID, id, async (_account, { refreshToken }) => {
        sent.push(refreshToken);
        return { accessToken: next, refreshToken: next };
      });
    }
    expect(sent).to.deep.equal(['old', 'first', 'second']);
  });

  it('may be repeated after one that failed', async () => {
    const { userID, id } = await signIn('failure');
    const failure = await opened.accounts
      .refresh(userID, id, () => Promise.reject(new Error('The network failed.')))
      .catch((error: Error) => error.message);
    expect(failure).to.equal('The network failed.');
    expect(await tokenSent(userID, id)).to.equal('old');
  });

  it('may be repeated after a process was killed during one', async () => {
    const { userID, id } = await signIn('killed');
    await opened.database.execute(
      `update accounts set claim = gen_random_uuid(), claimed_until = now() - interval '1 second' where id = '${id}'`,
    );
    expect(await tokenSent(userID, id)).to.equal('old');
  });

  it('do not replace the tokens of a login that finished meanwhile', async () => {
    const { userID, id } = await signIn('login');
    const network = slowNetwork();
    const refresh = opened.accounts.refresh(userID, id, network.request);
    await network.asked;
    await within(PROMPT, signIn('login'));
    network.respond({ accessToken: 'refreshed', refreshToken: 'refreshed' });
    await refresh;
    expect(await tokenSent(userID, id)).to.equal('old');
  });

  /** Refreshes an account's tokens. @returns The refresh token that the network gets. */
  async function tokenSent(userID: string, accountID: string): Promise<string | undefined> {
    let sent: string | undefined;
    await opened.accounts.refresh(userID, accountID, async (_account, { refreshToken }) => {
      sent = refreshToken;
      return { accessToken: 'new' };
    });
    return sent;
  }
}

/** Sessions while the accounts use all of their database connections. */
export function describeSessionConnections(location: () => Promise<Location>): void {
  it('are available while every connection for the accounts is in use', async () => {
    const opened = await openAccounts(await location());
    const slow = Array.from({ length: 20 }, () => opened.database.execute('select pg_sleep(1)'));
    await within(500, opened.sessionPool.query('select 1'));
    await Promise.all(slow);
    await opened.close();
  });
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

/** Rejects if a promise takes too long. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timeout = setTimeout(
      () => reject(new Error(`Nothing happened within ${milliseconds} ms.`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timeout);
  }
}
