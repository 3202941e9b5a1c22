import { property } from '../core/http/index.js';
import { scopeList } from '../core/oauth2/index.js';
import { namesIn } from '../core/profile.js';
import { EMAIL_SCOPE, SCOPE_BITS } from './facts.js';

/** Always requested: the record's only required field that does not come by itself. */
export const BASE_FIELD = 'photo_100';

/**
 * `fields` of `users.get`, by the type of their values: the members of the record that come only if requested. There is no e-mail address: it is
 * in the token response only.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export const FIELD_NAMES = {
  text: [
    'about activities bdate books domain games home_town interests maiden_name movies music nickname quotes',
    'first_name_abl first_name_acc first_name_dat first_name_gen first_name_ins first_name_nom',
    'last_name_abl last_name_acc last_name_dat last_name_gen last_name_ins last_name_nom',
    'photo_100 photo_200 photo_200_orig photo_400 photo_400_orig photo_50 photo_id photo_max photo_max_orig',
    'screen_name site status tv',
  ],
  number: ['common_count followers_count online_app timezone'],
  flag: [
    'blacklisted blacklisted_by_me can_post can_see_all_posts can_see_audio can_send_friend_request',
    'can_write_private_message has_mobile has_photo is_favorite is_friend is_hidden_from_feed online',
    'online_mobile trending verified wall_comments',
  ],
  other: [
    'career city connections contacts counters country crop_photo education exports friend_status is_no_index',
    'last_seen military occupation personal relation relation_partner relatives schools sex status_audio',
    'universities wall_default',
  ],
} as const;

export const FIELDS: readonly string[] = namesIn(Object.values(FIELD_NAMES).flat());

/** What to write -> for which names of a profile or of another package. */
export const FIELD_NOTES = {
  'The profile always has it: leave it out': 'id uid name displayName first_name last_name',
  'It is in the token response: set includeEmail: true': 'email emails',
  connections: 'skype',
  contacts: 'mobile_phone home_phone',
  education: 'university university_name',
  photo_200: 'photo photos',
  screen_name: 'username',
  sex: 'gender',
};

/** Adds the scope of the e-mail address: its name or, if the scope is a bit mask, its bit. */
export function withEmailScope(scope: readonly string[]): string[] {
  const [mask] = scope;
  if (scope.length === 1 && mask !== undefined && /^\d+$/.test(mask))
    return [String(Number(mask) | (SCOPE_BITS[EMAIL_SCOPE] ?? 0))];
  return [...new Set([...scope, EMAIL_SCOPE])];
}

/** The scopes that the user granted, from the token response (`params` of verify). Empty if it has none: then the requested ones are granted. */
export function grantedScopes(params: object): string[] {
  const scope = property(params, 'scope');
  const isMask = typeof scope === 'number' || (typeof scope === 'string' && /^\d+$/.test(scope));
  if (!isMask) return scopeList(typeof scope === 'string' ? scope : undefined);
  return Object.keys(SCOPE_BITS).filter((name) => (Number(scope) & (SCOPE_BITS[name] ?? 0)) !== 0);
}
