import {
  MicroblogOAuth2Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
  type Tokens,
} from '../../lib/index.js';
import type { AnySandboxOptions, Sandbox } from '../../sandbox/lib/index.js';
import type { NamedStrategy } from '../support/login-app.js';

/** The form of verify that these tests use, with the token response. */
export type TokenVerify = (
  accessToken: string,
  refreshToken: string | undefined,
  params: { readonly [name: string]: unknown },
  profile: { readonly id: string },
  done: (error: null, user: object) => void,
) => void;

/** An OAuth 2 strategy whose network has refresh tokens. */
export type RefreshableStrategy = NamedStrategy & {
  refresh(refreshToken: string, deviceID?: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  userProfile(accessToken: string, done: (error?: unknown, profile?: { id: string }) => void): void;
};

/** One kind of client with refresh tokens. */
export interface Subject {
  readonly title: string;
  /** The strategy's name. */
  readonly provider: string;
  readonly strategy: (options: object, verify: TokenVerify) => RefreshableStrategy;
  /** Credentials and URLs of the sandbox, with a scope that includes a refresh token. */
  readonly options: (sandbox: Sandbox) => AnySandboxOptions;
  /** Credentials for a network that a test simulates. */
  readonly credentials: object;
  /** The second argument of `refresh` for that network. */
  readonly device?: string;
  /** The network's error for a refresh token that was already used. */
  readonly spent: { readonly networkCode: string; readonly networkMessage: string };
  /** The network's error for an access token that is no longer valid. */
  readonly ended: { readonly networkCode: string; readonly networkMessage: string };
}

const OFFLINE = { scope: 'tweet.read users.read offline.access' };

const microblog = {
  provider: 'microblog',
  strategy: (options: object, verify: TokenVerify) =>
    new MicroblogStrategy(options as { clientID: string }, verify as never),
  spent: { networkCode: 'invalid_request', networkMessage: 'Value passed for the token was invalid.' },
  ended: { networkCode: 'invalid_request', networkMessage: 'Value passed for the token was invalid.' },
};

export const SUBJECTS: readonly Subject[] = [
  {
    title: 'short-video',
    provider: 'short-video',
    strategy: (options, verify) => new ShortVideoStrategy(options as never, verify as never),
    options: (sandbox) => sandbox.options('short-video'),
    credentials: { clientID: 'CLIENT-KEY', clientSecret: 'CLIENT-SECRET' },
    spent: { networkCode: 'invalid_grant', networkMessage: 'Refresh token is invalid or expired.' },
    ended: { networkCode: 'invalid_grant', networkMessage: 'Access token is invalid or expired.' },
  },
  {
    ...microblog,
    title: 'microblog',
    options: (sandbox) => ({ ...sandbox.options('microblog'), ...OFFLINE }),
    credentials: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' },
  },
  {
    ...microblog,
    title: 'microblog, public client',
    options: (sandbox) => ({ ...sandbox.options('microblog', { client: 'public' }), ...OFFLINE }),
    credentials: { clientID: 'CLIENT-ID' },
  },
  {
    ...microblog,
    title: 'microblog, MicroblogOAuth2Strategy',
    strategy: (options, verify) => new MicroblogOAuth2Strategy(options as never, verify as never),
    options: (sandbox) => ({ ...sandbox.options('microblog'), ...OFFLINE }),
    credentials: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' },
  },
  {
    title: 'social-network, VK ID',
    provider: 'social-network',
    strategy: (options, verify) =>
      new SocialNetworkStrategy<never, '2.1'>({ version: '2.1', ...options } as never, verify as never),
    options: (sandbox) => sandbox.options('social-network', { version: '2.1' }),
    credentials: { clientID: 'CLIENT-ID' },
    device: 'DEVICE',
    spent: { networkCode: 'invalid_request', networkMessage: 'refresh_token is missing or invalid' },
    ended: { networkCode: 'invalid_token', networkMessage: 'access_token is missing or invalid' },
  },
];
