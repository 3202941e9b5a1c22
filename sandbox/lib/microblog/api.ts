import { json, type NetworkRequest, type NetworkResponse, type Parameters } from '../core/http.js';
import { type Endpoint, get } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import { naming } from '../core/redirect-uri.js';
import type { Grant, World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';
import {
  invalidQueryParameter,
  lookupErrorResponse,
  problem,
  signatureErrorResponse,
} from './error-responses.js';
import type { microblogOAuth1 } from './oauth1.js';
import type { microblogOAuth2 } from './oauth2.js';
import { isSigned } from './signature.js';

const LOOKUP_SCOPES = ['tweet.read', 'users.read'];

/** Both profile endpoints: `/2/users/me`, and `verify_credentials` of API version 1.1. */
export function microblogApi(
  world: World,
  { verifyAccess }: ReturnType<typeof microblogOAuth1>,
  { findBearer }: ReturnType<typeof microblogOAuth2>,
): readonly Endpoint[] {
  function usersLookup(request: NetworkRequest): NetworkResponse {
    const grant = isSigned(request) ? verifyAccess(request, lookupErrorResponse).token : bearerGrant(request);
    const fields = values(request, 'user.fields', USER_FIELDS, COMMON_USER_FIELDS);
    const expansions = values(request, 'expansions', EXPANSIONS);
    const postFields = ['tweet.fields', 'post.fields'].flatMap((name) => values(request, name, POST_FIELDS));
    const granted = fields.filter((field) => isGranted(request, grant, field));
    return json(microblogProfile(world, grant.person, granted, expansions, postFields));
  }

  function bearerGrant(request: NetworkRequest): Grant {
    const hold = (status: 401 | 403, title: string) =>
      request.notes.holdTo((belief, reason) => problem(belief, status, title, reason));
    const grant = hold(401, 'Unauthorized').live(BELIEFS.bearer, 'the bearer token', findBearer(request));
    const missing = LOOKUP_SCOPES.filter((scope) => !grant.scopes.includes(scope));
    const reason = naming('tweet.read and users.read must both be granted; missing', ...missing);
    hold(403, 'Forbidden')(BELIEFS.lookupScopes, missing.length > 0 && reason);
    return grant;
  }

  function verifyCredentials(request: NetworkRequest): NetworkResponse {
    if (/^Bearer\s/i.test(request.authorization ?? '')) {
      const detail = 'You are not permitted to use OAuth2 on this endpoint';
      throw problem(BELIEFS.oauth1Only, 403, 'Forbidden', 'verify_credentials takes OAuth 1.0a only', detail);
    }
    const { token } = verifyAccess(request, signatureErrorResponse);
    const body = credentialsRecord(world, token.person, request.query);
    return { ...json(null, 200, { 'x-access-level': 'read' }), body };
  }

  return [
    get('users lookup', '/microblog/2/users/me', usersLookup),
    get('verify credentials', '/microblog/1.1/account/verify_credentials.json', verifyCredentials),
  ];
}

/** Whether the grant covers a field. If it does not, the network may as well leave the field out. */
function isGranted({ notes }: NetworkRequest, grant: Grant, field: string): boolean {
  if (field !== 'confirmed_email' || grant.scopes.includes('users.email')) return true;
  const reason = 'confirmed_email needs the scope users.email, which was not granted';
  notes.refuseOrNote(problem(BELIEFS.emailScope, 403, 'Forbidden', reason));
  return false;
}

/** Values of a comma-separated parameter, of those known in any version of the API description, and common to all versions. */
function values(
  { query, notes }: NetworkRequest,
  name: string,
  known: readonly string[],
  common: readonly string[] = [],
): readonly string[] {
  if (!query.has(name)) return [];
  notes.keeps(BELIEFS.lookupValues);
  const given = (query.get(name) ?? '').split(',');
  const unknown = given.find((value) => !known.includes(value));
  if (unknown !== undefined) {
    const reason = naming(`${name} names a value that does not exist`, unknown);
    throw invalidQueryParameter(BELIEFS.lookupValues, name, unknown, known, reason);
  }
  const uncommon = given.find((value) => !common.includes(value));
  if (uncommon !== undefined) {
    const reason = `${name} names a value that not every version of the API description has`;
    notes.refuseOrNote(invalidQueryParameter(BELIEFS.lookupVocabulary, name, uncommon, common, reason));
  }
  return given;
}

/** The short link that the network puts in place of every website. */
const WEBSITE_LINK = 'https://t.co/3ZX3TNiZCY';

/** Values of `user.fields` in every version of the network's API description. */
const COMMON_USER_FIELDS: readonly string[] = (
  'confirmed_email connection_status created_at description entities id is_identity_verified ' +
  'location name parody profile_banner_url profile_image_url protected public_metrics ' +
  'receives_your_dm subscription subscription_type url username verified verified_followers_count ' +
  'verified_type withheld'
).split(' ');

const USER_FIELDS: readonly string[] = [
  ...COMMON_USER_FIELDS,
  ...'affiliation most_recent_tweet_id pinned_tweet_id subscribes_to_you'.split(' '),
];

/** Values of `expansions`: those of the guides, then those of API description 2.167. */
const EXPANSIONS: readonly string[] =
  'affiliation.user_id most_recent_tweet_id pinned_tweet_id affiliation most_recent_post_id pinned_post_id'.split(
    ' ',
  );

/** Values of `tweet.fields`, which API description 2.167 calls `post.fields`. */
const POST_FIELDS: readonly string[] = (
  'article attachments author_id card_uri community_id context_annotations conversation_id created_at ' +
  'display_text_range edit_controls edit_history_tweet_ids entities geo id in_reply_to_user_id lang ' +
  'media_metadata non_public_metrics note_tweet organic_metrics possibly_sensitive promoted_metrics ' +
  'public_metrics referenced_tweets reply_settings scopes source suggested_source_links ' +
  'suggested_source_links_with_counts text withheld'
).split(' ');

/** The pinned post's property and its key in `includes`, by expansion. */
const PINNED = { pinned_tweet_id: 'tweets', pinned_post_id: 'posts' } as const;

/** Body of the users lookup: the requested fields that have a value. No field is ever `null`. */
function microblogProfile(
  world: World,
  person: SandboxPerson,
  fields: readonly string[],
  expansions: readonly string[],
  postFields: readonly string[],
): object {
  const expansion = (['pinned_tweet_id', 'pinned_post_id'] as const).find((name) =>
    expansions.includes(name),
  );
  const wanted = ['id', 'name', 'username', ...fields, ...(expansion ? [expansion] : [])];
  const data = present(everything(world, person), wanted);
  return { data, ...(expansion && expanded(expansion, person, postFields)) };
}

/** The pinned post, or the network's error when the post was deleted. */
function expanded(
  expansion: keyof typeof PINNED,
  { microblogId, pinnedPost }: SandboxPerson,
  postFields: readonly string[],
): object {
  if (!pinnedPost) return {};
  const { id, text } = pinnedPost;
  if (text !== undefined) {
    const post = { id, text, author_id: microblogId, created_at: '2024-01-01T00:00:00.000Z', lang: 'en' };
    return { includes: { [PINNED[expansion]]: [present(post, ['id', 'text', ...postFields])] } };
  }
  const kind = PINNED[expansion].slice(0, -1);
  const error = {
    value: id,
    detail: `Could not find ${kind} with ${expansion}: [${id}].`,
    title: 'Not Found Error',
    resource_type: kind,
    parameter: expansion,
    resource_id: id,
    type: 'https://api.x.com/2/problems/resource-not-found',
  };
  return { errors: [error] };
}

function present(fields: Readonly<Record<string, unknown>>, wanted: readonly string[]): object {
  const pairs = Object.entries(fields).filter(
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
    entities: entitiesOf(person),
    is_identity_verified: false,
    location: person.location,
    parody: false,
    pinned_tweet_id: person.pinnedPost?.id,
    pinned_post_id: person.pinnedPost?.id,
    profile_image_url: photo(world, person),
    protected: person.closed ?? false,
    public_metrics: { followers_count: 1200, following_count: 34, tweet_count: 567, listed_count: 8 },
    receives_your_dm: false,
    subscription_type: 'None',
    url: person.website && WEBSITE_LINK,
    verified: person.verified ?? false,
    verified_type: person.verified ? 'blue' : 'none',
  };
}

/** Like the network, leaves out `url` and `description` when they have no entities. */
function entitiesOf({ description = '', website }: SandboxPerson): object | undefined {
  const hashtags = hashtagsIn(description);
  const found = {
    ...(website !== undefined && {
      url: { urls: [{ start: 0, end: WEBSITE_LINK.length, ...linkTo(website) }] },
    }),
    ...(hashtags.length > 0 && { description: { hashtags } }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

/** API version 1.1 has `indices` in place of `start` and `end`, no hashtags, and an empty list for a description without links. */
function olderEntitiesOf({ website }: SandboxPerson): object {
  return {
    ...(website !== undefined && {
      url: { urls: [{ ...linkTo(website), indices: [0, WEBSITE_LINK.length] }] },
    }),
    description: { urls: [] },
  };
}

function hashtagsIn(description: string): readonly object[] {
  return [...description.matchAll(/#(\w+)/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    tag: match[1] ?? '',
  }));
}

const linkTo = (website: string): object => ({
  url: WEBSITE_LINK,
  expanded_url: website,
  display_url: website.replace(/^https?:\/\//, ''),
});

/** The network's form: the name ends in `_normal`, and without it is that of the full size. People without a picture have the network's. */
const photo = (world: World, person: SandboxPerson): string =>
  world.picture(person)?.replace(/\.svg$/, '_normal.png') ?? `${world.url}/images/default_profile_normal.png`;

/**
 * Body of `verify_credentials`, as a JSON string, because its `id` has more digits than a JavaScript number can hold.
 *
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
function credentialsRecord(world: World, person: SandboxPerson, query: Parameters): string {
  const post = person.pinnedPost;
  const record = withExactId(person.microblogId, {
    name: person.displayName,
    screen_name: person.handle,
    location: person.location ?? '',
    description: person.description ?? '',
    url: person.website ? WEBSITE_LINK : null,
    ...(query.get('include_entities') !== 'false' && { entities: olderEntitiesOf(person) }),
    protected: person.closed ?? false,
    followers_count: 1200,
    friends_count: 34,
    listed_count: 8,
    created_at: 'Sat Dec 14 04:35:55 +0000 2013',
    favourites_count: 9,
    utc_offset: null,
    time_zone: null,
    geo_enabled: false,
    verified: person.verified ?? false,
    statuses_count: 567,
    lang: null,
    profile_image_url: photo(world, person),
    profile_image_url_https: photo(world, person),
    default_profile: true,
    default_profile_image: person.picture === undefined,
    suspended: false,
    needs_phone_verification: false,
    ...(query.get('include_email') === 'true' && { email: person.email ?? null }),
  });
  // tweepy sends True, and its recorded responses have no status then.
  const skipsStatus = /^(true|t|1)$/i.test(query.get('skip_status') ?? '');
  if (skipsStatus || post?.text === undefined) return record;
  return `${record.slice(0, -1)},"status":${withExactId(post.id, { text: post.text })}}`;
}

/** JSON of a record with its exact identifier, as a number in `id` and as a string in `id_str`. */
const withExactId = (id: string, record: object): string =>
  `{"id":${id},${JSON.stringify({ id_str: id, ...record }).slice(1)}`;
