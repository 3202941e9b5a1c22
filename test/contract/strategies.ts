import OAuth2Strategy = require('passport-oauth2');

import * as library from '../../lib/index.js';
import type { AnySandboxOptions, Sandbox, SandboxPerson } from '../../sandbox/lib/index.js';
import type { NamedStrategy } from '../support/login-app.js';

// Neither package has types.
const OAuthStrategy = require('passport-oauth1') as StrategyClass;

// biome-ignore lint/suspicious/noExplicitAny: verify functions take any arguments.
export type AnyVerify = (...args: any[]) => unknown;

/** Any strategy, with the members that the contract tests use. */
export type AnyStrategy = NamedStrategy & { userProfile(...args: unknown[]): void };
export type StrategyClass = new (options: object, verify: AnyVerify) => AnyStrategy;

/** One strategy class in one version. */
export interface Subject {
  /** The name under which the package exports the class. */
  readonly name: string;
  readonly version?: string;
  /** The name under which the strategy registers with Passport. */
  readonly provider: string;
  /** Credentials and URLs of the sandbox. */
  readonly options: (sandbox: Sandbox) => AnySandboxOptions;
  /** The user's ID at this network. */
  readonly identify: (person: SandboxPerson) => string;
  /** The version of OAuth that the class uses. */
  readonly oauth: '1.0a' | '2.0';
  /** The class that it extends. */
  readonly base: StrategyClass;
  /** The class that the constructor makes, if it is another one. */
  readonly made?: string;
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
    base: OAuth2Strategy as unknown as StrategyClass,
  },
  {
    name: 'MicroblogStrategy',
    version: '1.0',
    provider: 'microblog',
    options: (sandbox) => sandbox.options('microblog', { version: '1.0' }),
    identify: ({ microblogId }) => microblogId,
    oauth: '1.0a',
    made: 'MicroblogOAuth1Strategy',
    base: OAuthStrategy,
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

/** The names of all exported strategy classes. */
export const STRATEGY_NAMES = Object.keys(library).filter((name) => name.endsWith('Strategy'));

/** Every strategy class in every version. @throws Error if an exported class has no row in the table. */
export function subjects(): readonly Subject[] {
  for (const name of STRATEGY_NAMES) {
    if (!SUBJECTS.some((subject) => subject.name === name)) {
      throw new Error(`${name} is exported, but SUBJECTS has no row for it`);
    }
  }
  return SUBJECTS;
}

export function classOf({ name }: Subject): StrategyClass {
  return (library as unknown as Record<string, StrategyClass>)[name] as StrategyClass;
}

/** The class of the strategies that the subject's constructor makes: the one to extend. */
export function madeClassOf({ name, made = name }: Subject): StrategyClass {
  return (library as unknown as Record<string, StrategyClass>)[made] as StrategyClass;
}

/** The subject's name and version, for test titles. */
export function titleOf({ name, version }: Subject): string {
  return version === undefined ? name : `${name} ${version}`;
}
