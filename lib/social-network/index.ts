/**
 * The social network (VK) alone, with its classic protocol and VK ID: the factory as the default export, the strategy also as
 * `Strategy`, the records, options and addresses.
 *
 * @module passport-social-networks/social-network
 */
import type { Profile } from '../core/profile.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import type { AnyRecord, SocialNetworkProfile } from './record.js';
import {
  type SocialNetworkOptions,
  type SocialNetworkParams,
  type SocialNetworkRecord,
  SocialNetworkStrategy,
  type SocialNetworkVersion,
} from './strategy.js';

/**
 * Makes a {@link SocialNetworkStrategy}, without `new`.
 *
 * @throws TypeError for every option that cannot be used.
 */
export function socialNetwork<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
>(
  options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback?: false },
  verify: Verify<Profile<SocialNetworkRecord<P, V>>, string | undefined>,
): SocialNetworkStrategy<P, V>;
export function socialNetwork<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
>(
  options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback: true },
  verify: VerifyWithRequest<Profile<SocialNetworkRecord<P, V>>, string | undefined>,
): SocialNetworkStrategy<P, V>;
export function socialNetwork<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
>(
  options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback?: false },
  verify: VerifyWithParams<Profile<SocialNetworkRecord<P, V>>, string | undefined, SocialNetworkParams<V>>,
): SocialNetworkStrategy<P, V>;
export function socialNetwork<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
>(
  options: { version?: V } & SocialNetworkOptions<P, V> & { passReqToCallback: true },
  verify: VerifyWithRequestAndParams<
    Profile<SocialNetworkRecord<P, V>>,
    string | undefined,
    SocialNetworkParams<V>
  >,
): SocialNetworkStrategy<P, V>;
export function socialNetwork<
  P extends AnyRecord = SocialNetworkProfile,
  V extends SocialNetworkVersion = '2.0',
>(
  options: SocialNetworkOptions<P, V>,
  verify: AnyVerify<never, string | undefined, never>,
): SocialNetworkStrategy<P, V> {
  return new SocialNetworkStrategy<P, V>(options as never, verify as never);
}

export * as endpoints from './endpoints.js';
export { grantedScopes } from './fields.js';
export type { ClassicOptions } from './options.js';
export type { SocialNetworkAuthenticateOptions, VkIdPrompt } from './protocol.js';
export type {
  SocialNetworkCareer,
  SocialNetworkCity,
  SocialNetworkConnections,
  SocialNetworkContacts,
  SocialNetworkCounters,
  SocialNetworkCountry,
  SocialNetworkCropPhoto,
  SocialNetworkEducation,
  SocialNetworkExports,
  SocialNetworkFlag,
  SocialNetworkLastSeen,
  SocialNetworkMilitary,
  SocialNetworkOccupation,
  SocialNetworkPersonal,
  SocialNetworkPhoto,
  SocialNetworkPhotoImage,
  SocialNetworkPhotoSize,
  SocialNetworkProfile,
  SocialNetworkRectangle,
  SocialNetworkRelationPartner,
  SocialNetworkRelative,
  SocialNetworkSchool,
  SocialNetworkStatusAudio,
  SocialNetworkUniversity,
  VkIdProfile,
  VkIdUser,
} from './record.js';
export {
  type SocialNetworkClassicParams,
  type SocialNetworkOptions,
  type SocialNetworkParams,
  type SocialNetworkRecord,
  SocialNetworkStrategy,
  SocialNetworkStrategy as Strategy,
  type SocialNetworkVersion,
  type VkIdParams,
} from './strategy.js';
export type { VkIdOptions } from './vk-id-options.js';
// The name is for the wrapper of ES modules: what `default` means there depends on who resolves it.
export { socialNetwork as default };
