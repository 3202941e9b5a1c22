import type {
  MicroblogEntities,
  MicroblogProfile,
  MicroblogTweet,
  MicroblogUser,
} from '../../microblog/record.js';
import type { SandboxPerson } from '../people.js';
import type { World } from '../world.js';

/** The network's short link for every website. */
export const WEBSITE_LINK = 'https://t.co/3ZX3TNiZCY';

/** Values of `user.fields`: the 23 that all versions of the network's description have, and those of its prose. */
export const USER_FIELDS: readonly string[] = (
  'confirmed_email connection_status created_at description entities id is_identity_verified ' +
  'location name parody profile_banner_url profile_image_url protected public_metrics ' +
  'receives_your_dm subscription subscription_type url username verified verified_followers_count ' +
  'verified_type withheld affiliation most_recent_tweet_id pinned_tweet_id'
).split(' ');

/** Values of `expansions`. */
export const EXPANSIONS: readonly string[] = [
  'affiliation.user_id',
  'most_recent_tweet_id',
  'pinned_tweet_id',
];

/** Values of `tweet.fields`. */
export const TWEET_FIELDS: readonly string[] = (
  'attachments author_id context_annotations conversation_id created_at edit_controls edit_history_tweet_ids ' +
  'entities geo id in_reply_to_user_id lang public_metrics possibly_sensitive referenced_tweets ' +
  'reply_settings source text withheld'
).split(' ');

/** What a users lookup asks for beyond what always comes. */
export interface LookupQuery {
  readonly fields: readonly string[];
  readonly expansions: readonly string[];
  readonly tweetFields: readonly string[];
}

/** Answer to the users lookup: what was asked for and has a value; nothing is ever `null`. */
export function microblogProfile(
  world: World,
  person: SandboxPerson,
  query: LookupQuery,
): Partial<MicroblogProfile> {
  const expands = query.expansions.includes('pinned_tweet_id');
  const wanted = ['id', 'name', 'username', ...query.fields, ...(expands ? ['pinned_tweet_id'] : [])];
  const data = present(everything(world, person), wanted) as unknown as MicroblogUser;
  return { data, ...(expands && expansion(person, query.tweetFields)) };
}

/** The pinned post, or the network's note that it is gone. */
function expansion(
  { microblogId, pinnedPost }: SandboxPerson,
  tweetFields: readonly string[],
): Partial<MicroblogProfile> {
  if (!pinnedPost) return {};
  const { id, text } = pinnedPost;
  if (text !== undefined) {
    const post = { id, text, author_id: microblogId, created_at: '2024-01-01T00:00:00.000Z', lang: 'en' };
    const tweet = present(post, ['id', 'text', ...tweetFields]) as unknown as MicroblogTweet;
    return { includes: { tweets: [tweet] } };
  }
  const error = {
    value: id,
    detail: `Could not find tweet with pinned_tweet_id: [${id}].`,
    title: 'Not Found Error',
    resource_type: 'tweet',
    parameter: 'pinned_tweet_id',
    resource_id: id,
    type: 'https://api.x.com/2/problems/resource-not-found',
  };
  return { errors: [error] };
}

/** Those members that are wanted and have a value. */
function present(members: Readonly<Record<string, unknown>>, wanted: readonly string[]): object {
  const pairs = Object.entries(members).filter(
    ([name, value]) => wanted.includes(name) && value !== undefined,
  );
  return Object.fromEntries(pairs);
}

function everything(world: World, person: SandboxPerson): Record<string, unknown> {
  return {
    id: person.microblogId,
    name: person.displayName,
    username: person.handle,
    confirmed_email: person.email,
    created_at: '2013-12-14T04:35:55.000Z',
    description: person.description,
    entities: microblogEntities(person),
    is_identity_verified: false,
    location: person.location,
    parody: false,
    pinned_tweet_id: person.pinnedPost?.id,
    profile_image_url: world.picture(person),
    protected: person.closed ?? false,
    public_metrics: { followers_count: 1200, following_count: 34, tweet_count: 567, listed_count: 8 },
    receives_your_dm: false,
    subscription_type: 'None',
    url: person.website && WEBSITE_LINK,
    verified: person.verified ?? false,
    verified_type: person.verified ? 'blue' : 'none',
  };
}

/** Only those of the two members that the profile gives rise to, as the network does it. */
export function microblogEntities(person: SandboxPerson): Partial<MicroblogEntities> | undefined {
  const hashtags = hashtagsIn(person.description ?? '');
  const found: Partial<MicroblogEntities> = {
    ...(person.website !== undefined && { url: { urls: [websiteLink(person.website)] } }),
    ...(hashtags.length > 0 && { description: { hashtags } }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function hashtagsIn(text: string): MicroblogEntities['description']['hashtags'] {
  return [...text.matchAll(/#(\w+)/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    tag: match[1] ?? '',
  }));
}

function websiteLink(website: string): MicroblogEntities['url']['urls'][number] {
  return {
    start: 0,
    end: WEBSITE_LINK.length,
    url: WEBSITE_LINK,
    expanded_url: website,
    display_url: website.replace(/^https?:\/\//, ''),
  };
}
