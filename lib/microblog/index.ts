/**
 * The microblog network (X) alone, with OAuth 2.0 and OAuth 1.0a: the factory as the default export, the strategies, the record, the
 * options and the addresses.
 *
 * @module passport-social-networks/microblog
 */
import type { Profile } from '../core/profile.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import type { MicroblogProfile } from './record.js';
import {
  type MicroblogOptions,
  type MicroblogParams,
  type MicroblogRefresh,
  MicroblogStrategy,
  type MicroblogVersion,
} from './strategy.js';

/** @inline */
type Person = Profile<MicroblogProfile>;

/**
 * Makes a {@link MicroblogStrategy}, without `new`.
 *
 * @throws TypeError for every option that cannot be used.
 */
export function microblog<V extends MicroblogVersion = '2.0'>(
  config: { version?: V } & MicroblogOptions<V> & { passReqToCallback?: false },
  verify: Verify<Person, MicroblogRefresh<V>>,
): MicroblogStrategy<V>;
export function microblog<V extends MicroblogVersion = '2.0'>(
  config: { version?: V } & MicroblogOptions<V> & { passReqToCallback: true },
  verify: VerifyWithRequest<Person, MicroblogRefresh<V>>,
): MicroblogStrategy<V>;
export function microblog<V extends MicroblogVersion = '2.0'>(
  config: { version?: V } & MicroblogOptions<V> & { passReqToCallback?: false },
  verify: VerifyWithParams<Person, MicroblogRefresh<V>, MicroblogParams<V>>,
): MicroblogStrategy<V>;
export function microblog<V extends MicroblogVersion = '2.0'>(
  config: { version?: V } & MicroblogOptions<V> & { passReqToCallback: true },
  verify: VerifyWithRequestAndParams<Person, MicroblogRefresh<V>, MicroblogParams<V>>,
): MicroblogStrategy<V>;
export function microblog<V extends MicroblogVersion = '2.0'>(
  config: MicroblogOptions<V>,
  verify: AnyVerify<Person, MicroblogRefresh<V>, MicroblogParams<V>>,
): MicroblogStrategy<V> {
  return new MicroblogStrategy<V>(config as never, verify as never);
}

export * as endpoints from './endpoints.js';
export { grantedScopes } from './fields.js';
export { type MicroblogOAuth1Params, MicroblogOAuth1Strategy } from './oauth1.js';
export type { MicroblogOAuth1Options } from './oauth1-options.js';
export { type MicroblogOAuth2Params, MicroblogOAuth2Strategy } from './oauth2.js';
export type { MicroblogOAuth2Options } from './oauth2-options.js';
export type { MicroblogAuthenticateOptions, MicroblogFieldOptions } from './options.js';
export type {
  MicroblogDescriptionEntities,
  MicroblogEntities,
  MicroblogHashtag,
  MicroblogIncludes,
  MicroblogProfile,
  MicroblogTweet,
  MicroblogUrl,
  MicroblogUrlEntities,
  MicroblogUser,
} from './record.js';
export {
  type MicroblogOptions,
  type MicroblogParams,
  type MicroblogRefresh,
  MicroblogStrategy,
  MicroblogStrategy as Strategy,
  type MicroblogVersion,
} from './strategy.js';
// The name is for the wrapper of ES modules: what `default` means there depends on who resolves it.
export { microblog as default };
