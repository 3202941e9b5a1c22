import { textMember } from '../core/answer.js';
import { type MappedProfile, type ProfileName, photosFrom, withoutAbsent } from '../core/profile.js';
import type { SocialNetworkProfile } from './record.js';

/**
 * Maps the social network's record (classic protocol) onto a Passport profile.
 *
 * | record                                      | profile                             | shape                                                  |
 * | ------------------------------------------- | ----------------------------------- | ------------------------------------------------------ |
 * | `id`                                        | `id`                                | digits                                                 |
 * | `first_name`, `last_name`                   | `displayName`, `name`               | free text; the last name may be empty                  |
 * | `nickname`                                  | `name.middleName`                   | patronymic or second name                              |
 * | `screen_name`, else `domain`                | `username`                          | the short address, `id<number>` where none was chosen  |
 * | `sex`                                       | `gender`                            | 1 female, 2 male, 0 unknown                            |
 * | `photo_max`, else `photo_200`, `photo_100`  | `photos[0].value`                   | http(s) address; placeholders of the network left out  |
 * | `screen_name`, else `id`                    | `profileUrl`                        | `https://vk.ru/<screen_name or id123>`                 |
 * | token answer's `email`                      | `emails[0].value`                   | no `verified`: the network does not say                |
 *
 * @param email - From the token answer.
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export function mapProfile(
  record: SocialNetworkProfile,
  id: string,
  email: string | undefined,
): MappedProfile {
  const username = textMember(record, 'screen_name') ?? textMember(record, 'domain');
  return {
    id,
    ...nameOf(record, textMember(record, 'nickname')),
    ...withoutAbsent<Partial<MappedProfile>>({
      username,
      gender: genderOf(record.sex),
      emails: email === undefined ? undefined : [{ value: email }],
      ...photosFrom(...[record.photo_max, record.photo_200, record.photo_100].filter(isPicture)),
      profileUrl: `https://vk.ru/${encodeURIComponent((username ?? `id${id}`).toWellFormed())}`,
    }),
  };
}

/** What both protocols' records make of a name. */
export function nameOf(record: object, middleName?: string): Pick<MappedProfile, 'displayName' | 'name'> {
  const givenName = textMember(record, 'first_name');
  const familyName = textMember(record, 'last_name');
  const name = withoutAbsent<ProfileName>({ familyName, givenName, middleName });
  return {
    displayName: [givenName, familyName].filter(Boolean).join(' '),
    ...(Object.keys(name).length > 0 && { name }),
  };
}

export function genderOf(sex: unknown): 'female' | 'male' | undefined {
  if (sex === 1) return 'female';
  return sex === 2 ? 'male' : undefined;
}

/** The network shows a drawing of a camera, or of a crossed-out face, where there is no picture. */
export function isPicture(address: unknown): boolean {
  return typeof address === 'string' && !/\/(camera|deactivated)_[^/]*$/.test(address);
}
