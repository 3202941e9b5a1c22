import assert from 'node:assert/strict';
import { MicroblogOAuth1Strategy, ShortVideoStrategy, SocialNetworkStrategy } from 'passport-social-networks';
import microblog, { MicroblogOAuth1Strategy as OAuth1 } from 'passport-social-networks/microblog';
import shortVideo, { endpoints, Strategy } from 'passport-social-networks/short-video';
import socialNetwork, { grantedScopes } from 'passport-social-networks/social-network';
import { PEOPLE, startSandbox } from 'passport-social-networks-sandbox';
import { logIn } from './app.js';

// The classes of the network's own module and of the main one are the same, in a bundle, too.
assert.equal(Strategy, ShortVideoStrategy);
assert.equal(OAuth1, MicroblogOAuth1Strategy);
assert.match(endpoints.TOKEN_URL, /^https:/);
assert.equal(typeof grantedScopes, 'function');
assert.equal(PEOPLE.find(({ id }) => id === 'alice')?.displayName, 'Alice Example');

// No `await` outside a function: the bundle may be a CommonJS module.
async function start() {
  const sandbox = await startSandbox();
  const strategies = [
    shortVideo(sandbox.options('short-video'), (_token, _refreshToken, profile, done) => done(null, profile)),
    microblog(sandbox.options('microblog', { version: '1.0' }), (_token, _tokenSecret, profile, done) =>
      done(null, profile),
    ),
    socialNetwork(
      sandbox.options('social-network', { version: '2.1' }),
      async (_token, _refreshToken, profile) => profile,
    ),
  ];
  assert(strategies[2] instanceof SocialNetworkStrategy);
  await logIn(sandbox, strategies);
}

void start();
