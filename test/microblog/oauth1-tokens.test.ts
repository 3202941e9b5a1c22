import { inspect } from 'node:util';
import { expect } from 'chai';
import { MicroblogStrategy, RefusedError } from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { onlyLogin, vkIdTests } from '../social-network/vk-id/vk-id.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';

describe('revocation in microblog 1.0', () => {
  realSockets();
  const close = closesAfterEach();

  async function account(sandbox: Sandbox) {
    const kept: string[] = [];
    const strategy = new MicroblogStrategy(
      sandbox.options('microblog', { version: '1.0' }),
      (token, tokenSecret, profile, done) => {
        kept.push(token, tokenSecret);
        done(null, { id: profile.id });
      },
    );
    await logIn(close(await loginApp(strategy)), 'microblog', 'max');
    const [token = '', tokenSecret = ''] = kept;
    const whose = () =>
      new Promise<string>((resolve, reject) => {
        strategy.userProfile(token, tokenSecret, {}, (error, profile) =>
          profile ? resolve(profile.id) : reject(error),
        );
      });
    return { strategy, token, tokenSecret, whose };
  }

  it('with token and secret resolves to undefined and invalidates the token', async () => {
    const sandbox = close(await startSandbox());
    const { strategy, token, tokenSecret, whose } = await account(sandbox);
    expect(await whose()).to.equal('1823456789012345679');

    expect(await strategy.revoke(token, tokenSecret)).to.equal(undefined);

    expect(sandbox.requests().at(-1)).to.deep.include({ endpoint: 'revocation', status: 200 });
    const error = await rejectionOf(whose());
    expect(error).to.be.instanceOf(RefusedError);
    expect(error).to.include({ step: 'profile', networkCode: '89' });
  });

  it('of a token that is already invalid is an error that says that nothing is left to do', async () => {
    const { strategy, token, tokenSecret } = await account(close(await startSandbox()));
    await strategy.revoke(token, tokenSecret);
    const error = (await rejectionOf(strategy.revoke(token, tokenSecret))) as RefusedError;
    expect(error).to.be.instanceOf(RefusedError);
    expect(error).to.include({ step: 'revoke', networkCode: '89' });
    expect(error.message).to.include('there is nothing left to revoke');
  });

  it('with a wrong secret is an error, and the token stays valid', async () => {
    const { strategy, token, whose } = await account(close(await startSandbox()));
    const error = (await rejectionOf(strategy.revoke(token, 'ANOTHER-SECRET'))) as RefusedError;
    expect(error).to.include({ name: 'RefusedError', step: 'revoke', networkCode: '32' });
    expect(`${error.message}${error.stack}`).not.to.include('ANOTHER-SECRET');
    expect(await whose()).to.equal('1823456789012345679');
  });

  it('S1: an error response that echoes token and secret shows neither', async () => {
    const errors = [{ code: 32, message: 'not the secret of THE-TOKEN-0123, which is THE-SECRET-0123' }];
    const server = close(await network(() => ({ status: 401, body: { errors } })));
    const strategy = new MicroblogStrategy(
      { version: '1.0', clientID: 'KEY', clientSecret: 'KEY-SECRET', revocationURL: server.url },
      () => undefined,
    );
    const error = (await rejectionOf(strategy.revoke('THE-TOKEN-0123', 'THE-SECRET-0123'))) as RefusedError;
    expect(error.networkMessage).to.equal('not the secret of [redacted], which is [redacted]');
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.match(/THE-TOKEN|THE-SECRET/);
  });
});

describe('after a login through VK ID', () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('logout resolves to undefined and invalidates the access token', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network');
    const { token } = onlyLogin(vkId);

    expect(await vkId.strategy.logout(token)).to.equal(undefined);

    expect(vkId.sandbox.requests().at(-1)).to.deep.include({ endpoint: 'logout', status: 200 });
    const error = await rejectionOf(vkId.strategy.logout(token));
    expect(error).to.include({ name: 'RefusedError', step: 'revoke', networkCode: 'invalid_token' });
  });

  it('logout and revoke send the token and client_id in the body, each to its own URL', async () => {
    const { strategy, network } = await atNetwork();
    await strategy.logout('ONE-TOKEN');
    await strategy.revoke('OTHER-TOKEN');
    expect(network.requests.map(({ url, body }) => `${url} ${body}`)).to.deep.equal([
      '/oauth2/logout access_token=ONE-TOKEN&client_id=CLIENT-ID',
      '/oauth2/revoke access_token=OTHER-TOKEN&client_id=CLIENT-ID',
    ]);
  });

  it('a refresh keeps device_id in its params for the next refresh', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network');
    const { refreshToken = '', params } = onlyLogin(vkId);
    let tokens = await vkId.strategy.refresh(refreshToken, params.device_id);
    for (let round = 0; round < 3; round += 1) {
      expect(tokens.params.device_id).to.equal(params.device_id);
      tokens = await vkId.strategy.refresh(tokens.refreshToken, tokens.params.device_id as string);
    }
    expect(tokens.params).not.to.have.property('id_token');
  });

  it('a refresh with another device_id is an error that names device_id', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network');
    const { refreshToken = '', params } = onlyLogin(vkId);

    const error = (await rejectionOf(vkId.strategy.refresh(refreshToken, 'ANOTHER-DEVICE'))) as RefusedError;

    expect(error).to.include({
      name: 'RefusedError',
      networkCode: 'invalid_request',
      networkMessage: 'device_id is invalid',
    });
    expect(error.message).to.include("A refused device_id is another one than that of the login's params.");
    const tokens = await vkId.strategy.refresh(refreshToken, params.device_id);
    expect(tokens.accessToken).to.match(/^vk2\.a\./);
  });

  it('each refresh has its own state, in the characters that the network accepts', async () => {
    const { strategy, network } = await atNetwork();
    await strategy.refresh('ONE', 'DEVICE');
    await strategy.refresh('OTHER', 'DEVICE');
    const [one = '', other = ''] = network.requests.map(({ form }) => form.get('state') ?? '');
    expect(one).to.match(/^[A-Za-z0-9_-]{32,}$/);
    expect(other).to.match(/^[A-Za-z0-9_-]{32,}$/);
    expect(one).not.to.equal(other);
  });
});

describe('revocation in microblog 2.0', () => {
  realSockets();
  const close = closesAfterEach();

  it('also accepts a refresh token, and ends the whole grant', async () => {
    const sandbox = close(await startSandbox());
    const kept: string[] = [];
    const strategy = new MicroblogStrategy(
      { ...sandbox.options('microblog'), scope: 'tweet.read users.read offline.access' },
      (accessToken, refreshToken, profile, done) => {
        kept.push(accessToken, refreshToken ?? '');
        done(null, { id: profile.id });
      },
    );
    await logIn(close(await loginApp(strategy)), 'microblog');
    const [, refreshToken = ''] = kept;

    await strategy.revoke(refreshToken);

    expect(await rejectionOf(strategy.refresh(refreshToken))).to.include({ networkCode: 'invalid_request' });
  });

  it('a login without the scope offline.access gets no refresh token', async () => {
    const sandbox = close(await startSandbox());
    const kept: (string | undefined)[] = [];
    const strategy = new MicroblogStrategy(
      sandbox.options('microblog'),
      (_accessToken, refreshToken, profile, done) => {
        kept.push(refreshToken);
        done(null, { id: profile.id });
      },
    );
    await logIn(close(await loginApp(strategy)), 'microblog');
    expect(kept).to.deep.equal([undefined]);
  });
});
