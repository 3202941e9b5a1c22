import { expect } from 'chai';
import { startSandbox } from '../../sandbox/lib/index.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { allow, start } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
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
        expect(() => shortVideoStrategy({ ...known, profileFields: [field], scope: others })).to.throw(
          TypeError,
          `option profileFields names '${field}', which needs the scope ${scope}.`,
        );
      });
    }
  }

  it('C23: a field that the network does not have is a TypeError', () => {
    for (const profileFields of ['email', 'constructor', ['open_id', 'phone']]) {
      const options = { clientID: 'KEY', clientSecret: 'SECRET', profileFields };
      expect(() => shortVideoStrategy(options)).to.throw(TypeError, /option profileFields names '/);
    }
  });
});
