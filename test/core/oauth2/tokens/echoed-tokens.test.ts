import { expect } from 'chai';
import { ProviderError } from '../../../../lib/index.js';
import { ECHOES } from '../../../contract/echoes.js';
import { exposed, shownBy } from '../../../contract/exposure.js';
import type { SeenRequest } from '../../../support/server.js';
import { describeEach } from './accounts.js';

const TOKEN = 'canary.of+a/token=!that~nobody_may-see';
const SECRETS = new Map([
  [TOKEN, 'the token'],
  ['CLIENT-SECRET', 'the client secret'],
  ['fresh-secret-of-a-hostile-network-0123456789', 'a token of the response'],
]);

/** The secrets in a request's body, and the body itself. */
function secretsIn({ body, form }: SeenRequest): string[] {
  const names = ['refresh_token', 'token', 'access_token', 'client_secret'];
  return [...names.flatMap((name) => form.getAll(name)), body];
}

/** The error of a call, or `undefined` if it succeeded. */
async function endingOf(calling: Promise<unknown>): Promise<unknown> {
  return calling.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describeEach('a network that echoes secrets', ({ played }) => {
  for (const [title, echo] of Object.entries(ECHOES)) {
    it(`as ${title} puts none of them into the error of a refresh or revocation`, async () => {
      const { strategy, refresh } = await played((request) => echo(secretsIn(request)));

      const refreshing = await endingOf(refresh(TOKEN));
      const revoking = await endingOf(strategy.revoke(TOKEN));

      expect(refreshing).to.be.instanceOf(ProviderError);
      const shown = [refreshing, revoking].map(shownBy).join('\n');
      expect(exposed(shown, SECRETS)).to.deep.equal([]);
    });
  }

  it('the strategy does not show the token of a refresh in progress', async () => {
    const { strategy, refresh } = await played(() => new Promise<never>(() => undefined), { timeout: 200 });
    const refreshing = endingOf(refresh(TOKEN));
    const { refreshes } = strategy as unknown as { refreshes?: object };
    expect(exposed([strategy, refreshes].map(shownBy).join('\n'), SECRETS)).to.deep.equal([]);
    await refreshing;
  });
});
