import { RefusedError } from '../core/errors/index.js';
import { withQuery } from '../core/http/index.js';
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

/** What to write -> for which names of a profile or of another package. */
export const USER_FIELD_NOTES = {
  'Set includeEmail: true': 'email emails',
  name: 'displayName',
  profile_image_url: 'photo photos',
};

/** `expansions` of the same description. */
export const EXPANSIONS = namesIn([
  'affiliation affiliation.user_id most_recent_post_id most_recent_tweet_id pinned_post_id pinned_tweet_id',
]);

/** Which fields of the record to request. */
export type FieldChoice = Readonly<
  Record<'userFields' | 'expansions' | 'tweetFields' | 'postFields', readonly string[]>
>;

/** The query of a users lookup. */
export function lookupQuery({ userFields, expansions, tweetFields, postFields }: Partial<FieldChoice>) {
  return {
    'user.fields': userFields?.join() || undefined,
    expansions: expansions?.join() || undefined,
    'tweet.fields': tweetFields?.join() || undefined,
    'post.fields': postFields?.join() || undefined,
  };
}

/** Makes a users lookup. A refused one is repeated without the posts, or without the e-mail address: neither is worth the login. */
export async function lookUpUser<T>(
  url: string,
  fields: FieldChoice,
  request: (url: string) => Promise<T>,
): Promise<T> {
  try {
    return await request(withQuery(url, lookupQuery(fields)));
  } catch (error) {
    const fewer = error instanceof RefusedError && fewerFields(fields, error.networkStatus);
    if (!fewer) throw error;
    return lookUpUser(url, fewer, request);
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
