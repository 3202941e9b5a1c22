import { randomBytes, randomUUID } from 'node:crypto';
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

interface Encrypting {
  readonly encryptToken: (token: string, owner: object) => Promise<string>;
  readonly decryptToken: (encrypted: string, owner: object) => Promise<string>;
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

describe('The encryption in the guide to tokens', () => {
  const alice = { provider: 'microblog', identifier: '12' };
  const newKey = () => randomBytes(32).toString('base64');

  after(() => {
    delete process.env.TOKEN_KEYS;
    removePrograms(PLACE);
  });

  /** Starts the module with keys, as a deploy does. */
  function withKeys(...keys: readonly string[]): Encrypting {
    process.env.TOKEN_KEYS = keys.join(',');
    const [block] = blocksOf('docs/tokens.md').filter(({ code }) =>
      code.startsWith('// token-encryption.ts\n'),
    );
    const file = writeProgram(`${PLACE}/token-encryption-${randomUUID()}.ts`, block?.code ?? '');
    return require(file) as Encrypting;
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
