import { expect } from 'chai';
import { grantedScopes } from '../../lib/short-video/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { redirectOf } from '../support/attempt.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { allow, start } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { collectsWarnings } from '../support/warnings.js';
import { shortVideoStrategy } from './network.js';

/** The fields of each scope, as the network documents them. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'user.info.basic': [
    'open_id',
    'union_id',
    'avatar_url',
    'avatar_url_100',
    'avatar_large_url',
    'display_name',
  ],
  'user.info.profile': ['username', 'profile_deep_link', 'bio_description', 'is_verified'],
  'user.info.stats': ['follower_count', 'following_count', 'likes_count', 'video_count'],
};

describe('short-video: fields and their scopes', () => {
  realSockets();
  const close = closesAfterEach();
  const warnings = collectsWarnings();
  const CREDENTIALS = { clientID: 'the-client-key', clientSecret: 'the-client-secret' };

  for (const [scope, fields] of Object.entries(FIELDS)) {
    for (const field of fields) {
      it(`C23: the field ${field} requests ${scope}, and is a TypeError without it`, async () => {
        const sandbox = close(await startSandbox());
        const known = sandbox.options('short-video');
        const app = close(await loginApp(shortVideoStrategy({ ...known, profileFields: field })));
        const browser = new Browser();
        const authorization = await start(browser, app, 'short-video');
        const requested = new URL(authorization).searchParams.get('scope')?.split(',');
        expect(requested).to.have.members([...new Set(['user.info.basic', scope])]);
        expect((await browser.get(await allow(browser, authorization))).status).to.equal(200);

        const others = Object.keys(FIELDS).filter((other) => other !== scope);
        const made = { profileFields: [field], scope: others };
        const problem = `option profileFields names '${field}', which needs the scope ${scope}.`;
        expect(() => shortVideoStrategy({ ...CREDENTIALS, ...made })).to.throw(TypeError, problem);
        // Another server may have other scopes.
        shortVideoStrategy({ ...known, ...made });
        expect((await warnings.texts()).join()).to.include(problem);
      });
    }
  }

  it('C23: a field that the network does not have is a TypeError', () => {
    for (const profileFields of ['email', 'constructor', ['open_id', 'phone']]) {
      const options = { clientID: 'KEY', clientSecret: 'SECRET', profileFields };
      expect(() => shortVideoStrategy(options)).to.throw(TypeError, /option profileFields names '/);
    }
  });

  it('C23: profileFields with a field outside scope is a TypeError; scope may leave out those of default fields', () => {
    const make = (options: object) => () => shortVideoStrategy({ ...CREDENTIALS, ...options });
    expect(make({ scope: 'user.info.basic', profileFields: 'username' })).to.throw(
      TypeError,
      "ShortVideoStrategy: option profileFields names 'username', which needs the scope user.info.profile. Add that to scope, or leave scope out: it follows from profileFields.",
    );
    make({ scope: 'user.info.basic user.info.profile', profileFields: 'username' })();
    make({ scope: 'user.info.basic' })();
  });

  it('scope is a string or an array, at construction and per request; without it, it is derived from profileFields', async () => {
    const scopeOf = async (options: object, perRequest: object = {}) =>
      (await redirectOf(shortVideoStrategy({ ...CREDENTIALS, ...options }), perRequest)).searchParams.get(
        'scope',
      );
    const scope = 'user.info.basic, video.list';
    expect(await scopeOf({ scope })).to.equal('user.info.basic,video.list');
    expect(await scopeOf({ scope }, { scope: ['user.info.basic', 'user.info.stats'] })).to.equal(
      'user.info.basic,user.info.stats',
    );
    expect(await scopeOf({ profileFields: ['likes_count', 'bio_description'] })).to.equal(
      'user.info.basic,user.info.stats,user.info.profile',
    );
  });

  it('grantedScopes splits scope at commas', () => {
    expect(grantedScopes({ scope: 'user.info.basic,video.list' })).to.deep.equal([
      'user.info.basic',
      'video.list',
    ]);
    for (const params of [{}, { scope: '' }, { scope: ' , ' }])
      expect(grantedScopes(params)).to.deep.equal([]);
  });
});
