import { expect } from 'chai';
import { MicroblogStrategy } from '../../lib/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';

describe('revocation in microblog 1.0', () => {
  realSockets();
  const close = closesAfterEach();

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
