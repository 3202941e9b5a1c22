import assert from 'node:assert/strict';
import { MicroblogStrategy, type Profile, ShortVideoStrategy } from 'passport-social-networks';
import microblog, { endpoints, type MicroblogRecord } from 'passport-social-networks/microblog';
import shortVideo, { type ShortVideoRecord, Strategy } from 'passport-social-networks/short-video';
import socialNetwork, { type SocialNetworkRecord } from 'passport-social-networks/social-network';
import { type Sandbox, startSandbox } from 'passport-social-networks-sandbox';
import { logIn } from './app.js';

/** The records as they arrive, by the types of each network's own module. */
type AnyRecord = ShortVideoRecord | MicroblogRecord | SocialNetworkRecord;

const accountOf = ({ provider, displayName }: Profile<unknown>) => ({ provider, displayName });

async function start(): Promise<void> {
  const sandbox: Sandbox = await startSandbox();
  const records: AnyRecord[] = [];
  const strategies = [
    shortVideo(sandbox.options('short-video'), (_token, _refreshToken, profile, done) => {
      records.push(profile._json);
      done(null, accountOf(profile));
    }),
    microblog(sandbox.options('microblog'), async (_token, _refreshToken, profile) => {
      records.push(profile._json);
      return accountOf(profile);
    }),
    socialNetwork(sandbox.options('social-network'), (_token, _refreshToken, profile, done) => {
      records.push(profile._json);
      done(null, accountOf(profile));
    }),
  ];
  assert.equal(Strategy, ShortVideoStrategy);
  assert.ok(strategies[1] instanceof MicroblogStrategy);
  assert.match(endpoints.TOKEN_URL, /^https:/);
  await logIn(sandbox, strategies);
  assert.equal(records.length, strategies.length);
}

void start();
