import { expect } from 'chai';
import { rejectionOf } from '../../../support/thrown.js';
import { describeEach } from './accounts.js';

/** What an application may pass if it has lost a token. */
const NO_TOKENS: readonly unknown[] = [undefined, null, '', {}, 0, ['TOKEN']];
const shown = (value: unknown) => JSON.stringify(value) ?? 'undefined';

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
