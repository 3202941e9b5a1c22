const assert = require('node:assert/strict');
const main = require('passport-social-networks');
const { check } = require('passport-social-networks-check');
const { microblog, MicroblogStrategy } = require('passport-social-networks/microblog');
const { startSandbox } = require('passport-social-networks-sandbox');
const shortVideo = require('passport-social-networks/short-video').default;
const { Strategy } = require('passport-social-networks/social-network');

async function start() {
  const sandbox = await startSandbox();
  const strategies = [
    shortVideo(sandbox.options('short-video'), (_token, _refreshToken, profile, done) => done(null, profile)),
    microblog(sandbox.options('microblog'), (_token, _refreshToken, profile, done) => done(null, profile)),
    new Strategy(sandbox.options('social-network'), async (_token, _refreshToken, profile) => profile),
  ];
  assert(strategies[0] instanceof main.ShortVideoStrategy);
  assert.equal(main.MicroblogStrategy, MicroblogStrategy);
  assert.equal(main.SocialNetworkStrategy, Strategy);
  const esm = await import('./app.js');
  assert.equal(check, (await import('passport-social-networks-check')).check);
  await esm.logIn(sandbox, strategies);
}

void start();
