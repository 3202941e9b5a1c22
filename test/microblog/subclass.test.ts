import { expect } from 'chai';
import { MicroblogOAuth1Strategy, MicroblogOAuth2Strategy, MicroblogStrategy } from '../../lib/index.js';
import { verifyProfile } from '../support/verification.js';

describe('MicroblogStrategy', () => {
  const options2 = { clientID: 'a', clientSecret: 'b' };
  const options1 = { ...options2, version: '1.0' } as const;

  it('makes a strategy of version 1.0 through a Proxy of the class, as monitoring tools use', () => {
    const Watched = new Proxy(MicroblogStrategy, {});
    expect(new Watched(options1, verifyProfile)).to.be.instanceOf(MicroblogOAuth1Strategy);
  });

  it('can be extended for OAuth 2.0', () => {
    class Extended extends MicroblogStrategy {
      constructor(options: object) {
        super({ ...options2, ...options }, verifyProfile);
      }
    }
    expect(new Extended({})).to.be.instanceOf(MicroblogOAuth2Strategy);
    expect(() => new Extended({ version: '1.0' })).to.throw(
      TypeError,
      "Extended: a subclass of MicroblogStrategy speaks OAuth 2.0. For version: '1.0' extend MicroblogOAuth1Strategy.",
    );
  });
});
