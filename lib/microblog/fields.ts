import { RefusedError } from '../core/errors/index.js';
import { scopeList } from '../core/oauth2/index.js';
import { namesIn } from '../core/profile.js';
import { EMAIL_FIELD } from './facts.js';

/** The default of `userFields`. ID, name and handle always come. */
export const DEFAULT_USER_FIELDS = namesIn([
  'created_at description entities location profile_image_url protected url verified verified_type',
]);

/** `user.fields` of the network's OpenAPI description, in the spellings before and since version 2.167, by the type of their values. */
export const USER_FIELD_NAMES = {
  text: [
    'confirmed_email created_at description id location most_recent_post_id most_recent_tweet_id name',
    'pinned_post_id pinned_tweet_id profile_banner_url profile_image_url url username',
  ],
  boolean: ['is_identity_verified parody protected receives_your_dm subscribes_to_you verified'],
  other: [
    'affiliation connection_status entities public_metrics subscription subscription_type',
    'verified_followers_count verified_type withheld',
  ],
} as const;

export const USER_FIELDS: readonly string[] = namesIn(Object.values(USER_FIELD_NAMES).flat());

const EMAIL = 'Set includeEmail: true';

/** What to write for the names that a profile or another package has. */
export const USER_FIELD_NOTES: Readonly<Record<string, string>> = {
  displayName: 'name',
  email: EMAIL,
  emails: EMAIL,
  photo: 'profile_image_url',
  photos: 'profile_image_url',
};

/** `expansions` of the same description. */
export const EXPANSIONS = namesIn([
  'affiliation affiliation.user_id most_recent_post_id most_recent_tweet_id pinned_post_id pinned_tweet_id',
]);

/** Which fields of the record to request. */
export interface FieldChoice {
  readonly userFields: readonly string[];
  readonly expansions: readonly string[];
  readonly tweetFields: readonly string[];
  readonly postFields: readonly string[];
}

/** The query of a users lookup. */
export function lookupQuery(fields: FieldChoice): Record<string, string> {
  const { userFields, expansions, tweetFields, postFields } = fields;
  return {
    ...(userFields.length > 0 && { 'user.fields': userFields.join(',') }),
    ...(expansions.length > 0 && { expansions: expansions.join(',') }),
    ...(tweetFields.length > 0 && { 'tweet.fields': tweetFields.join(',') }),
    ...(postFields.length > 0 && { 'post.fields': postFields.join(',') }),
  };
}

/** Makes a users lookup. A refused one is repeated without the posts, or without the e-mail address: neither is worth the login. */
export async function withoutRefusedFields<T>(
  fields: FieldChoice,
  lookUp: (fields: FieldChoice) => Promise<T>,
): Promise<T> {
  try {
    return await lookUp(fields);
  } catch (error) {
    const status = error instanceof RefusedError ? error.networkStatus : undefined;
    const fewer = fewerFields(fields, status);
    if (!fewer) throw error;
    return withoutRefusedFields(fewer, lookUp);
  }
}

/** @returns `undefined` if nothing that may be left out can be the reason. */
function fewerFields(fields: FieldChoice, status: number | undefined): FieldChoice | undefined {
  const { userFields, expansions, tweetFields, postFields } = fields;
  // The network has two vocabularies for posts, and answers 400 to a name that it does not know. Nobody knows which names it accepts.
  const asksForPosts = [expansions, tweetFields, postFields].some((names) => names.length > 0);
  if (status === 400 && asksForPosts) return { ...fields, expansions: [], tweetFields: [], postFields: [] };
  // Undocumented, but it happens: the network rejects the request because of the e-mail field.
  const withoutEmail = userFields.filter((name) => name !== EMAIL_FIELD);
  const isAboutEmail = (status === 400 || status === 403) && withoutEmail.length < userFields.length;
  return isAboutEmail ? { ...fields, userFields: withoutEmail } : undefined;
}

/** The scopes that the user granted, from the OAuth 2.0 token response (`params` of verify). OAuth 1.0a has no scopes. */
export function grantedScopes(params: { readonly scope?: string }): string[] {
  return scopeList(params.scope);
}
