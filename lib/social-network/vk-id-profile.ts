import { textMember } from '../core/answer.js';
import { type MappedProfile, photosFrom, withoutAbsent } from '../core/profile.js';
import { genderOf, isPicture, nameOf } from './profile.js';
import type { VkIdProfile } from './record.js';

/**
 * Maps VK ID's record onto a Passport profile.
 *
 * | record                                                       | profile               | shape                                              |
 * | ------------------------------------------------------------ | --------------------- | -------------------------------------------------- |
 * | `user.user_id`                                               | `id`                  | digits                                             |
 * | `user.first_name`, `user.last_name`                          | `displayName`, `name` | free text                                          |
 * | `user.sex`                                                   | `gender`              | 1 female, 2 male, 0 unknown                        |
 * | `user.email`                                                 | `emails[0].value`     | no `verified`: `user.verified` is about the account |
 * | `lookup.photo_max`, `photo_200`, `photo_100`, `user.avatar`  | `photos[0].value`     | the first picture                                  |
 * | `lookup.screen_name`                                         | `username`            | with `profileFields: ['screen_name']`              |
 * | `lookup.screen_name`, else `user.user_id`                    | `profileUrl`          | `https://vk.ru/<screen_name or id123>`             |
 *
 * @param mayEmail - Whether the scope `email` was granted.
 */
export function mapVkIdProfile({ user, lookup }: VkIdProfile, id: string, mayEmail: boolean): MappedProfile {
  const username = textMember(lookup, 'screen_name');
  const email = mayEmail ? textMember(user, 'email') : undefined;
  const pictures = [lookup?.photo_max, lookup?.photo_200, lookup?.photo_100, user.avatar];
  return {
    id,
    ...nameOf(user),
    ...withoutAbsent<Partial<MappedProfile>>({
      username,
      gender: genderOf(user.sex),
      emails: email === undefined ? undefined : [{ value: email }],
      ...photosFrom(...pictures.filter(isPicture)),
      profileUrl: `https://vk.ru/${encodeURIComponent((username ?? `id${id}`).toWellFormed())}`,
    }),
  };
}
