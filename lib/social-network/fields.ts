import { property } from '../core/http/index.js';
import { scopeList } from '../core/oauth2/index.js';
import { EMAIL_SCOPE, SCOPE_BITS } from './facts.js';

/** Always requested: the record's only required field that does not come by itself. */
export const BASE_FIELD = 'photo_100';

/**
 * `fields` of `users.get`: the members of the record that come only if requested, each with the kind of its value. There is no e-mail address:
 * it is in the token response only.
 *
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export const FIELD_KINDS = {
  about: 'text',
  activities: 'text',
  /** `D.M.YYYY`, or `D.M` when the user hides the year. */
  bdate: 'text',
  blacklisted: 'flag',
  blacklisted_by_me: 'flag',
  books: 'text',
  can_post: 'flag',
  can_see_all_posts: 'flag',
  can_see_audio: 'flag',
  can_send_friend_request: 'flag',
  can_write_private_message: 'flag',
  career: 'careers',
  city: 'place',
  /** Friends in common with the viewer. */
  common_count: 'number',
  connections: 'connections',
  contacts: 'contacts',
  counters: 'counters',
  country: 'place',
  crop_photo: 'cropPhoto',
  domain: 'text',
  education: 'education',
  exports: 'exports',
  /** First name in the prepositional case. */
  first_name_abl: 'text',
  first_name_acc: 'text',
  first_name_dat: 'text',
  first_name_gen: 'text',
  first_name_ins: 'text',
  first_name_nom: 'text',
  followers_count: 'number',
  /** 0 no friend of the viewer, 1 request sent, 2 request received, 3 friend. */
  friend_status: 'friendStatus',
  games: 'text',
  has_mobile: 'flag',
  has_photo: 'flag',
  home_town: 'text',
  interests: 'text',
  is_favorite: 'flag',
  is_friend: 'flag',
  is_hidden_from_feed: 'flag',
  /** Whether the page is kept from search engines. */
  is_no_index: 'noIndex',
  /** Last name in the prepositional case. */
  last_name_abl: 'text',
  last_name_acc: 'text',
  last_name_dat: 'text',
  last_name_gen: 'text',
  last_name_ins: 'text',
  last_name_nom: 'text',
  last_seen: 'lastSeen',
  maiden_name: 'text',
  military: 'military',
  movies: 'text',
  music: 'text',
  /** Patronymic or second name. */
  nickname: 'text',
  occupation: 'occupation',
  online: 'flag',
  online_app: 'number',
  online_mobile: 'flag',
  personal: 'personal',
  /** Pictures by width in pixels, square ones and, with `_orig`, uncut ones; a placeholder when the user has none. */
  photo_100: 'text',
  /** Missing when the picture is smaller. */
  photo_200: 'text',
  photo_200_orig: 'text',
  photo_400: 'text',
  photo_400_orig: 'text',
  photo_50: 'text',
  /** `<owner>_<photo>`, such as `6492_192164258`. */
  photo_id: 'text',
  photo_max: 'text',
  photo_max_orig: 'text',
  quotes: 'text',
  /** 0 not given, 1 single, 2 in a relationship, 3 engaged, 4 married, 5 complicated, 6 searching, 7 in love, 8 in a civil union. */
  relation: 'relation',
  relation_partner: 'partner',
  relatives: 'relatives',
  schools: 'schools',
  /** Short address of the page; `id` and the ID where the user chose none. */
  screen_name: 'text',
  /** 1 female, 2 male, 0 not given, -1 for some banned accounts. */
  sex: 'sex',
  site: 'text',
  status: 'text',
  status_audio: 'audio',
  /** Hours from UTC, sent to the user themselves only. */
  timezone: 'number',
  trending: 'flag',
  tv: 'text',
  universities: 'universities',
  /** Whether the page has the network's tick; says nothing about an e-mail address. */
  verified: 'flag',
  wall_comments: 'flag',
  wall_default: 'wall',
} as const;

export const FIELDS: readonly string[] = Object.keys(FIELD_KINDS);

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
  mobile_phone: 'contacts',
  home_phone: 'contacts',
  skype: 'connections',
  university: 'education',
  university_name: 'education',
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
