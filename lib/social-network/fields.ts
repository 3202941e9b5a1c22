import { property } from '../core/http/index.js';
import { scopeList } from '../core/oauth2/index.js';
import { EMAIL_SCOPE, SCOPE_BITS } from './facts.js';
import type { SocialNetworkProfile } from './record.js';

/** Always requested: the record's only required field that does not come by itself. */
export const BASE_FIELD = 'photo_100';

/**
 * `fields` of `users.get`: the fields of the record that come only if requested. There is no e-mail address: it is in the token response
 * only.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export const FIELDS = [
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
] as const satisfies readonly (keyof SocialNetworkProfile)[];

const ALWAYS = 'The profile always has it: leave it out';
const EMAIL = 'It is in the token response: set includeEmail: true';

/** What to write for the names that a profile or another package has. */
export const FIELD_NOTES: Readonly<Record<string, string>> = {
  id: ALWAYS,
  uid: ALWAYS,
  name: ALWAYS,
  displayName: ALWAYS,
  first_name: ALWAYS,
  last_name: ALWAYS,
  email: EMAIL,
  emails: EMAIL,
  gender: 'sex',
  username: 'screen_name',
  photo: 'photo_200',
  photos: 'photo_200',
};

/** Adds the scope of the e-mail address: its name or, if the scope is a bit mask, its bit. */
export function withEmailScope(scope: readonly string[]): string[] {
  const [mask] = scope;
  if (scope.length === 1 && mask !== undefined && /^\d+$/.test(mask))
    return [String(Number(mask) | (SCOPE_BITS[EMAIL_SCOPE] ?? 0))];
  return [...new Set([...scope, EMAIL_SCOPE])];
}

/**
 * The scopes that the user granted, from the token response (`params` of verify): joined with spaces in VK ID; in the classic protocol a bit
 * mask, if it is there. The documented responses have none: then the requested scopes are granted.
 */
export function grantedScopes(params: object): string[] {
  const scope = property(params, 'scope');
  const isMask = typeof scope === 'number' || (typeof scope === 'string' && /^\d+$/.test(scope));
  if (!isMask) return scopeList(typeof scope === 'string' ? scope : undefined);
  return Object.keys(SCOPE_BITS).filter((name) => (Number(scope) & (SCOPE_BITS[name] ?? 0)) !== 0);
}
