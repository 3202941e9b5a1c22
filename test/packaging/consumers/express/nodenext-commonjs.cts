import assert from 'node:assert/strict';
import { ShortVideoStrategy } from 'passport-social-networks';
import { MicroblogOAuth2Strategy } from 'passport-social-networks/microblog';
import { startSandbox } from 'passport-social-networks-sandbox';

import shortVideo = require('passport-social-networks/short-video');

import socialNetwork from 'passport-social-networks/social-network';

async function start(): Promise<void> {
  const { logIn } = await import('./app.js');
  const sandbox = await startSandbox();
  const strategies = [
    shortVideo.default(sandbox.options('short-video'), (_token, _refreshToken, profile, done) =>
      done(null, profile),
    ),
    new MicroblogOAuth2Strategy(
      sandbox.options('microblog'),
      async (_token, _refreshToken, profile) => profile,
    ),
    socialNetwork(sandbox.options('social-network'), (_token, _refreshToken, profile, done) =>
      done(null, profile),
    ),
  ];
  assert.ok(strategies[0] instanceof ShortVideoStrategy);
  await logIn(sandbox, strategies);
}

void start();
