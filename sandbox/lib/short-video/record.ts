import type { SandboxPerson } from '../core/people.js';
import type { World } from '../core/world.js';

/** Name of a field of the user record. */
export type ShortVideoField = keyof typeof FIELDS;

/** The scope of each field. @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11) */
const FIELDS = {
  open_id: 'user.info.basic',
  union_id: 'user.info.basic',
  avatar_url: 'user.info.basic',
  avatar_url_100: 'user.info.basic',
  avatar_large_url: 'user.info.basic',
  display_name: 'user.info.basic',
  username: 'user.info.profile',
  bio_description: 'user.info.profile',
  profile_deep_link: 'user.info.profile',
  is_verified: 'user.info.profile',
  follower_count: 'user.info.stats',
  following_count: 'user.info.stats',
  likes_count: 'user.info.stats',
  video_count: 'user.info.stats',
} as const;

/** Fields of `user.info.basic` that may come with `user.info.profile` alone. */
const ALSO_IN_PROFILE = ['open_id', 'union_id', 'avatar_url', 'avatar_large_url', 'display_name'];

/** Whether the user record has a field of this name. */
export const isShortVideoField = (name: string): name is ShortVideoField => Object.hasOwn(FIELDS, name);

/** The scope that a field needs. */
export const shortVideoScope = (field: ShortVideoField): string => FIELDS[field];

/** Whether a field may come without its own scope, given the granted ones. */
export const mayComeWithout = (field: ShortVideoField, granted: readonly string[]): boolean =>
  granted.includes('user.info.profile') && ALSO_IN_PROFILE.includes(field);

/** The user record, with the requested fields. The network has no e-mail address. */
export function shortVideoUser(world: World, person: SandboxPerson, fields: readonly ShortVideoField[]) {
  const everything: Partial<Record<ShortVideoField, unknown>> = {
    open_id: person.openId,
    ...(person.unionId && { union_id: person.unionId }),
    avatar_url: world.picture(person) ?? '',
    avatar_url_100: world.picture(person, 100) ?? '',
    avatar_large_url: world.picture(person, 720) ?? '',
    display_name: person.displayName,
    username: person.handle,
    ...(person.description && { bio_description: person.description }),
    profile_deep_link: `${world.url}/short-video/@${person.handle}`,
    is_verified: person.verified ?? false,
    follower_count: 1200,
    following_count: 34,
    likes_count: 56000,
    video_count: 78,
  };
  return Object.fromEntries(
    fields.flatMap((field) => (field in everything ? [[field, everything[field]]] : [])),
  );
}
