import OAuth2Strategy = require('passport-oauth2');

import * as library from '../../lib/index.js';
import type { AnySandboxOptions, Sandbox, SandboxPerson } from '../../lib/sandbox/index.js';
import type { NamedStrategy } from '../support/login-app.js';

// Neither has types.
const PassportStrategy = require('passport-strategy') as StrategyClass;
const OAuthStrategy = require('passport-oauth1') as StrategyClass;

// biome-ignore lint/suspicious/noExplicitAny: verify functions of every form.
export type AnyVerify = (...args: any[]) => unknown;

/** Any strategy, as far as the contract knows it. */
export type AnyStrategy = NamedStrategy & { userProfile(...args: unknown[]): void };
export type StrategyClass = new (options: object, verify: AnyVerify) => AnyStrategy;

/** One strategy class in one version. */
export interface Subject {
  /** The class's name among the exports. */
  readonly name: string;
  readonly version?: string;
  /** The name under which it registers with Passport. */
  readonly provider: string;
  /** Credentials and addresses at the sandbox. */
  readonly options: (sandbox: Sandbox) => AnySandboxOptions;
  /** How the network identifies a person. */
  readonly identify: (person: SandboxPerson) => string;
  /** The generation of OAuth that it speaks. */
  readonly oauth: '1.0a' | '2.0';
  /** What the class extends. */
  readonly base: StrategyClass;
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'ShortVideoStrategy',
    provider: 'short-video',
    options: (sandbox) => sandbox.options('short-video'),
    identify: ({ openId }) => openId,
    oauth: '2.0',
    base: OAuth2Strategy as unknown as StrategyClass,
  },
  {
    name: 'MicroblogStrategy',
    provider: 'microblog',
    options: (sandbox) => sandbox.options('microblog'),
    identify: ({ microblogId }) => microblogId,
    oauth: '2.0',
    base: PassportStrategy,
  },
  {
    name: 'MicroblogStrategy',
    version: '1.0',
    provider: 'microblog',
    options: (sandbox) => sandbox.options('microblog', { version: '1.0' }),
    identify: ({ microblogId }) => microblogId,
    oauth: '1.0a',
    base: PassportStrategy,
  },
  {
    name: 'MicroblogOAuth2Strategy',
    provider: 'microblog',
    options: (sandbox) => sandbox.options('microblog', { client: 'public' }),
    identify: ({ microblogId }) => microblogId,
    oauth: '2.0',
    base: OAuth2Strategy as unknown as StrategyClass,
  },
  {
    name: 'MicroblogOAuth1Strategy',
    provider: 'microblog',
    options: (sandbox) => sandbox.options('microblog', { version: '1.0' }),
    identify: ({ microblogId }) => microblogId,
    oauth: '1.0a',
    base: OAuthStrategy,
  },
  {
    name: 'SocialNetworkStrategy',
    provider: 'social-network',
    options: (sandbox) => sandbox.options('social-network'),
    identify: ({ socialNetworkId }) => String(socialNetworkId),
    oauth: '2.0',
    base: OAuth2Strategy as unknown as StrategyClass,
  },
  {
    name: 'SocialNetworkStrategy',
    version: '2.1',
    provider: 'social-network',
    options: (sandbox) => sandbox.options('social-network', { version: '2.1', client: 'confidential' }),
    identify: ({ socialNetworkId }) => String(socialNetworkId),
    oauth: '2.0',
    base: OAuth2Strategy as unknown as StrategyClass,
  },
];

/** Every name among the exports that is a strategy class. */
export const STRATEGY_NAMES = Object.keys(library).filter((name) => name.endsWith('Strategy'));

/** Every strategy class in every version. @throws Error when an exported class is in no row of the table. */
export function subjects(): readonly Subject[] {
  for (const name of STRATEGY_NAMES) {
    if (!SUBJECTS.some((subject) => subject.name === name)) {
      throw new Error(`${name} is exported, but the contract's table has no row for it`);
    }
  }
  return SUBJECTS;
}

export function classOf({ name }: Subject): StrategyClass {
  return (library as unknown as Record<string, StrategyClass>)[name] as StrategyClass;
}

/** The subject's name and version, for titles. */
export function titleOf({ name, version }: Subject): string {
  return version === undefined ? name : `${name} ${version}`;
}
