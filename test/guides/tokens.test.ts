import { expect } from 'chai';
import type * as library from '../../lib/index.js';
import {
  MicroblogStrategy,
  type Profile,
  RefusedError,
  ShortVideoStrategy,
  SocialNetworkStrategy,
  type Tokens,
  type VerifyDone,
} from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { rejectionOf } from '../support/thrown.js';
import { blocksOf } from './pages.js';
import { removePrograms, writeProgram } from './programs.js';

/** The package as the guide's programs import it. */
const built = require('passport-social-networks') as typeof library;

const PLACE = 'tokens';
const LONG_FORM = { passParamsToCallback: true } as const;
const THREE_HOURS = 3 * 60 * 60 * 1000;

interface Disconnecting {
  disconnectShortVideo(strategy: ShortVideoStrategy, refreshToken: string): Promise<void>;
  disconnectMicroblog(strategy: MicroblogStrategy, refreshToken: string): Promise<void>;
  disconnectVKID(strategy: object, refreshToken: string, deviceID: string): Promise<void>;
}

interface Account {
  readonly accessToken: string;
  refresh(): Promise<Tokens>;
}

interface Calling {
  currentProfile(strategy: object, account: Account): Promise<Profile<unknown>>;
}

/** What the application stores after a login. */
interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly deviceID: string;
}

describe('The guide to tokens after the login', () => {
  const closing = closesAfterEach();
  let guide: Disconnecting;
  let caller: Calling;
  let sandbox: Sandbox;
  let stored: StoredTokens;

  before(() => {
    const [block] = blocksOf('docs/tokens.md').filter(({ code }) => code.includes('disconnectShortVideo'));
    const [calling] = blocksOf('docs/tokens.md').filter(({ code }) => code.includes('withAccessToken'));
    caller = require(writeProgram(`${PLACE}/call-network.ts`, calling?.code ?? '')) as Calling;
    guide = require(writeProgram(`${PLACE}/disconnect.ts`, block?.code ?? '')) as Disconnecting;
  });
  beforeEach(async () => {
    sandbox = closing(await startSandbox());
  });
  after(() => removePrograms(PLACE));

  const verify = (
    accessToken: string,
    refreshToken: string | undefined,
    params: object,
    profile: { readonly id: string },
    done: VerifyDone,
  ) => {
    const { device_id: deviceID = '' } = params as { device_id?: string };
    stored = { accessToken, refreshToken: refreshToken ?? '', deviceID };
    done(null, { id: profile.id });
  };

  /** Logs a user in and advances the sandbox's clock by three hours. */
  async function loggedInEarlier<Strategy extends NamedStrategy>(strategy: Strategy): Promise<Strategy> {
    await logIn(closing(await loginApp(strategy)), strategy.name);
    sandbox.advance(THREE_HOURS);
    return strategy;
  }

  /** The reason why the sandbox rejected each revocation request; `undefined` if accepted. */
  function revocations(): (string | undefined)[] {
    return sandbox
      .requests()
      .filter(({ endpoint }) => endpoint === 'revocation')
      .map(({ refused }) => refused);
  }

  it('disconnects the short-video network when the access token has expired', async () => {
    const strategy = await loggedInEarlier(
      new ShortVideoStrategy({ ...sandbox.options('short-video'), ...LONG_FORM }, verify),
    );
    await guide.disconnectShortVideo(strategy, stored.refreshToken);
    expect(revocations()).to.deep.equal([undefined]);
  });

  it('disconnects the microblog network when the access token has expired, and revokes the refresh token', async () => {
    const options = {
      ...sandbox.options('microblog'),
      ...LONG_FORM,
      scope: 'tweet.read users.read offline.access',
    };
    const strategy = await loggedInEarlier(new MicroblogStrategy(options, verify));
    await guide.disconnectMicroblog(strategy, stored.refreshToken);
    expect(revocations()).to.deep.equal([undefined]);
    expect(await rejectionOf(strategy.refresh(stored.refreshToken))).to.be.instanceOf(RefusedError);
  });

  it('disconnects VK ID when the access token has expired', async () => {
    const options = { ...sandbox.options('social-network', { version: '2.1' }), ...LONG_FORM };
    const strategy = await loggedInEarlier(new SocialNetworkStrategy(options, verify));
    await guide.disconnectVKID(strategy, stored.refreshToken, stored.deviceID);
    expect(revocations()).to.deep.equal([undefined]);
  });

  const scope = 'tweet.read users.read offline.access';
  const calls: Record<
    string,
    () => NamedStrategy & { refresh(token: string, device: string): Promise<Tokens> }
  > = {
    'the short-video network': () =>
      new built.ShortVideoStrategy({ ...sandbox.options('short-video'), ...LONG_FORM }, verify),
    'the microblog network': () =>
      new built.MicroblogStrategy({ ...sandbox.options('microblog'), ...LONG_FORM, scope }, verify),
    'VK ID': () =>
      new built.SocialNetworkStrategy(
        { ...sandbox.options('social-network', { version: '2.1' }), ...LONG_FORM },
        verify,
      ),
  };
  for (const [network, newStrategy] of Object.entries(calls)) {
    it(`calls ${network} with an expired access token: refreshes it, and tries again once`, async () => {
      const strategy = await loggedInEarlier(newStrategy());
      let refreshes = 0;
      const account = {
        accessToken: stored.accessToken,
        refresh() {
          refreshes += 1;
          return strategy.refresh(stored.refreshToken, stored.deviceID);
        },
      };

      const profile = await caller.currentProfile(strategy, account);

      expect(profile.displayName).to.equal('Alice Example');
      expect(refreshes).to.equal(1);
    });
  }
});
