import { expect } from 'chai';
import { MicroblogStrategy, ProviderError } from '../../lib/index.js';
import { ECHOES } from '../contract/echoes.js';
import { exposed, shownBy } from '../contract/exposure.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type SeenRequest } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { describeEach } from './accounts.js';

const TOKEN = 'canary.of+a/token=!that~nobody_may-see';
const SECRETS = new Map([
  [TOKEN, 'the token'],
  ['CLIENT-SECRET', 'the client secret'],
  ['fresh-secret-of-a-hostile-network-0123456789', 'a token of the answer'],
]);

/** Everything confidential in a request's body, and the body itself. */
function secretsIn({ body, form }: SeenRequest): string[] {
  const names = ['refresh_token', 'token', 'access_token', 'client_secret'];
  return [...names.flatMap((name) => form.getAll(name)), body];
}

/** What a call ends in: the error, or nothing when it was done. */
async function endingOf(calling: Promise<unknown>): Promise<unknown> {
  return calling.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describeEach('a network that repeats secrets', ({ played, subject }) => {
  for (const [title, echo] of Object.entries(ECHOES)) {
    it(`as ${title} is repeated by no error of a refresh or revocation`, async () => {
      const { strategy, refresh } = await played((request) => echo(secretsIn(request)));

      const refreshing = await endingOf(refresh(TOKEN));
      const revoking = await endingOf(strategy.revoke(TOKEN));

      expect(refreshing).to.be.instanceOf(ProviderError);
      const shown = [refreshing, revoking].map(shownBy).join('\n');
      expect(exposed(shown, SECRETS)).to.deep.equal([]);
    });
  }

  it('is not repeated by the strategy after either', async () => {
    const { strategy, refresh } = await played(() => ({
      body: { access_token: TOKEN, refresh_token: TOKEN, token_type: 'bearer' },
    }));
    await refresh(TOKEN);
    await strategy.revoke(TOKEN);
    expect(exposed(shownBy(strategy), SECRETS)).to.deep.equal([]);
    expect(shownBy(strategy)).to.include(subject.provider);
  });

  it('while a refresh is under way, the strategy does not show its token', async () => {
    const { strategy, refresh } = await played(() => new Promise<never>(() => undefined), { timeout: 200 });
    const refreshing = endingOf(refresh(TOKEN));
    const { refreshes } = strategy as unknown as { refreshes?: object };
    expect(exposed([strategy, refreshes].map(shownBy).join('\n'), SECRETS)).to.deep.equal([]);
    await refreshing;
  });
});

describe('a network that repeats Basic credentials', () => {
  realSockets();
  const close = closesAfterEach();

  for (const clientSecret of ['CLIENT-SECRET', 'p@ss:word+1/2%3', 'ключ-клиента']) {
    for (const call of ['refresh', 'revoke'] as const) {
      it(`of a client with the secret ${clientSecret} is repeated by no error of ${call}`, async () => {
        const server = close(
          await network(({ headers }) => ({
            status: 401,
            body: { error: 'unauthorized_client', error_description: `not you, ${headers.authorization}` },
          })),
        );
        const strategy = new MicroblogStrategy(
          { clientID: 'CLIENT-ID', clientSecret, tokenURL: server.url, revocationURL: server.url },
          () => undefined,
        );

        const error = await rejectionOf(strategy[call](TOKEN));

        const [, credentials = ''] = server.requests[0]?.headers.authorization?.split(' ') ?? [];
        expect(credentials).to.have.length.above(20);
        expect(error).to.include({ name: 'RefusedError', networkCode: 'unauthorized_client' });
        expect(exposed(shownBy(error), new Map([[credentials, 'the credentials']]))).to.deep.equal([]);
      });
    }
  }
});
