import assert from 'node:assert/strict';
import microblog from 'passport-social-networks/microblog';
import shortVideo, { ShortVideoStrategy } from 'passport-social-networks/short-video';
import { socialNetwork } from 'passport-social-networks/social-network';
import { startSandbox } from 'passport-social-networks-sandbox';
import { logIn } from './app.js';

test('a user logs in with each network', async () => {
  const sandbox = await startSandbox();
  const strategies = [
    shortVideo(sandbox.options('short-video'), (_token, _refreshToken, profile, done) => done(null, profile)),
    microblog(
      sandbox.options('microblog', { version: '1.0' }),
      async (_token, _tokenSecret, profile) => profile,
    ),
    socialNetwork(sandbox.options('social-network'), (_token, _refreshToken, profile, done) =>
      done(null, profile),
    ),
  ];
  assert.ok(strategies[0] instanceof ShortVideoStrategy);
  await logIn(sandbox, strategies);
});
