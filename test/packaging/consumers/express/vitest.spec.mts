import microblog, { endpoints } from 'passport-social-networks/microblog';
import { ShortVideoStrategy } from 'passport-social-networks/short-video';
import { SocialNetworkStrategy } from 'passport-social-networks/social-network';
import { startSandbox } from 'passport-social-networks-sandbox';
import { expect, test } from 'vitest';
import { logIn } from './app.js';

test('a user logs in with each network', async () => {
  const sandbox = await startSandbox();
  const strategies = [
    new ShortVideoStrategy(sandbox.options('short-video'), (_token, _refreshToken, profile, done) =>
      done(null, profile),
    ),
    microblog(sandbox.options('microblog'), async (_token, _refreshToken, profile) => profile),
    new SocialNetworkStrategy(sandbox.options('social-network'), (_token, _refreshToken, profile, done) =>
      done(null, profile),
    ),
  ];
  expect(endpoints.TOKEN_URL).toMatch(/^https:/);
  await logIn(sandbox, strategies);
});
