import { expect } from 'chai';
import {
  MicroblogStrategy,
  RefusedError,
  ShortVideoStrategy,
  SocialNetworkStrategy,
  type VerifyDone,
} from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../lib/sandbox/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { rejectionOf } from '../support/thrown.js';
import { blocksOf } from './pages.js';
import { removePrograms, writeProgram } from './programs.js';

const PLACE = 'tokens';
const THREE_HOURS = 3 * 60 * 60 * 1000;

interface Disconnecting {
  disconnectShortVideo(strategy: ShortVideoStrategy, refreshToken: string): Promise<void>;
  disconnectMicroblog(strategy: MicroblogStrategy, refreshToken: string): Promise<void>;
  disconnectVKID(strategy: object, refreshToken: string, deviceID: string): Promise<void>;
}

/** What the application has of somebody after the login. */
interface Kept {
  readonly refreshToken: string;
  readonly deviceID: string;
}

describe('The guide to tokens after the login', () => {
  const closing = closesAfterEach();
  let guide: Disconnecting;
  let sandbox: Sandbox;
  let kept: Kept;

  before(() => {
    const [block] = blocksOf('docs/tokens.md').filter(({ code }) => code.includes('disconnectShortVideo'));
    guide = require(writeProgram(`${PLACE}/disconnect.ts`, block?.code ?? '')) as Disconnecting;
  });
  beforeEach(async () => {
    sandbox = closing(await startSandbox());
  });
  after(() => removePrograms(PLACE));

  const verify = (
    _token: string,
    refreshToken: string | undefined,
    params: object,
    profile: { readonly id: string },
    done: VerifyDone,
  ) => {
    const { device_id: deviceID = '' } = params as { device_id?: string };
    kept = { refreshToken: refreshToken ?? '', deviceID };
    done(null, { id: profile.id });
  };

  /** Logs somebody in, and lets three hours pass. */
  async function later<Strategy extends NamedStrategy>(strategy: Strategy): Promise<Strategy> {
    await logIn(closing(await loginApp(strategy)), strategy.name);
    sandbox.advance(THREE_HOURS);
    return strategy;
  }

  /** The requests that ended a token, and what was wrong with them. */
  function revocations(): (string | undefined)[] {
    return sandbox
      .requests()
      .filter(({ endpoint }) => endpoint === 'revocation')
      .map(({ refused }) => refused);
  }

  it('disconnects the short-video network when the access token has expired', async () => {
    const strategy = await later(new ShortVideoStrategy(sandbox.options('short-video'), verify));
    await guide.disconnectShortVideo(strategy, kept.refreshToken);
    expect(revocations()).to.deep.equal([undefined]);
  });

  it('disconnects the microblog network when the access token has expired, and the refresh token ends', async () => {
    const options = { ...sandbox.options('microblog'), scope: 'tweet.read users.read offline.access' };
    const strategy = await later(new MicroblogStrategy(options, verify));
    await guide.disconnectMicroblog(strategy, kept.refreshToken);
    expect(revocations()).to.deep.equal([undefined]);
    expect(await rejectionOf(strategy.refresh(kept.refreshToken))).to.be.instanceOf(RefusedError);
  });

  it('disconnects VK ID when the access token has expired', async () => {
    const options = sandbox.options('social-network', { version: '2.1' });
    const strategy = await later(new SocialNetworkStrategy(options, verify));
    await guide.disconnectVKID(strategy, kept.refreshToken, kept.deviceID);
    expect(revocations()).to.deep.equal([undefined]);
  });
});
