import { expect } from 'chai';
import { MicroblogOAuth1Strategy, MicroblogStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { describeEach } from './accounts.js';

/** What an application may pass if it has lost a token. */
const NO_TOKENS: readonly unknown[] = [undefined, null, '', {}, 0, ['TOKEN']];
const shown = (value: unknown) => JSON.stringify(value) ?? 'undefined';
const never = () => undefined;

async function expectMistake(calling: Promise<unknown>, message: string): Promise<void> {
  const error = await rejectionOf(calling);
  expect(error).to.be.instanceOf(TypeError);
  expect((error as TypeError).message).to.equal(message);
}

describeEach('a call without a token', ({ subject, played }) => {
  for (const token of NO_TOKENS) {
    it(`refresh and revoke of ${shown(token)} are TypeErrors, and nothing is sent`, async () => {
      const { strategy, network: server, refresh } = await played(() => ({ body: {} }));
      const none = token as string;
      const { provider } = subject;
      await expectMistake(refresh(none), `${provider}: refresh needs a token that is a non-empty string.`);
      await expectMistake(
        strategy.revoke(none),
        `${provider}: revoke needs a token that is a non-empty string.`,
      );
      expect(server.requests).to.deep.equal([]);
    });
  }
});

describe('a call without a token, in protocols with other calls', () => {
  realSockets();
  const close = closesAfterEach();

  for (const token of NO_TOKENS) {
    const none = token as string;

    it(`logout of ${shown(token)} in VK ID is a TypeError, and nothing is sent`, async () => {
      const server = close(await network(() => ({ body: { response: 1 } })));
      const options = { clientID: 'CLIENT-ID', version: '2.1', logoutURL: server.url } as const;
      const strategy = new SocialNetworkStrategy(options, never);
      const error = await rejectionOf(strategy.logout(none));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.include('needs a token that is a non-empty string.');
      expect(server.requests).to.deep.equal([]);
    });

    it(`revoke of ${shown(token)} as token or secret in OAuth 1.0a is a TypeError, and nothing is sent`, async () => {
      const server = close(await network(() => ({ body: {} })));
      const options = { clientID: 'CONSUMER', clientSecret: 'SECRET', revocationURL: server.url };
      const facade = new MicroblogStrategy({ ...options, version: '1.0' }, never);
      const worker = new MicroblogOAuth1Strategy(options, never);
      for (const strategy of [facade, worker]) {
        for (const [first, second] of [
          [none, 'TOKEN-SECRET'],
          ['TOKEN', none],
        ] as const) {
          expect(await rejectionOf(strategy.revoke(first, second))).to.be.instanceOf(TypeError);
        }
      }
      expect(server.requests).to.deep.equal([]);
    });
  }
});

describeEach('callers that share one refresh', ({ played }) => {
  const response = {
    access_token: 'NEW',
    refresh_token: 'NEXT',
    token_type: 'bearer',
    scope: 'a b',
    extra: 1,
  };

  it("get separate objects, so that one caller's changes do not affect the others", async () => {
    const { refresh, network: server } = await played(() => ({ body: response }));
    const [one, other] = await Promise.all([refresh('OLD'), refresh('OLD')]);
    expect(server.requests).to.have.length(1);
    expect(other).to.deep.equal(one);
    expect(other).to.not.equal(one);
    one.accessToken = 'changed';
    one.scope.push('changed');
    Object.assign(one.params, { access_token: 'changed' });
    expect(other).to.include({ accessToken: 'NEW', refreshToken: 'NEXT' });
    expect(other.scope).to.deep.equal(['a', 'b']);
    expect(other.params).to.include({ access_token: 'NEW', extra: 1 });
  });
});
