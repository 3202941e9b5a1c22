import { expect } from 'chai';
import {
  MicroblogStrategy,
  RefusedError,
  ShortVideoStrategy,
  SocialNetworkStrategy,
  UnreachableError,
} from '../../../../lib/index.js';
import { realSockets } from '../../../support/real-sockets.js';
import { network } from '../../../support/server.js';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach } from './accounts.js';

const DAY = 86_400_000;

describeEach('a revocation', ({ subject, sandbox, account, played }) => {
  it('invalidates both tokens, which their errors report, and affects no other user', async () => {
    const world = await sandbox();
    const [user, other] = [await account(world, 'alice'), await account(world, 'anna')];
    expect(await user.whose()).to.equal(user.id);
    expect(await user.strategy.revoke(user.accessToken)).to.equal(undefined);
    const error = await rejectionOf(user.whose());
    const spent = { step: 'profile', accessTokenSpent: true, tokenSpent: false };
    expect(error).to.be.instanceOf(RefusedError).and.include(spent);
    const refreshing = (await rejectionOf(user.refresh())) as RefusedError;
    expect(refreshing).to.be.instanceOf(RefusedError);
    expect(refreshing).to.include({ accessTokenSpent: false, tokenSpent: true });
    expect(refreshing.networkCode).to.equal(subject.spent.networkCode);
    expect(refreshing.message).to.include('let the user log in again');
    expect(await other.whose()).to.equal(other.id);
  });

  // No report says that the microblog network rejects a token that has ended, so only a strict sandbox does.
  it('of a token that is unknown, or was already revoked, is an error', async () => {
    const user = await account(await sandbox({ strict: true }));
    const unknown = await rejectionOf(user.strategy.revoke('never-given-out'));
    expect((unknown as RefusedError).networkCode).to.equal(subject.ended.networkCode);
    expect(await user.whose()).to.equal(user.id);
    await user.strategy.revoke(user.accessToken);
    const error = await rejectionOf(user.strategy.revoke(user.accessToken));
    const facts = { provider: subject.provider, step: 'revoke', code: 'refused' };
    expect(error).to.be.instanceOf(RefusedError).and.include(facts);
    const { networkCode, networkMessage, message } = error as RefusedError;
    expect({ networkCode, networkMessage }).to.deep.equal(subject.ended);
    expect(message).to.include('The token is expired or was revoked already.');
  });

  it('does not mention a refresh token in its error if no response arrives', async () => {
    const { strategy } = await played(({ socket }) => {
      socket.destroy();
      return new Promise<never>(() => undefined);
    });
    const error = (await rejectionOf(strategy.revoke('TOKEN'))) as UnreachableError;
    expect(error).to.be.instanceOf(UnreachableError);
    expect(error.message).not.to.include('refresh token');
  });
});

describeEach('a spent access token', ({ sandbox, account }) => {
  it('that has expired is reported by a profile request and a revocation, and works again after a refresh', async () => {
    const world = await sandbox({ strict: true });
    const user = await account(world);
    world.advance(DAY);
    const spent = { accessTokenSpent: true, tokenSpent: false };
    const error = (await rejectionOf(user.whose())) as RefusedError;
    expect(error)
      .to.be.instanceOf(RefusedError)
      .and.include({ step: 'profile', ...spent });
    expect(error.message).to.include('refresh it or let the user log in again');
    const revoking = await rejectionOf(user.strategy.revoke(user.accessToken));
    expect(revoking).to.include({ step: 'revoke', ...spent });
    const { accessToken } = await user.refresh();
    expect(await user.whose(accessToken)).to.equal(user.id);
    await user.strategy.revoke(accessToken);
  });
});

describe('ending a token', () => {
  const close = realSockets();
  const verify = () => {};
  const clientSecret = 'SECRET';
  const consumer = { version: '1.0', consumerKey: 'KEY', consumerSecret: clientSecret } as const;
  const vkID = { version: '2.1', clientID: '1', clientSecret } as const;

  /** Each call that ends a token, and the responses by which its network confirms it, or not. */
  const CALLS: readonly [string, (url: string) => Promise<void>, confirmed: string[], doubtful: string[]][] =
    [
      [
        'revoke at short-video',
        async (revocationURL) =>
          new ShortVideoStrategy({ clientID: 'KEY', clientSecret, revocationURL }, verify).revoke('TOKEN'),
        ['{}', '', '\n'],
        ['[]', '"ok"'],
      ],
      [
        'revoke at microblog 2.0',
        async (revocationURL) =>
          new MicroblogStrategy({ clientID: 'ID', clientSecret, revocationURL }, verify).revoke('TOKEN'),
        ['{"revoked":true}', '{}', ''],
        ['{"revoked":false}', '[]'],
      ],
      [
        'revoke at microblog 1.0',
        async (revocationURL) =>
          new MicroblogStrategy({ ...consumer, revocationURL }, verify).revoke('TOKEN', 'TOKEN-SECRET'),
        ['{"access_token":"TOKEN"}'],
        ['', '{}', '{"access_token":"ANOTHER"}'],
      ],
      [
        'revoke at VK ID',
        async (revocationURL) =>
          new SocialNetworkStrategy({ ...vkID, revocationURL }, verify).revoke('TOKEN'),
        ['{"response":1}'],
        ['', '{}', '{"response":0}'],
      ],
      [
        'logout at VK ID',
        async (logoutURL) => new SocialNetworkStrategy({ ...vkID, logoutURL }, verify).logout('TOKEN'),
        ['{"response":1}'],
        ['', '{}', '{"response":0}'],
      ],
    ];
  for (const [title, call, confirmed, doubtful] of CALLS) {
    it(`${title} resolves only if the network confirms it`, async () => {
      let body = '';
      const { url } = close(await network(() => ({ body })));
      for (body of confirmed) await call(`${url}/revoke`);
      for (body of [...doubtful, '<!doctype html><title>Welcome</title>', '{"response":']) {
        const error = await rejectionOf(call(`${url}/revoke`));
        const facts = { name: 'MalformedError', code: 'unreadable_response', step: 'revoke' };
        expect(error, body).to.include(facts);
      }
    });
  }
});
