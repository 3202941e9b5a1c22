import { expect } from 'chai';
import { MicroblogOAuth1Strategy, MicroblogOAuth2Strategy } from '../../lib/microblog/index.js';
import { collectsWarnings } from '../support/warnings.js';
import { microblogStrategy, verifyProfile } from './network.js';

const CREDENTIALS = { clientID: 'the-client', clientSecret: 'the-secret' };

describe('microblog: bad input', () => {
  const warnings = collectsWarnings();
  const mistake = (options: object, message: string | RegExp) =>
    expect(() => microblogStrategy(options), JSON.stringify(options)).to.throw(TypeError, message);

  it('C23: a scope with which the network would not say who logs in is a TypeError', () => {
    for (const [scope, lacking] of [
      ['users.read', 'tweet.read'],
      ['tweet.read', 'users.read'],
      ['offline.access', 'tweet.read and users.read'],
    ] as const) {
      expect(() => new MicroblogOAuth2Strategy({ ...CREDENTIALS, scope }, () => {})).to.throw(
        TypeError,
        `MicroblogStrategy: option scope lacks ${lacking}, without which the network does not say who logs in`,
      );
    }
    expect(
      () =>
        new MicroblogOAuth2Strategy({ ...CREDENTIALS, scope: 'users.read', skipUserProfile: true }, () => {}),
    ).to.not.throw();
  });

  it('version does not exist', () => {
    for (const version of ['1', '1.1', '2', '3.0', 2, '', null]) {
      mistake(
        { ...CREDENTIALS, version },
        "MicroblogStrategy: option version must be '2.0' (the default, OAuth 2.0) or '1.0' (OAuth 1.0a).",
      );
    }
    expect(
      () => new MicroblogOAuth2Strategy({ ...CREDENTIALS, version: '1.0' } as never, verifyProfile),
    ).to.throw(TypeError, "option version must be one of '2.0'");
    expect(
      () => new MicroblogOAuth1Strategy({ ...CREDENTIALS, version: '2.0' } as never, verifyProfile),
    ).to.throw(TypeError, "option version must be one of '1.0'");
  });

  it('the client ID is missing, or in 1.0 the key or the secret', () => {
    mistake(
      {},
      "MicroblogStrategy: option clientID is required. It is the application's OAuth 2.0 client ID at the network.",
    );
    mistake({ version: '1.0', consumerSecret: 'x' }, 'option clientID is required. It is the application');
    mistake(
      { version: '1.0', consumerKey: 'x' },
      "option clientSecret is required. It is the application's API key secret.",
    );
  });

  it('OAuth 1.0a options without version 1.0 are TypeErrors that say what to do', () => {
    for (const option of [
      'consumerKey',
      'consumerSecret',
      'requestTokenURL',
      'accessTokenURL',
      'userAuthorizationURL',
    ]) {
      mistake(
        { ...CREDENTIALS, [option]: 'https://n.example/' },
        `MicroblogStrategy: option ${option} is not taken: it belongs to OAuth 1.0a. Add version: '1.0', or use clientID, tokenURL and authorizationURL. The sandbox's options for this version are sandbox.options('microblog').`,
      );
    }
  });

  it('OAuth 2.0 options with version 1.0 are TypeErrors that say why', () => {
    const first = { ...CREDENTIALS, version: '1.0' };
    mistake({ ...first, scope: 'users.read' }, 'option scope is not taken: OAuth 1.0a has no scopes');
    mistake({ ...first, pkce: true }, 'option pkce is not taken: OAuth 1.0a has no PKCE');
    mistake(
      { ...first, tokenURL: 'https://n.example/' },
      "option tokenURL is not taken: it belongs to OAuth 2.0; in 1.0 it is accessTokenURL. The sandbox's options for this version are sandbox.options('microblog', { version: '1.0' }).",
    );
  });

  it('O7: signatureMethod is a TypeError', () => {
    mistake(
      { ...CREDENTIALS, version: '1.0', signatureMethod: 'PLAINTEXT' },
      'option signatureMethod is not taken: the network documents HMAC-SHA1 only.',
    );
  });

  it('two spellings of the key differ', () => {
    mistake(
      { version: '1.0', consumerKey: 'a', clientID: 'b', consumerSecret: 'c' },
      'MicroblogStrategy: options consumerKey and clientID are two spellings of one option, and their values differ.',
    );
  });

  it('userFields or expansions names a field that does not exist, or has the wrong type', () => {
    for (const version of ['1.0', '2.0']) {
      mistake(
        { ...CREDENTIALS, version, userFields: 'descripton' },
        "names 'descripton', which the network does not have. Did you mean description?",
      );
      mistake(
        { ...CREDENTIALS, version, expansions: ['pinned_tweet'] },
        "names 'pinned_tweet', which the network does not have. Did you mean pinned_tweet_id?",
      );
      mistake(
        { ...CREDENTIALS, version, tweetFields: 7 },
        'option tweetFields must be a string or an array of strings.',
      );
      mistake(
        { ...CREDENTIALS, version, postFields: {} },
        'option postFields must be a string or an array of strings.',
      );
      mistake({ ...CREDENTIALS, version, includeEmail: 'yes' }, 'option includeEmail must be true or false.');
    }
  });

  it('clientSecret is present but undefined', () => {
    mistake(
      { clientID: 'the-client', clientSecret: undefined },
      'option clientSecret is undefined. Is the environment variable set?',
    );
  });

  it('T2: an http callback URL on another machine causes a warning, one on 127.0.0.1 does not', async () => {
    microblogStrategy({ ...CREDENTIALS, callbackURL: 'http://127.0.0.1:3000/cb' });
    microblogStrategy({ ...CREDENTIALS, callbackURL: 'http://app.example/cb' });
    expect(await warnings.texts()).to.deep.equal([
      'MicroblogStrategy: option callbackURL is http://app.example/cb. The network accepts plain http on 127.0.0.1 only, and a browser sends the code in the clear. Use https.',
    ]);
  });
});
