import { expect } from 'chai';
import { SocialNetworkStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/social-network/index.js';
import { rejectionOf } from '../support/thrown.js';

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };
const never = () => undefined;

/** Expects a rejected promise, not an exception, because callers chain `.catch`. */
async function expectMistake(call: () => Promise<unknown>, message: string): Promise<void> {
  const error = await rejectionOf(call());
  expect(error).to.be.instanceOf(TypeError);
  expect((error as TypeError).message).to.equal(message);
}

describe('the tokens of the classic social network', () => {
  for (const version of [undefined, '2.0'] as const) {
    const title = version === undefined ? 'without a version' : `with version ${version}`;
    const classic = () =>
      new SocialNetworkStrategy({ ...CLIENT, ...(version !== undefined && { version }) }, never);

    it(`refresh, revoke and logout in the social network ${title} are TypeErrors that name VK ID`, async () => {
      const hint = "; VK ID (version: '2.1') has.";
      const strategy = classic();
      await expectMistake(
        () => strategy.refresh('TOKEN', 'DEVICE'),
        `social-network: the classic protocol has no refresh tokens${hint}`,
      );
      await expectMistake(
        () => strategy.revoke('TOKEN'),
        `social-network: the classic protocol has no revocation${hint}`,
      );
      await expectMistake(
        () => strategy.logout('TOKEN'),
        `social-network: the classic protocol has no logout${hint}`,
      );
    });
  }

  for (const params of [
    {},
    { scope: 0 },
    { scope: '' },
    { scope: ' , ' },
    { scope: null },
    { scope: ['email'] },
  ]) {
    it(`grantedScopes of ${JSON.stringify(params)} is an empty list`, () => {
      expect(grantedScopes(params)).to.deep.equal([]);
    });
  }
});
