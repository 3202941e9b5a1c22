import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import * as library from '../../lib/index.js';
import type { NamedStrategy } from '../support/login-app.js';
import type { NetworkDefinition, OAuth1Definition, OAuth2Definition } from '../support/network-definition.js';
import type { AnyFunction } from '../support/verification.js';

/** Any strategy, with the members that the contract tests use. */
export type AnyStrategy = NamedStrategy & { userProfile(...args: unknown[]): void };
export type StrategyClass = new (options: object, verify: AnyFunction) => AnyStrategy;

/** What a network's folder does not say about its protocols, because it follows from the rest. */
interface Derived {
  /** The name under which the strategy registers with Passport. */
  readonly provider: NetworkDefinition['name'];
  readonly identify: NetworkDefinition['identify'];
}

export type OAuth1Subject = OAuth1Definition & Derived;
export type OAuth2Subject = OAuth2Definition & Derived;

/** One strategy class in one version: one protocol of a network. */
export type Subject = OAuth1Subject | OAuth2Subject;

/** Where tools import this file as a module, __dirname is no folder. */
const TESTS = dirname(dirname(__filename));

/** The networks, as the shared tests know them: what the folders that are named as those of lib/ define. */
export const NETWORKS: readonly NetworkDefinition[] = readdirSync(join(TESTS, '../lib'))
  // The tests of coverage are compiled.
  .map((network) => join(TESTS, network, `subjects${extname(__filename)}`))
  .filter((file) => existsSync(file))
  .flatMap((file) => Object.values(require(file) as Readonly<Record<string, NetworkDefinition>>));

const SUBJECTS: readonly Subject[] = NETWORKS.flatMap(({ name: provider, identify, subjects }) =>
  subjects.map((definition): Subject => ({ ...definition, provider, identify })),
);

export const STRATEGY_NAMES = Object.keys(library).filter((name) => name.endsWith('Strategy'));

export function subjects(): readonly Subject[] {
  return SUBJECTS;
}

/** The names of the exported classes that a subject covers. */
export function classNamesOf({ name, makes }: Subject): readonly string[] {
  return makes ? [name, makes.name] : [name];
}

export function classOf({ name }: Pick<Subject, 'name'>): StrategyClass {
  return (library as unknown as Record<string, StrategyClass>)[name] as StrategyClass;
}

/** The class of the strategies that the subject's constructor makes: the one to extend. */
export function madeClassOf(subject: Subject): StrategyClass {
  return classOf(subject.makes ?? subject);
}

/** The class and version of a subject, for test titles: `MicroblogStrategy 1.0`. */
export function titleOf({ name, version }: Subject): string {
  return version === undefined ? name : `${name} ${version}`;
}

/** The network and version of a subject: `microblog 1.0`. */
export function protocolOf({ provider, version }: Subject): string {
  return version === undefined ? provider : `${provider} ${version}`;
}

export function isOAuth1(subject: Subject): subject is OAuth1Subject {
  return subject.oauth === '1.0a';
}

export function isOAuth2(subject: Subject): subject is OAuth2Subject {
  return subject.oauth === '2.0';
}
