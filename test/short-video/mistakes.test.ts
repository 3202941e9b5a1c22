import { expect } from 'chai';
import { collectsWarnings } from '../support/warnings.js';
import { shortVideoStrategy } from './network.js';

const CREDENTIALS = { clientID: 'the-client-key', clientSecret: 'the-client-secret' };
const mistake = (options: object, message: string | RegExp) =>
  expect(() => shortVideoStrategy({ ...CREDENTIALS, ...options })).to.throw(TypeError, message);

describe('short-video: bad input', () => {
  const warnings = collectsWarnings();

  it('the client key or secret is missing', () => {
    expect(() => shortVideoStrategy({ clientSecret: 'x' })).to.throw(
      TypeError,
      "ShortVideoStrategy: option clientID is required. It is the application's client key at the network.",
    );
    expect(() => shortVideoStrategy({ clientKey: 'x' })).to.throw(
      TypeError,
      "ShortVideoStrategy: option clientSecret is required. It stands beside the application's client key.",
    );
  });

  it('two spellings of the client key differ', () => {
    mistake(
      { clientKey: 'another' },
      'options clientID and clientKey are two spellings of one option, and their values differ',
    );
  });

  it('includeEmail or a field email is set, which the network does not have', () => {
    mistake(
      { includeEmail: true },
      'option includeEmail is not taken: the short-video network has no e-mail address to give.',
    );
    mistake(
      { profileFields: 'email' },
      "option profileFields names 'email', which the network does not have",
    );
  });

  it('C23: profileFields with a field outside scope is a TypeError', () => {
    mistake(
      { scope: 'user.info.basic', profileFields: 'username' },
      "ShortVideoStrategy: option profileFields names 'username', which needs the scope user.info.profile. Add that to scope, or leave scope out: it follows from profileFields.",
    );
    expect(
      shortVideoStrategy({
        ...CREDENTIALS,
        scope: 'user.info.basic user.info.profile',
        profileFields: 'username',
      }),
    ).to.be.an('object');
  });

  it('C23: scope may leave out the scopes of default fields', () => {
    expect(shortVideoStrategy({ ...CREDENTIALS, scope: 'user.info.basic' })).to.be.an('object');
  });

  it('disableAutoAuth or codeChallengeEncoding has an invalid value', () => {
    mistake({ disableAutoAuth: 1 }, 'option disableAutoAuth must be true or false.');
    mistake(
      { codeChallengeEncoding: 'HEX' },
      "option codeChallengeEncoding must be one of 'hex', 'base64url'.",
    );
  });

  it('T2: a callback URL that the network rejects causes a warning that says what the network requires', async () => {
    shortVideoStrategy({ ...CREDENTIALS, callbackURL: 'http://app.example/cb' });
    shortVideoStrategy({ ...CREDENTIALS, callbackURL: 'http://127.0.0.1:3000/cb' });
    shortVideoStrategy({ ...CREDENTIALS, callbackURL: 'https://app.example/cb' });
    expect(await warnings.texts()).to.deep.equal(
      ['http://app.example/cb', 'http://127.0.0.1:3000/cb'].map(
        (url) =>
          `ShortVideoStrategy: option callbackURL is ${url}. The network accepts https only; a URL on this machine must be registered as a Desktop redirect, and then needs a port.`,
      ),
    );
  });
});
