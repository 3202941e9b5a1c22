import type { USER_FIELD_KINDS } from './fields.js';

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
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
export interface MicroblogOAuth1Record extends MicroblogRecord {
  /** The ID as JavaScript reads it, which rounds it beyond 2^53: use `id_str`. */
  id: number;
  /** The ID with every digit. */
  id_str: string;
  name: string;
  /** Handle, without `@`. */
  screen_name: string;
  /** When the account was made, such as `Sat Dec 14 04:35:55 +0000 2013`. */
  created_at?: string;
  description?: string | null;
  /** With `includeEmail`; `null` if there is no confirmed address. */
  email?: string | null;
  entities?: MicroblogOAuth1Entities;
  location?: string | null;
  /** Website of the user behind the network's short link. */
  url?: string | null;
  lang?: string | null;
  time_zone?: string | null;
  /** Seconds. */
  utc_offset?: number | null;
  favourites_count?: number;
  followers_count?: number;
  friends_count?: number;
  listed_count?: number;
  statuses_count?: number;
  contributors_enabled?: boolean;
  default_profile?: boolean;
  /** Whether the picture is the network's placeholder. */
  default_profile_image?: boolean;
  follow_request_sent?: boolean | null;
  following?: boolean | null;
  geo_enabled?: boolean;
  has_extended_profile?: boolean | null;
  is_translation_enabled?: boolean | null;
  is_translator?: boolean;
  needs_phone_verification?: boolean;
  notifications?: boolean | null;
  protected?: boolean;
  suspended?: boolean;
  verified?: boolean;
  translator_type?: string;
  /** Six hexadecimal digits; so are the other colours. */
  profile_background_color?: string;
  profile_link_color?: string;
  profile_sidebar_border_color?: string;
  profile_sidebar_fill_color?: string;
  profile_text_color?: string;
  profile_background_image_url?: string | null;
  profile_background_image_url_https?: string | null;
  profile_background_tile?: boolean;
  profile_banner_url?: string;
  /** URL of the picture, 48 pixels wide. */
  profile_image_url?: string | null;
  profile_image_url_https?: string | null;
  profile_use_background_image?: boolean;
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
 * @see https://docs.x.com/x-api/fundamentals/data-dictionary (read 2026-11)
 */
export interface MicroblogUser extends Fields {
  /** Unique ID, 1 to 19 digits. A string, because newer IDs are beyond 2^53. */
  id: string;
  /** Display name: free text, changeable, not unique. */
  name: string;
  /** Handle, without `@`: 1 to 15 letters, digits or underscores; some old ones are longer. */
  username: string;
  /** E-mail address in OAuth 1.0a; the users lookup never has a field of this name. */
  email?: string;
}

type Fields = { -readonly [Name in keyof typeof USER_FIELD_KINDS]?: Kinds[(typeof USER_FIELD_KINDS)[Name]] };

type Kinds = {
  text: string;
  texts: string[];
  boolean: boolean;
  /** Documented as a number and, elsewhere, as text. */
  count: number | string;
  badge: 'blue' | 'business' | 'government' | 'none';
  subscription: { subscribes_to_you?: boolean | null };
  subscriptionType: 'Basic' | 'Premium' | 'PremiumPlus' | 'None';
  withheld: { country_codes?: string[] | null; scope?: string | null };
  affiliation: MicroblogAffiliation;
  entities: MicroblogEntities;
  metrics: MicroblogPublicMetrics;
};

/** An organisation; `badge_url` is its picture. */
export interface MicroblogAffiliation {
  badge_url?: string | null;
  description?: string | null;
  url?: string | null;
  user_id?: string | string[] | null;
}

/** Numbers of an account. `post_count` is the newer name of `tweet_count`. */
export interface MicroblogPublicMetrics {
  followers_count?: number | null;
  following_count?: number | null;
  like_count?: number | null;
  listed_count?: number | null;
  media_count?: number | null;
  post_count?: number | null;
  tweet_count?: number | null;
}

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
export interface MicroblogTweet {
  id: string;
  text: string;
  author_id?: string;
  card_uri?: string;
  community_id?: string;
  conversation_id?: string;
  created_at?: string;
  in_reply_to_user_id?: string;
  lang?: string;
  reply_settings?: string;
  source?: string;
  possibly_sensitive?: boolean;
  display_text_range?: number[];
  edit_history_tweet_ids?: string[];
  article?: object;
  attachments?: object;
  context_annotations?: object[];
  edit_controls?: object;
  entities?: object;
  geo?: object;
  media_metadata?: object[];
  non_public_metrics?: object;
  note_tweet?: object;
  organic_metrics?: object;
  promoted_metrics?: object;
  public_metrics?: object;
  referenced_tweets?: object[];
  scopes?: object;
  suggested_source_links?: object[];
  suggested_source_links_with_counts?: object[];
  withheld?: object;
}
