/**
 * The short-video network (TikTok) alone: the factory as the default export, the strategy also as `Strategy`, its record, options
 * and addresses.
 *
 * @module passport-social-networks/short-video
 */
import type { Profile } from '../core/profile.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import type { ShortVideoOptions } from './options.js';
import type { ShortVideoProfile } from './record.js';
import { type ShortVideoParams, ShortVideoStrategy } from './strategy.js';

/**
 * Makes a {@link ShortVideoStrategy}, without `new`.
 *
 * @throws TypeError for every option that cannot be used.
 */
export function shortVideo<P extends ShortVideoProfile = ShortVideoProfile>(
  options: ShortVideoOptions<P> & { passReqToCallback?: false },
  verify: Verify<Profile<P>, string>,
): ShortVideoStrategy<P>;
export function shortVideo<P extends ShortVideoProfile = ShortVideoProfile>(
  options: ShortVideoOptions<P> & { passReqToCallback: true },
  verify: VerifyWithRequest<Profile<P>, string>,
): ShortVideoStrategy<P>;
export function shortVideo<P extends ShortVideoProfile = ShortVideoProfile>(
  options: ShortVideoOptions<P> & { passReqToCallback?: false },
  verify: VerifyWithParams<Profile<P>, string, ShortVideoParams>,
): ShortVideoStrategy<P>;
export function shortVideo<P extends ShortVideoProfile = ShortVideoProfile>(
  options: ShortVideoOptions<P> & { passReqToCallback: true },
  verify: VerifyWithRequestAndParams<Profile<P>, string, ShortVideoParams>,
): ShortVideoStrategy<P>;
export function shortVideo<P extends ShortVideoProfile = ShortVideoProfile>(
  options: ShortVideoOptions<P>,
  verify: AnyVerify<Profile<P>, string, ShortVideoParams>,
): ShortVideoStrategy<P> {
  return new ShortVideoStrategy<P>(options as never, verify as never);
}

export * as endpoints from './endpoints.js';
export { grantedScopes } from './fields.js';
export type { ShortVideoAuthenticateOptions, ShortVideoOptions } from './options.js';
export type {
  ShortVideoData,
  ShortVideoError,
  ShortVideoProfile,
  ShortVideoUser,
} from './record.js';
export { type ShortVideoParams, ShortVideoStrategy, ShortVideoStrategy as Strategy } from './strategy.js';
// The name is for the wrapper of ES modules: what `default` means there depends on who resolves it.
export { shortVideo as default };
