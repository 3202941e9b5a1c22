import type { VerifyValues } from '../core/login/index.js';
import type { OAuth1Params } from '../core/oauth1/index.js';
import type { TokenResponse } from '../core/oauth2/index.js';
import type { Optional } from '../core/profile.js';
import type { USER_FIELD_NAMES } from './fields.js';

/**
 * Response of the microblog network (X) to the users lookup, with the names and marks of its documentation. `profile._json` is a
 * {@link MicroblogRecord}: the same as it arrives.
 *
 * @see https://docs.x.com/x-api/users/lookup/quickstart/authenticated-lookup (read 2026-11)
 */
export interface MicroblogProfile {
  /** The user who logged in. */
  data: MicroblogUser;
  /** Objects that `expansions` asked for. */
  includes?: MicroblogIncludes;
  /** Further properties, such as `errors` for the parts that the network could not return. */
  [claims: string]: unknown;
}

/** The users lookup as it arrives (`profile._json`): an object in it has what there is to tell. */
export interface MicroblogRecord {
  data: Omit<MicroblogUser, 'entities'> & {
    /** Marked-up passages of `url` and `description`; absent if there are none. */
    entities?: { description?: Partial<MicroblogDescriptionEntities>; url?: Partial<MicroblogUrlEntities> };
  };
  includes?: MicroblogIncludes;
  [claims: string]: unknown;
}

/**
 * `profile._json` over OAuth 1.0a: the older record as the network sent it, with `data` as in OAuth 2.0 beside it.
 *
 * Only ID, name and handle are certain: an application that may not read the older record gets them from the users lookup or the token response.
 * Empty values are `''` or `null`. Members that are not named here arrive as well.
 *
 * `created_at` is such as `Sat Dec 14 04:35:55 +0000 2013`; `utc_offset` is in seconds. `email` comes with `includeEmail`, and is `null` if there
 * is no confirmed address. `url` is the website of the user behind the network's short link. Colours have six hexadecimal digits.
 * `profile_image_url` is a picture, 48 pixels wide: with `default_profile_image` the network's placeholder.
 *
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
export interface MicroblogOAuth1Record
  extends MicroblogRecord,
    Optional<string, 'created_at profile_banner_url profile_background_color profile_link_color'>,
    Optional<
      string,
      'profile_sidebar_border_color profile_sidebar_fill_color profile_text_color translator_type'
    >,
    Optional<string | null, 'description email lang location profile_background_image_url'>,
    Optional<string | null, 'profile_background_image_url_https profile_image_url profile_image_url_https'>,
    Optional<string | null, 'time_zone url'>,
    Optional<number, 'favourites_count followers_count friends_count listed_count statuses_count'>,
    Optional<boolean, 'contributors_enabled default_profile default_profile_image geo_enabled is_translator'>,
    Optional<boolean, 'needs_phone_verification profile_background_tile profile_use_background_image'>,
    Optional<boolean, 'protected suspended verified'>,
    Optional<boolean | null, 'follow_request_sent following has_extended_profile is_translation_enabled'>,
    Optional<boolean | null, 'notifications'> {
  /** The ID as JavaScript reads it, which rounds it beyond 2^53: use `id_str`. */
  id: number;
  /** The ID with every digit. */
  id_str: string;
  name: string;
  /** Handle, without `@`. */
  screen_name: string;
  entities?: MicroblogOAuth1Entities;
  utc_offset?: number | null;
  withheld_in_countries?: string[];
  /** The latest post, if the query of the option `profileURL` has `skip_status=false`. */
  status?: { id_str: string; text?: string; [member: string]: unknown };
}

/** Links in the website and the description; `indices` are the position of the first character and the one after the last. */
export interface MicroblogOAuth1Entities {
  url?: { urls: MicroblogOAuth1Url[] };
  description?: { urls: MicroblogOAuth1Url[] };
}

/** A link; the longer forms are missing or `null` if the network does not know them. */
export interface MicroblogOAuth1Url {
  url: string;
  expanded_url?: string | null;
  display_url?: string | null;
  indices: number[];
}

/**
 * The user: `id`, `name` and `username` always, everything else only if `user.fields` requested it and it has a value.
 *
 * `created_at` is ISO 8601 in UTC, such as `2013-12-14T04:35:55.000Z`; `location` is free text that need not be a place; `url` is the user's
 * website behind the network's short link, not the profile page; `profile_image_url` is 48 pixels wide. `confirmed_email` comes only with the
 * scope `users.email`, and is confirmed by the network; `verified`, the badge, says nothing about an e-mail address. The IDs of posts have two
 * names, those of the older and of the newer API description; an expansion of the same name brings the post.
 *
 * @see https://docs.x.com/x-api/fundamentals/data-dictionary (read 2026-11)
 */
export interface MicroblogUser extends Fields<'text', string>, Fields<'boolean', boolean> {
  /** Unique ID, 1 to 19 digits. A string, because newer IDs are beyond 2^53. */
  id: string;
  /** Display name: free text, changeable, not unique. */
  name: string;
  /** Handle, without `@`: 1 to 15 letters, digits or underscores; some old ones are longer. */
  username: string;
  /** E-mail address in OAuth 1.0a; the users lookup never has a field of this name. */
  email?: string;
  /** The organisation that the user belongs to. */
  affiliation?: MicroblogAffiliation;
  /** What connects the two accounts, such as `following`. */
  connection_status?: string[];
  entities?: MicroblogEntities;
  public_metrics?: MicroblogPublicMetrics;
  subscription?: { subscribes_to_you?: boolean | null };
  subscription_type?: 'Basic' | 'Premium' | 'PremiumPlus' | 'None';
  /** Documented as a number and, elsewhere, as text. */
  verified_followers_count?: number | string;
  verified_type?: 'blue' | 'business' | 'government' | 'none';
  withheld?: { country_codes?: string[] | null; scope?: string | null };
}

type Fields<Kind extends keyof typeof USER_FIELD_NAMES, Type> = Optional<
  Type,
  (typeof USER_FIELD_NAMES)[Kind][number]
>;

/** An organisation; `badge_url` is its picture. */
export interface MicroblogAffiliation extends Optional<string | null, 'badge_url description url'> {
  user_id?: string | string[] | null;
}

/** Numbers of an account. `post_count` is the newer name of `tweet_count`. */
export type MicroblogPublicMetrics = Optional<
  number | null,
  'followers_count following_count like_count listed_count media_count post_count tweet_count'
>;

/** Links, hashtags, cashtags and mentions in the profile. */
export interface MicroblogEntities {
  /** Passages of the user's description. */
  description: MicroblogDescriptionEntities;
  /** Details of the user's website. */
  url: MicroblogUrlEntities;
}

/** A passage: zero-based positions of its first character, and of the one after its last. */
export interface MicroblogPassage {
  start: number;
  end: number;
}

/** Passages of the description. */
export interface MicroblogDescriptionEntities {
  hashtags: MicroblogHashtag[];
  cashtags?: MicroblogHashtag[];
  mentions?: (MicroblogPassage & { username: string; id?: string })[];
  urls?: MicroblogUrl[];
}

/** A hashtag or cashtag; `tag` is its text without the sign. */
export interface MicroblogHashtag extends MicroblogPassage {
  tag: string;
}

/** Details of the website in the user's profile. */
export interface MicroblogUrlEntities {
  urls: MicroblogUrl[];
}

/** A link: `url` is the network's short one, `expanded_url` where it leads, `display_url` as the page shows it. */
export interface MicroblogUrl extends MicroblogPassage {
  url: string;
  expanded_url: string;
  display_url: string;
}

/** Objects that the request's `expansions` asked for. */
export interface MicroblogIncludes {
  /** Posts, the pinned one among them, also where the network says `posts`. */
  tweets?: MicroblogTweet[];
  /** The same, as the newer API description calls them. */
  posts?: MicroblogTweet[];
  /** Accounts, with the expansion `affiliation` or `affiliation.user_id`. */
  users?: MicroblogUser[];
}

/** A post: `id` and `text` always, everything else only if `tweet.fields` requested it. IDs are digits, times ISO 8601. */
export interface MicroblogTweet
  extends Optional<string, 'author_id card_uri community_id conversation_id created_at in_reply_to_user_id'>,
    Optional<string, 'lang reply_settings source'>,
    Optional<object, 'article attachments edit_controls entities geo non_public_metrics note_tweet'>,
    Optional<object, 'organic_metrics promoted_metrics public_metrics scopes withheld'>,
    Optional<object[], 'context_annotations media_metadata referenced_tweets suggested_source_links'>,
    Optional<object[], 'suggested_source_links_with_counts'> {
  id: string;
  text: string;
  possibly_sensitive?: boolean;
  display_text_range?: number[];
  edit_history_tweet_ids?: string[];
}

/** The protocols of the network: OAuth 1.0a and OAuth 2.0. */
export type MicroblogVersion = '1.0' | '2.0';

/** The OAuth 1.0a access-token response, as verify gets it. Tokens do not expire. */
export type MicroblogOAuth1Params = OAuth1Params & {
  /** The user's ID, digits. */
  readonly user_id?: string;
  /** The user's handle. */
  readonly screen_name?: string;
};

/** What verify gets with OAuth 1.0a, which has no refresh tokens: in the place of one, the token secret. */
export type MicroblogOAuth1Values = VerifyValues<MicroblogOAuth1Record, MicroblogOAuth1Params, string>;

/** The OAuth 2.0 token response, as verify gets it. */
export interface MicroblogOAuth2Params extends TokenResponse {
  /** `bearer`. */
  readonly token_type: string;
  /** Seconds until the access token expires. */
  readonly expires_in: number;
  /** The granted scopes, joined with spaces, in the network's own order. */
  readonly scope: string;
}

/** What verify gets with OAuth 2.0: a refresh token only with the scope `offline.access`. */
export type MicroblogOAuth2Values = VerifyValues<MicroblogRecord, MicroblogOAuth2Params>;

/** The token response of one version. */
export type MicroblogParams<V extends MicroblogVersion = MicroblogVersion> = V extends '1.0'
  ? MicroblogOAuth1Params
  : MicroblogOAuth2Params;

/** What verify gets in one version. */
export type MicroblogValues<V extends MicroblogVersion = MicroblogVersion> = V extends '1.0'
  ? MicroblogOAuth1Values
  : MicroblogOAuth2Values;
