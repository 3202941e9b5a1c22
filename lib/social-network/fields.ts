import { member } from '../core/answer.js';
import { scopeList } from '../core/tokens.js';

/** Gives the e-mail address, in the token answer. */
export const EMAIL_SCOPE = 'email';

/** The classic protocol's scopes as bits of a mask. @see https://dev.vk.com/en/reference/access-rights (read 2026-11) */
const SCOPE_BITS: Readonly<Record<string, number>> = {
  notify: 1,
  friends: 2,
  photos: 4,
  audio: 8,
  video: 16,
  pages: 32,
  link: 256,
  status: 1024,
  notes: 2048,
  messages: 4096,
  wall: 8192,
  ads: 32_768,
  offline: 65_536,
  docs: 131_072,
  groups: 262_144,
  notifications: 524_288,
  stats: 1_048_576,
  [EMAIL_SCOPE]: 4_194_304,
  market: 134_217_728,
};

/** Always asked for: the record's one required member that does not come by itself. */
export const BASE_FIELD = 'photo_100';

/**
 * `fields` of `users.get`: the members of the record that come only when asked for. An e-mail address is not among them: it is
 * in the token answer only.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export const FIELDS: readonly string[] = [
  'about',
  'activities',
  'bdate',
  'blacklisted',
  'blacklisted_by_me',
  'books',
  'can_post',
  'can_see_all_posts',
  'can_see_audio',
  'can_send_friend_request',
  'can_write_private_message',
  'career',
  'city',
  'common_count',
  'connections',
  'contacts',
  'counters',
  'country',
  'crop_photo',
  'domain',
  'education',
  'exports',
  'first_name_abl',
  'first_name_acc',
  'first_name_dat',
  'first_name_gen',
  'first_name_ins',
  'first_name_nom',
  'followers_count',
  'friend_status',
  'games',
  'has_mobile',
  'has_photo',
  'home_town',
  'interests',
  'is_favorite',
  'is_friend',
  'is_hidden_from_feed',
  'is_no_index',
  'last_name_abl',
  'last_name_acc',
  'last_name_dat',
  'last_name_gen',
  'last_name_ins',
  'last_name_nom',
  'last_seen',
  'maiden_name',
  'military',
  'movies',
  'music',
  'nickname',
  'occupation',
  'online',
  'online_app',
  'online_mobile',
  'personal',
  'photo_100',
  'photo_200',
  'photo_200_orig',
  'photo_400',
  'photo_400_orig',
  'photo_50',
  'photo_id',
  'photo_max',
  'photo_max_orig',
  'quotes',
  'relation',
  'relation_partner',
  'relatives',
  'schools',
  'screen_name',
  'sex',
  'site',
  'status',
  'status_audio',
  'timezone',
  'trending',
  'tv',
  'universities',
  'verified',
  'wall_default',
];

/** Adds the scope for the e-mail address to names or, where the scope is a bit mask, its bit. */
export function withEmailScope(scope: readonly string[]): string[] {
  const [mask] = scope;
  if (scope.length === 1 && mask !== undefined && /^\d+$/.test(mask))
    return [String(Number(mask) | (SCOPE_BITS[EMAIL_SCOPE] ?? 0))];
  return [...new Set([...scope, EMAIL_SCOPE])];
}

/**
 * The scopes that a person granted, of the token answer that verify gets as `params`: texts joined with spaces in VK ID, a bit mask
 * where the classic protocol sends one. Its documented answers have none: then what was asked for was granted.
 */
export function grantedScopes(params: object): string[] {
  const scope = member(params, 'scope');
  const isMask = typeof scope === 'number' || (typeof scope === 'string' && /^\d+$/.test(scope));
  if (!isMask) return scopeList(typeof scope === 'string' ? scope : undefined);
  return Object.keys(SCOPE_BITS).filter((name) => (Number(scope) & (SCOPE_BITS[name] ?? 0)) !== 0);
}
