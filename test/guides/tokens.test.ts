import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type * as library from '../../lib/index.js';
import type { Profile, Tokens, VerifyDone } from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { rejectionOf } from '../support/thrown.js';
import { programsOf } from './programs.js';

/** The package as the guide's programs import it. */
const built = require('passport-social-networks') as typeof library;

const PAGE = 'docs/tokens.md';
const THREE_HOURS = 3 * 60 * 60 * 1000;

interface Disconnecting {
  disconnectShortVideo(strategy: object, refreshToken: string): Promise<void>;
  disconnectMicroblog(strategy: object, refreshToken: string): Promise<void>;
  disconnectVKID(strategy: object, refreshToken: string, deviceID: string): Promise<void>;
}

interface Encrypting {
  readonly encryptToken: (token: string, owner: object) => Promise<string>;
  readonly decryptToken: (encrypted: string, owner: object) => Promise<string>;
}

interface Calling {
  readonly currentProfile: (
    strategy: object,
    account: { readonly accessToken: string; refresh(): Promise<Tokens> },
  ) => Promise<Profile<unknown>>;
}

type Strategy = NamedStrategy & { refresh(token: string, device?: string): Promise<Tokens> };

/** What the application stores after a login. */
interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly deviceID: string;
}

describe('The guide to tokens after the login', () => {
  const { write } = programsOf(PAGE);
  const closing = closesAfterEach();
  let sandbox: Sandbox;
  let stored: StoredTokens;

  // The tests move the clock of the sandbox.
  beforeEach(async () => {
    sandbox = closing(await startSandbox());
  });

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
  const passParamsToCallback = true;
  const scope = 'tweet.read users.read offline.access';

  const networks: Record<string, [strategy: () => Strategy, disconnect: keyof Disconnecting]> = {
    'the short-video network': [
      () => new built.ShortVideoStrategy({ ...sandbox.options('short-video'), passParamsToCallback }, verify),
      'disconnectShortVideo',
    ],
    'the microblog network': [
      () =>
        new built.MicroblogStrategy({ ...sandbox.options('microblog'), passParamsToCallback, scope }, verify),
      'disconnectMicroblog',
    ],
    'VK ID': [
      () =>
        new built.SocialNetworkStrategy(
          { ...sandbox.options('social-network', { version: '2.1' }), passParamsToCallback },
          verify,
        ),
      'disconnectVKID',
    ],
  };

  for (const [network, [newStrategy, disconnect]] of Object.entries(networks)) {
    /** Logs a user in and advances the sandbox's clock by three hours. */
    const loggedInEarlier = async () => {
      const strategy = newStrategy();
      await logIn(closing(await loginApp(strategy)), strategy.name);
      sandbox.advance(THREE_HOURS);
      return strategy;
    };

    it(`disconnects ${network} when the access token has expired`, async () => {
      const guide = require(write('disconnect.ts')) as Disconnecting;
      const strategy = await loggedInEarlier();
      await guide[disconnect](strategy, stored.refreshToken, stored.deviceID);
      const revocations = sandbox.requests().filter(({ endpoint }) => endpoint === 'revocation');
      expect(revocations.map(({ refused }) => refused)).to.deep.equal([undefined]);
      // Where the refresh token is what is revoked.
      if (network === 'the microblog network')
        expect(await rejectionOf(strategy.refresh(stored.refreshToken))).to.be.instanceOf(built.RefusedError);
    });

    it(`calls ${network} with an expired access token: refreshes it, and tries again once`, async () => {
      const { currentProfile } = require(write('call-network.ts')) as Calling;
      const strategy = await loggedInEarlier();
      let refreshes = 0;
      const profile = await currentProfile(strategy, {
        accessToken: stored.accessToken,
        refresh() {
          refreshes += 1;
          return strategy.refresh(stored.refreshToken, stored.deviceID);
        },
      });
      expect(profile.displayName).to.equal('Alice Example');
      expect(refreshes).to.equal(1);
    });
  }
});

describe('The encryption in the guide to tokens', () => {
  const alice = { provider: 'microblog', identifier: '12' };
  const newKey = () => randomBytes(32).toString('base64');

  const { write } = programsOf(PAGE);

  after(() => {
    delete process.env.TOKEN_KEYS;
  });

  /** Starts the module with keys, as a deploy does. */
  function withKeys(...keys: readonly string[]): Encrypting {
    process.env.TOKEN_KEYS = keys.join(',');
    return require(write('token-encryption.ts', (code) => `${code}// ${randomUUID()}\n`)) as Encrypting;
  }

  it('encrypts a token differently each time, and decrypts it', async () => {
    const { encryptToken, decryptToken } = withKeys(newKey());
    const stored = await Promise.all([encryptToken('TOKEN', alice), encryptToken('TOKEN', alice)]);
    expect(stored[0]).to.not.equal(stored[1]);
    for (const text of stored) {
      expect(text).to.not.include('TOKEN');
      expect(await decryptToken(text, alice)).to.equal('TOKEN');
    }
  });

  it('decrypts no token in the row of another login, and none that was changed', async () => {
    const { encryptToken, decryptToken } = withKeys(newKey());
    const stored = await encryptToken('TOKEN', alice);
    const parts = stored.split('.');
    const [tag = ''] = (await encryptToken('TOKEN', alice)).split('.').slice(-1);
    const changed = [...parts.slice(0, -1), tag].join('.');
    for (const [text, owner] of [
      [stored, { ...alice, provider: 'short-video' }],
      [stored, { ...alice, identifier: '13' }],
      [changed, alice],
    ] as const)
      expect(await rejectionOf(decryptToken(text, owner)))
        .to.have.property('message')
        .that.includes('another login');
  });

  it('decrypts with the old key until it is removed, and encrypts with the new one', async () => {
    const [before, after] = [newKey(), newKey()];
    const old = await withKeys(before).encryptToken('OLD', alice);
    const both = withKeys(after, before);
    expect(await both.decryptToken(old, alice)).to.equal('OLD');
    const { decryptToken } = withKeys(after);
    expect(await decryptToken(await both.encryptToken('NEW', alice), alice)).to.equal('NEW');
    expect(await rejectionOf(decryptToken(old, alice))).to.have.property('message');
  });
});
