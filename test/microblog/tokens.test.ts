import { inspect } from 'node:util';
import { expect } from 'chai';
import { MicroblogStrategy, RefusedError } from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
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
    expect(error).to.include({ step: 'profile', networkCode: '89', accessTokenSpent: true });
  });

  it('of a token that is already invalid is an error that says that nothing is left to do', async () => {
    const { strategy, token, tokenSecret } = await account(close(await startSandbox()));
    await strategy.revoke(token, tokenSecret);
    const error = (await rejectionOf(strategy.revoke(token, tokenSecret))) as RefusedError;
    expect(error).to.be.instanceOf(RefusedError);
    expect(error).to.include({ step: 'revoke', networkCode: '89', accessTokenSpent: true });
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

  for (const token of [undefined, null, '', {}, 0, ['TOKEN']]) {
    it(`with ${JSON.stringify(token) ?? 'undefined'} as token or secret is a TypeError, and nothing is sent`, async () => {
      const server = close(await network(() => ({ body: {} })));
      const strategy = new MicroblogStrategy(
        { version: '1.0', clientID: 'CONSUMER', clientSecret: 'SECRET', revocationURL: server.url },
        () => undefined,
      );
      for (const [first, second] of [
        [token, 'TOKEN-SECRET'],
        ['TOKEN', token],
      ] as [string, string][]) {
        const error = await rejectionOf(strategy.revoke(first, second));
        expect(error).to.be.instanceOf(TypeError);
        expect((error as Error).message).to.equal(
          'microblog: revoke needs a token that is a non-empty string.',
        );
      }
      expect(server.requests).to.deep.equal([]);
    });
  }

  it('is the only call: there is no refresh, because the tokens do not expire', () => {
    const strategy = new MicroblogStrategy(
      { version: '1.0', clientID: 'KEY', clientSecret: 'SECRET' },
      () => undefined,
    );
    expect(strategy).to.not.have.property('refresh');
  });
});

describe('the tokens of microblog 2.0', () => {
  realSockets();
  const close = closesAfterEach();

  it('come with a refresh token for the scope offline.access, whose revocation ends the whole grant', async () => {
    const sandbox = close(await startSandbox());
    const kept: (string | undefined)[] = [];
    const strategyWith = (scope: string) =>
      new MicroblogStrategy({ ...sandbox.options('microblog'), scope }, (_token, refresh, { id }, done) => {
        kept.push(refresh);
        done(null, { id });
      });
    const strategy = strategyWith('tweet.read users.read offline.access');
    for (const each of [strategy, strategyWith('tweet.read users.read')]) {
      await logIn(close(await loginApp(each)), 'microblog');
    }
    const [refreshToken = '', none] = kept;
    expect([refreshToken === '', none]).to.deep.equal([false, undefined]);
    await strategy.revoke(refreshToken);
    expect(await rejectionOf(strategy.refresh(refreshToken))).to.include({ networkCode: 'invalid_request' });
  });
});
