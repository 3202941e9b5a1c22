import { expect } from 'chai';
import { MicroblogStrategy, RefusedError, SocialNetworkStrategy } from '../../../../lib/index.js';
import { startSandbox } from '../../../../sandbox/lib/index.js';
import { closesAfterEach } from '../../../support/cleanup.js';
import { logIn } from '../../../support/journey.js';
import { loginApp } from '../../../support/login-app.js';
import { realSockets } from '../../../support/real-sockets.js';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach } from './accounts.js';

const DAY = 86_400_000;

describeEach('a spent access token', ({ sandbox, account, played }) => {
  it('that has expired is reported as accessTokenSpent, and works again after a refresh', async () => {
    const world = await sandbox();
    const user = await account(world);
    world.advance(DAY);

    const error = await rejectionOf(user.whose());

    expect(error).to.be.instanceOf(RefusedError);
    expect(error).to.include({ step: 'profile', accessTokenSpent: true, tokenSpent: false });
    expect((error as RefusedError).message).to.include('refresh it or let the user log in again');
    const { accessToken } = await user.refresh();
    expect(await user.whose(accessToken)).to.equal(user.id);
  });

  it('that was revoked is reported as accessTokenSpent, and its refresh as tokenSpent', async () => {
    const user = await account(await sandbox());
    await user.strategy.revoke(user.accessToken);

    expect(await rejectionOf(user.whose())).to.include({ accessTokenSpent: true, tokenSpent: false });
    expect(await rejectionOf(user.refresh())).to.include({ accessTokenSpent: false, tokenSpent: true });
  });

  it('is reported by a revocation as well', async () => {
    const world = await sandbox({ strict: true });
    const user = await account(world);
    world.advance(DAY);

    const error = await rejectionOf(user.strategy.revoke(user.accessToken));

    expect(error).to.include({ step: 'revoke', accessTokenSpent: true, tokenSpent: false });
    await user.strategy.revoke((await user.refresh()).accessToken);
  });

  it('is not reported when the network asks for fewer requests', async () => {
    const { strategy } = await played(() => ({ status: 429, body: {} }));
    const error = await rejectionOf(strategy.revoke('TOKEN'));
    expect(error).to.include({ code: 'rate_limited', accessTokenSpent: false });
  });
});

describe('a spent access token without a refresh token', () => {
  realSockets();
  const close = closesAfterEach();

  it('of microblog 1.0 is reported as accessTokenSpent when it was revoked', async () => {
    const sandbox = close(await startSandbox());
    let credentials: readonly [string, string] = ['', ''];
    const strategy = new MicroblogStrategy(
      sandbox.options('microblog', { version: '1.0' }),
      async (token, tokenSecret, { id }) => {
        credentials = [token, tokenSecret];
        return { id };
      },
    );
    await logIn(close(await loginApp(strategy)), 'microblog');
    await strategy.revoke(...credentials);

    const profile = new Promise((resolve, reject) => {
      strategy.userProfile(...credentials, {}, (error, found) => (error ? reject(error) : resolve(found)));
    });

    expect(await rejectionOf(profile)).to.include({ step: 'profile', accessTokenSpent: true });
    expect(await rejectionOf(strategy.revoke(...credentials))).to.include({
      step: 'revoke',
      accessTokenSpent: true,
    });
  });

  it('of the classic social-network protocol is reported as accessTokenSpent when it has expired', async () => {
    const sandbox = close(await startSandbox());
    let accessToken = '';
    const strategy = new SocialNetworkStrategy(
      sandbox.options('social-network'),
      async (token, _, { id }) => {
        accessToken = token;
        return { id };
      },
    );
    await logIn(close(await loginApp(strategy)), 'social-network');
    sandbox.advance(2 * DAY);

    const profile = new Promise((resolve, reject) => {
      strategy.userProfile(accessToken, (error, found) => (error ? reject(error) : resolve(found)));
    });

    expect(await rejectionOf(profile)).to.include({ step: 'profile', accessTokenSpent: true });
  });
});
