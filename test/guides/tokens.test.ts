import { expect } from 'chai';
import type * as library from '../../lib/index.js';
import type { Profile, RefreshOptions, Tokens, VerifyDone } from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { eachSandbox } from '../support/sandbox.js';
import { programsOf } from './programs.js';

/** The package as the guide's programs import it. */
const built = require('passport-social-networks') as typeof library;

const PAGE = 'docs/tokens.md';
const THREE_HOURS = 3 * 60 * 60 * 1000;

type Account = { readonly accessToken: string; refresh(): Promise<Tokens> };
type Calling = { currentProfile: (strategy: object, account: Account) => Promise<Profile<unknown>> };

type Strategy = NamedStrategy & { refresh(token: string, options?: RefreshOptions): Promise<Tokens> };

describe('The guide to tokens after the login', () => {
  const { write } = programsOf(PAGE);
  const closing = closesAfterEach();
  // The tests move the clock of the sandbox.
  const sandbox = eachSandbox();
  /** What the application stores after a login. */
  let stored = { accessToken: '', refreshToken: '', deviceID: '', id: '' };

  const verify = (
    accessToken: string,
    refreshToken: string | undefined,
    params: object,
    profile: { readonly id: string },
    done: VerifyDone,
  ) => {
    const { device_id: deviceID = '' } = params as { device_id?: string };
    stored = { accessToken, refreshToken: refreshToken ?? '', deviceID, id: profile.id };
    done(null, { id: profile.id });
  };
  const passParamsToCallback = true;
  const scope = 'tweet.read users.read offline.access';

  const networks: Record<string, () => Strategy> = {
    'the short-video network': () =>
      new built.ShortVideoStrategy({ ...sandbox.options('short-video'), passParamsToCallback }, verify),
    'the microblog network': () =>
      new built.MicroblogStrategy({ ...sandbox.options('microblog'), passParamsToCallback, scope }, verify),
    'VK ID': () =>
      new built.SocialNetworkStrategy(
        { ...sandbox.options('social-network', { version: '2.1' }), passParamsToCallback },
        verify,
      ),
  };

  for (const [network, newStrategy] of Object.entries(networks)) {
    it(`calls ${network} with an expired access token: refreshes it, and tries again once`, async () => {
      const { currentProfile } = require(write('call-network.ts')) as Calling;
      const strategy = newStrategy();
      await logIn(closing(await loginApp(strategy)), strategy.name);
      sandbox.advance(THREE_HOURS);
      let refreshes = 0;
      const profile = await currentProfile(strategy, {
        accessToken: stored.accessToken,
        refresh() {
          refreshes += 1;
          return strategy.refresh(stored.refreshToken, { userID: stored.id, deviceID: stored.deviceID });
        },
      });
      expect(profile.displayName).to.equal('Alice Example');
      expect(refreshes).to.equal(1);
    });
  }
});
