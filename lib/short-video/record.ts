/**
 * Response of the short-video network (TikTok) to the user-info request, with the names and marks of its documentation. `profile._json` is a
 * {@link ShortVideoRecord}: the same as it arrives.
 *
 * `data` may be empty or missing when `error.code` is anything but `ok`: look at `error` first.
 *
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11)
 */
// biome-ignore lint/suspicious/noExplicitAny: an app may declare further members of its own, of any type.
export interface ShortVideoProfile extends Record<string, any> {
  /** Envelope around the user. */
  data: ShortVideoData;
  /** Outcome of the request; present on success too. */
  error: ShortVideoError;
}

/** The response as it arrives (`profile._json`): of the user, only the ID is certain. What else there is depends on the granted scopes. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export interface ShortVideoRecord extends Record<string, any> {
  data: { user: Pick<ShortVideoUser, 'open_id'> & Partial<ShortVideoUser> };
  error?: ShortVideoError;
}

/** `profile._json`, unless the application names a type of its own. */
export type ShortVideoRecordOf<P extends ShortVideoProfile> = [P, ShortVideoProfile] extends [
  ShortVideoProfile,
  P,
]
  ? ShortVideoRecord
  : P;

/** Envelope in which the user-info request returns the user. */
export interface ShortVideoData {
  /** The user who logged in. */
  user: ShortVideoUser;
}

/** The user. A required member is missing all the same when its field was not asked for, or its scope was not granted. */
export interface ShortVideoUser {
  /** The user within this app: opaque, case-sensitive string that may begin with `-`; a different one in every app. */
  open_id: string;
  /** The user across all apps of one developer, where `open_id` differs; may be absent, so never the only key. */
  union_id?: string;
  /** Profile name: free text, changeable, not unique. */
  display_name: string;
  /** Handle, without `@`; changeable, and sent only when `user.info.profile` was granted. */
  username: string;
  /** Never sent: the network has no e-mail address to give, so nothing may rely on it. */
  email?: string;
  /** Profile image: signed https URL that expires within days; its query must be kept byte for byte. */
  avatar_url: string;
  /** Profile image of 100x100 pixels, a URL like `avatar_url`. */
  avatar_url_100?: string;
  /** Profile image in higher resolution, a URL like `avatar_url`; requested together with `avatar_url_100`. */
  avatar_large_url?: string;
  /** Text the user wrote about themselves, when there is a valid one. */
  bio_description?: string;
  /** URL of the user's profile page. */
  profile_deep_link?: string;
  /** Whether the network gave the account its badge; says nothing about an e-mail address. */
  is_verified?: boolean;
  /** Accounts that follow the user, an integer. */
  follower_count?: number;
  /** Accounts that the user follows, an integer. */
  following_count?: number;
  /** Likes received across all videos of the user, an integer. */
  likes_count?: number;
  /** Publicly posted videos, an integer. */
  video_count?: number;
}

/** Outcome in every response of the network's API. @see https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11) */
export interface ShortVideoError {
  /** Category: `ok` on success, else for example `access_token_invalid` or `scope_not_authorized`. */
  code: string;
  /** Explanation for developers; empty on success. */
  message: string;
  /** The network's identifier of the request, to quote to its support. */
  log_id: string;
}
