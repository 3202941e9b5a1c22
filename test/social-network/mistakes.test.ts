import { expect } from 'chai';
import { SocialNetworkStrategy } from '../../lib/social-network/index.js';
import { collectsWarnings } from '../support/warnings.js';
import { socialNetworkStrategy } from './network.js';

const CREDENTIALS = { clientID: '51000001', clientSecret: 'the-protected-key' };

describe('social-network: bad input', () => {
  const warnings = collectsWarnings();
  const mistake = (options: object, message: string | RegExp) =>
    expect(() => socialNetworkStrategy(options), JSON.stringify(options)).to.throw(TypeError, message);

  it('clientID or clientSecret is missing', () => {
    mistake(
      { clientSecret: 'x' },
      "SocialNetworkStrategy: option clientID is required. It is the application's number at the network.",
    );
    mistake(
      { clientID: '1' },
      "SocialNetworkStrategy: option clientSecret is required. It is the application's protected key, not the service key. An application of VK ID needs version: '2.1'.",
    );
  });

  it('version does not exist', () => {
    for (const version of ['1.0', '2', '2.2', 2.1, '', null]) {
      mistake(
        { ...CREDENTIALS, version },
        "SocialNetworkStrategy: option version must be '2.0' (the default, classic OAuth 2.0) or '2.1' (VK ID).",
      );
    }
  });

  it('apiVersion is no longer supported, or is not a version', () => {
    for (const apiVersion of ['5.80', '5', '4.99', 'v5.126', '5.126.1', 'latest']) {
      mistake(
        { ...CREDENTIALS, apiVersion },
        "option apiVersion must be a version from 5.81 on, such as '5.126'.",
      );
    }
    for (const apiVersion of ['5.81', '5.199', '6.0']) {
      expect(socialNetworkStrategy({ ...CREDENTIALS, apiVersion })).to.be.instanceOf(SocialNetworkStrategy);
    }
    mistake({ ...CREDENTIALS, apiVersion: 5.126 }, 'option apiVersion must be a non-empty string.');
    for (const profileFields of [[], ['bdate']]) {
      mistake(
        { ...CREDENTIALS, version: '2.1', apiVersion: '5.80', profileFields },
        "option apiVersion must be a version from 5.81 on, such as '5.199'.",
      );
    }
  });

  it('pkce is set, which the network rejects', () => {
    mistake(
      { ...CREDENTIALS, pkce: true },
      'option pkce is not taken: the network refuses requests with PKCE in this protocol.',
    );
  });

  it('profileFields names a field that does not exist, or the e-mail address', () => {
    mistake(
      { ...CREDENTIALS, profileFields: 'screenname' },
      "names 'screenname', which the network does not have. Did you mean screen_name?",
    );
    mistake({ ...CREDENTIALS, profileFields: 'email' }, "names 'email', which the network does not have");
  });

  it('includeEmail, lang or requestTokenUrl has an invalid value', () => {
    mistake({ ...CREDENTIALS, includeEmail: 'yes' }, 'option includeEmail must be true or false.');
    mistake({ ...CREDENTIALS, lang: 7 }, 'option lang must be a non-empty string.');
    mistake(
      { ...CREDENTIALS, requestTokenUrl: 'http://n.example/' },
      'option requestTokenURL must begin with https://',
    );
  });

  it('T2: an http callback URL on another machine causes a warning, one on this machine does not', async () => {
    socialNetworkStrategy({ ...CREDENTIALS, callbackURL: 'http://127.0.0.1:3000/cb' });
    socialNetworkStrategy({ ...CREDENTIALS, callbackURL: 'http://app.example/cb' });
    expect(await warnings.texts()).to.deep.equal([
      'SocialNetworkStrategy: option callbackURL is http://app.example/cb. A browser sends the code in the clear. Use https.',
    ]);
  });
});
