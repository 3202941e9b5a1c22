import assert from 'node:assert/strict';
import { cookieLogins } from 'passport-social-networks';
import microblog, { MicroblogStrategy } from 'passport-social-networks/microblog';
import shortVideo, { ShortVideoStrategy } from 'passport-social-networks/short-video';
import socialNetwork, { SocialNetworkStrategy } from 'passport-social-networks/social-network';
import { type CheckReport, check } from 'passport-social-networks-check';
import { startSandbox } from 'passport-social-networks-sandbox';
import { logIn } from './app.js';

const sandbox = await startSandbox();
// A public client has no secret from which the key of its cookies could be made.
const store = cookieLogins({ secrets: 'a secret of at least 32 characters' });
const strategies = [
  shortVideo(sandbox.options('short-video'), (_token, _refreshToken, profile, done) => done(null, profile)),
  microblog(
    { ...sandbox.options('microblog', { client: 'public' }), store },
    async (_token, _refreshToken, profile) => profile,
  ),
  socialNetwork(
    sandbox.options('social-network', { version: '2.1' }),
    (_token, _refreshToken, profile, done) => done(null, profile),
  ),
] as const;
assert.ok(strategies[0] instanceof ShortVideoStrategy);
assert.ok(strategies[1] instanceof MicroblogStrategy);
assert.ok(strategies[2] instanceof SocialNetworkStrategy);
for (const strategy of strategies) {
  const report: CheckReport = await check(strategy);
  assert.notEqual(report.verdict, 'failed');
}
await logIn(sandbox, strategies);
