import OAuth2Strategy = require('passport-oauth2');

import { expect } from 'chai';
import { MicroblogOAuth1Strategy, MicroblogOAuth2Strategy, MicroblogStrategy } from '../../lib/index.js';
import microblog from '../../lib/microblog/index.js';
import { verifyProfile } from '../support/verification.js';

const OAuthStrategy = require('passport-oauth1') as new () => object;

describe('MicroblogStrategy', () => {
  const options2 = { clientID: 'a', clientSecret: 'b' };
  const options1 = { ...options2, version: '1.0' } as const;

  const made = (options: object) => [
    new MicroblogStrategy(options as never, verifyProfile),
    microblog(options as never, verifyProfile),
  ];

  it('is an OAuth2Strategy without a version and with 2.0, and an OAuthStrategy with 1.0', () => {
    for (const strategy of [options2, { ...options2, version: '2.0' }].flatMap(made)) {
      expect(strategy).to.be.instanceOf(OAuth2Strategy).and.not.instanceOf(OAuthStrategy);
      expect(strategy).to.be.instanceOf(MicroblogOAuth2Strategy).and.instanceOf(MicroblogStrategy);
      expect('_oauth' in strategy).to.equal(false);
    }
    for (const strategy of made(options1)) {
      expect(strategy).to.be.instanceOf(OAuthStrategy).and.not.instanceOf(OAuth2Strategy);
      expect(strategy).to.be.instanceOf(MicroblogOAuth1Strategy);
      expect('_oauth2' in strategy).to.equal(false);
    }
  });

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
