/**
 * Response of the microblog network to the users lookup, spelled as the network sends it.
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

/**
 * The user: `id`, `name` and `username` always, everything else only if `user.fields` requested it.
 *
 * The network leaves out fields without a value instead of sending `null`.
 *
 * @see https://docs.x.com/x-api/fundamentals/data-dictionary (read 2026-11)
 */
export interface MicroblogUser {
  /** Unique ID, 1 to 19 digits. A string, because newer IDs are beyond 2^53. */
  id: string;
  /** Display name: free text, changeable, not unique. */
  name: string;
  /** Handle, without `@`: 1 to 15 letters, digits or underscores; some old ones are longer. */
  username: string;
  /** E-mail address; the users lookup never has a field of this name. */
  email?: string;
  /** When the account was made, an ISO 8601 time in UTC such as `2013-12-14T04:35:55.000Z`. */
  created_at?: string;
  /** Text the user wrote about themselves; sent with `user.fields=description`. */
  description?: string;
  /** Marked-up passages of `url` and `description`; sent with `user.fields=entities`. */
  entities?: MicroblogEntities;
  /** Location, free text that need not be a place; sent with `user.fields=location`. */
  location?: string;
  /** ID of the pinned post; the expansion `pinned_tweet_id` or `pinned_post_id` puts the post itself into `includes.tweets`. */
  pinned_tweet_id?: string;
  /** URL of the profile image, 48 pixels wide. */
  profile_image_url?: string;
  /** Whether the user's posts are shown to approved followers only. */
  protected?: boolean;
  /** Website of the user behind the network's short link, not the profile page; sent with `user.fields=url`. */
  url?: string;
  /** Whether the account has the badge; says nothing about an e-mail address. Sent with `user.fields=verified`. */
  verified?: boolean;
}

/**
 * Links, hashtags, cashtags and mentions in the profile.
 *
 * Both fields are declared required, but the network's own sample has only `url`: check before reading.
 */
export interface MicroblogEntities {
  /** Passages of the user's description. */
  description: MicroblogDescriptionEntities;
  /** Details of the user's website. */
  url: MicroblogUrlEntities;
}

/** Passages of the description: of the links, hashtags, cashtags and mentions in it, the hashtags are typed. */
export interface MicroblogDescriptionEntities {
  /** Hashtags in the description. */
  hashtags: MicroblogHashtag[];
}

/** A hashtag in the description. */
export interface MicroblogHashtag {
  /** Zero-based position of its first character. */
  start: number;
  /** Zero-based position after its last character. */
  end: number;
  /** Its text, without `#`. */
  tag: string;
}

/** Details of the website in the user's profile. */
export interface MicroblogUrlEntities {
  /** Links in the profile's website field. */
  urls: MicroblogUrl[];
}

/** A link in the profile's website field. */
export interface MicroblogUrl {
  /** Zero-based position of its first character. */
  start: number;
  /** Zero-based position after its last character. */
  end: number;
  /** The network's short link, as in the record's `url`. */
  url: string;
  /** URL that the short link leads to. */
  expanded_url: string;
  /** URL as the profile page shows it, shortened. */
  display_url: string;
}

/** Objects that the request's `expansions` asked for. */
export interface MicroblogIncludes {
  /** Posts, the pinned one among them; sent with the expansion `pinned_tweet_id` or `pinned_post_id`. */
  tweets?: MicroblogTweet[];
}

/** A post. */
export interface MicroblogTweet {
  /** Unique ID, digits; a string for the same reason as the user's. */
  id: string;
  /** What the post says. */
  text: string;
}
