import type { VerifyValues } from '../core/login/index.js';
import type { TokenResponse } from '../core/oauth2/index.js';
import type { Optional, RecordOf } from '../core/profile.js';

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
export type ShortVideoRecordOf<P extends ShortVideoProfile> = RecordOf<
  P,
  ShortVideoProfile,
  ShortVideoRecord
>;

/** Envelope in which the user-info request returns the user. */
export interface ShortVideoData {
  /** The user who logged in. */
  user: ShortVideoUser;
}

/**
 * The user. A required member is missing all the same when its field was not asked for, or its scope was not granted.
 *
 * The network has no e-mail address to give: `email` is never sent, and nothing may rely on it. `username`, the handle without `@`, and
 * `display_name` can change. Pictures are signed https URLs that expire within days, whose query must be kept byte for byte; `avatar_url_100` has
 * 100x100 pixels. `is_verified`, the network's badge, says nothing about an e-mail address. Numbers are integers.
 */
export interface ShortVideoUser
  extends Optional<string, 'avatar_large_url avatar_url_100 bio_description email profile_deep_link'>,
    Optional<number, 'follower_count following_count likes_count video_count'> {
  /** The user within this app: opaque, case-sensitive string that may begin with `-`; a different one in every app. */
  open_id: string;
  /** The user across all apps of one developer, where `open_id` differs; may be absent, so never the only key. */
  union_id?: string;
  display_name: string;
  username: string;
  avatar_url: string;
  is_verified?: boolean;
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

/** The token response, as verify gets it. */
export interface ShortVideoParams extends TokenResponse {
  /** The user's ID in this application. */
  readonly open_id: string;
  /** The granted scopes, joined with commas: a user can untick some. */
  readonly scope: string;
  /** Seconds until the access token expires. */
  readonly expires_in: number;
  /** Seconds until the refresh token expires. */
  readonly refresh_expires_in: number;
  /** Works once: each refresh brings a new one. Confidential. */
  readonly refresh_token: string;
  /** `Bearer`. */
  readonly token_type: string;
}

/** What verify gets. */
export type ShortVideoValues<P extends ShortVideoProfile = ShortVideoProfile> = VerifyValues<
  ShortVideoRecordOf<P>,
  ShortVideoParams,
  string
>;
