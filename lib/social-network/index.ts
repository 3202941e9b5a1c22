import type { Profile } from '../core/profile.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import type { SocialNetworkOptions } from './options.js';
import type { SocialNetworkProfile } from './record.js';
import { type SocialNetworkParams, SocialNetworkStrategy } from './strategy.js';

/**
 * Makes a {@link SocialNetworkStrategy}, without `new`.
 *
 * @throws TypeError for every option that cannot be used.
 */
// biome-ignore lint/suspicious/noExplicitAny: the record's type is the application's to name.
export default function socialNetwork<P extends Record<string, any> = SocialNetworkProfile>(
  options: SocialNetworkOptions<P> & { passReqToCallback?: false },
  verify: Verify<Profile<P>, string | undefined>,
): SocialNetworkStrategy<P>;
// biome-ignore lint/suspicious/noExplicitAny: the record's type is the application's to name.
export default function socialNetwork<P extends Record<string, any> = SocialNetworkProfile>(
  options: SocialNetworkOptions<P> & { passReqToCallback: true },
  verify: VerifyWithRequest<Profile<P>, string | undefined>,
): SocialNetworkStrategy<P>;
// biome-ignore lint/suspicious/noExplicitAny: the record's type is the application's to name.
export default function socialNetwork<P extends Record<string, any> = SocialNetworkProfile>(
  options: SocialNetworkOptions<P> & { passReqToCallback?: false },
  verify: VerifyWithParams<Profile<P>, string | undefined, SocialNetworkParams>,
): SocialNetworkStrategy<P>;
// biome-ignore lint/suspicious/noExplicitAny: the record's type is the application's to name.
export default function socialNetwork<P extends Record<string, any> = SocialNetworkProfile>(
  options: SocialNetworkOptions<P> & { passReqToCallback: true },
  verify: VerifyWithRequestAndParams<Profile<P>, string | undefined, SocialNetworkParams>,
): SocialNetworkStrategy<P>;
// biome-ignore lint/suspicious/noExplicitAny: the record's type is the application's to name.
export default function socialNetwork<P extends Record<string, any> = SocialNetworkProfile>(
  options: SocialNetworkOptions<P>,
  verify: AnyVerify<Profile<P>, string | undefined, SocialNetworkParams>,
): SocialNetworkStrategy<P> {
  return new SocialNetworkStrategy<P>(options as never, verify as never);
}

export * as endpoints from './endpoints.js';
export type { SocialNetworkOptions } from './options.js';
export type { SocialNetworkAuthenticateOptions } from './protocol.js';
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
} from './record.js';
export {
  type SocialNetworkParams,
  SocialNetworkStrategy,
  SocialNetworkStrategy as Strategy,
} from './strategy.js';
