import { words } from '../core/checks.js';
import type { NetworkRequest, NetworkResponse, Refusal } from '../core/http.js';
import { bearerToken, ErrorResponse, json, queryAndForm } from '../core/http.js';
import { get } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import { naming } from '../core/redirect-uri.js';
import type { Credentials, Grant, World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';
import { problem, signatureError } from './error-responses.js';
import type { VerifyAccess } from './oauth1.js';

export function microblogApi(world: World, bearers: Credentials<Grant>, verifyAccess: VerifyAccess) {
  /** The requested fields that have a value. No field is ever `null`. */
  function usersLookup(request: NetworkRequest): NetworkResponse {
    const { person, scopes } = grantOf(request);
    const given = values(request, 'user.fields', USER_FIELDS, COMMON_USER_FIELDS);
    const expansions = values(request, 'expansions', EXPANSIONS);
    const postFields = ['tweet.fields', 'post.fields'].flatMap((name) => values(request, name, POST_FIELDS));
    // Without the scope, the network may as well leave the field out.
    const isBeyond = given.includes('confirmed_email') && !scopes.includes('users.email');
    const reason = 'confirmed_email needs the scope users.email, which was not granted';
    forbid(request)(BELIEFS.emailScope, isBeyond && reason);
    const fields = given.filter((field) => !isBeyond || field !== 'confirmed_email');
    const expansion = ['pinned_tweet_id', 'pinned_post_id'].find((name) => expansions.includes(name));
    const wanted = ['id', 'name', 'username', ...fields, ...(expansion ? [expansion] : [])];
    const data = present(everything(world, person), wanted);
    return json({ data, ...(expansion && expanded(expansion, person, postFields)) });
  }

  function grantOf(request: NetworkRequest): Grant {
    const unauthorized: Refusal = (belief, reason) => problem(belief, 401, 'Unauthorized', reason);
    if (/^OAuth\s/i.test(request.authorization ?? '') || queryAndForm(request).has('oauth_signature'))
      return verifyAccess(request, unauthorized).token;
    const hold = request.notes.holdTo(unauthorized);
    const grant = hold.live(BELIEFS.bearer, 'the bearer token', bearers.find(bearerToken(request)));
    const missing = ['tweet.read', 'users.read'].filter((scope) => !grant.scopes.includes(scope));
    const reason = naming('tweet.read and users.read must both be granted; missing', ...missing);
    forbid(request)(BELIEFS.lookupScopes, missing.length > 0 && reason);
    return grant;
  }

  function verifyCredentials(request: NetworkRequest): NetworkResponse {
    if (/^Bearer\s/i.test(request.authorization ?? '')) {
      const detail = 'You are not permitted to use OAuth2 on this endpoint';
      throw problem(BELIEFS.oauth1Only, 403, 'Forbidden', 'verify_credentials takes OAuth 1.0a only', detail);
    }
    const { token } = verifyAccess(request, signatureError);
    const body = credentialsRecord(world, token.person, request);
    return { ...json(null, 200, { 'x-access-level': 'read' }), body };
  }

  return [
    get('users lookup', '/microblog/2/users/me', usersLookup),
    get('verify credentials', '/microblog/1.1/account/verify_credentials.json', verifyCredentials),
  ];
}

const forbid = ({ notes }: NetworkRequest) =>
  notes.holdTo((belief, reason) => problem(belief, 403, 'Forbidden', reason));

/** Values of a comma-separated parameter, of those known in any version of the API description, and common to all versions. */
function values(
  { query, notes }: NetworkRequest,
  name: string,
  known: readonly string[],
  common: readonly string[] = [],
): readonly string[] {
  if (!query.has(name)) return [];
  const given = (query.one(name) ?? '').split(',');
  const hold = (allowed: readonly string[], value = '') =>
    notes.holdTo((belief, reason) => {
      const message = `The \`${name}\` query parameter value is not one of [${allowed.join(',')}]`;
      const body = {
        errors: [{ parameters: { [name]: [value] }, message }],
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: 'https://api.twitter.com/2/problems/invalid-request',
      };
      return new ErrorResponse(json(body, 400), reason, belief);
    });
  const unknown = given.find((value) => !known.includes(value));
  const noSuch = naming(`${name} names a value that does not exist`, unknown ?? '');
  hold(known, unknown)(BELIEFS.lookupValues, unknown !== undefined && noSuch);
  const uncommon = given.find((value) => !common.includes(value));
  const notEvery = `${name} names a value that not every version of the API description has`;
  if (uncommon !== undefined) hold(common, uncommon)(BELIEFS.lookupVocabulary, notEvery);
  return given;
}

/** The short link that the network puts in place of every website. */
const WEBSITE_LINK = 'https://t.co/3ZX3TNiZCY';

/** Values of `user.fields` in every version of the network's API description. */
const COMMON_USER_FIELDS = words`confirmed_email connection_status created_at description entities id is_identity_verified
  location name parody profile_banner_url profile_image_url protected public_metrics receives_your_dm subscription
  subscription_type url username verified verified_followers_count verified_type withheld`;

const USER_FIELDS = [
  ...COMMON_USER_FIELDS,
  ...words`affiliation most_recent_tweet_id pinned_tweet_id subscribes_to_you`,
];

/** Values of `expansions`: those of the guides, then those of API description 2.167. */
const EXPANSIONS = words`affiliation.user_id most_recent_tweet_id pinned_tweet_id
  affiliation most_recent_post_id pinned_post_id`;

/** Values of `tweet.fields`, which API description 2.167 calls `post.fields`. */
const POST_FIELDS = words`article attachments author_id card_uri community_id context_annotations conversation_id
  created_at display_text_range edit_controls edit_history_tweet_ids entities geo id in_reply_to_user_id lang media_metadata
  non_public_metrics note_tweet organic_metrics possibly_sensitive promoted_metrics public_metrics referenced_tweets
  reply_settings scopes source suggested_source_links suggested_source_links_with_counts text withheld`;

function expanded(expansion: string, { microblogId, pinnedPost }: SandboxPerson, fields: readonly string[]) {
  if (!pinnedPost) return {};
  const { id, text } = pinnedPost;
  const kind = expansion.slice('pinned_'.length, -'_id'.length);
  if (text !== undefined) {
    const post = { id, text, author_id: microblogId, created_at: '2024-01-01T00:00:00.000Z', lang: 'en' };
    return { includes: { [`${kind}s`]: [present(post, ['id', 'text', ...fields])] } };
  }
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

const present = (fields: object, wanted: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.includes(name)));

function everything(world: World, person: SandboxPerson): object {
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
  const hashtags = [...description.matchAll(/#(\w+)/g)].map(({ index, 0: { length }, 1: tag }) => ({
    start: index,
    end: index + length,
    tag,
  }));
  const found = {
    ...linksTo(website, { start: 0, end: WEBSITE_LINK.length }),
    ...(hashtags.length > 0 && { description: { hashtags } }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function linksTo(website: string | undefined, place: object): object {
  if (website === undefined) return {};
  const display_url = website.replace(/^https?:\/\//, '');
  return { url: { urls: [{ ...place, url: WEBSITE_LINK, expanded_url: website, display_url }] } };
}

/** The network's form: the name ends in `_normal`, and without it is that of the full size. People without a picture have the network's. */
const photo = (world: World, person: SandboxPerson): string =>
  world.picture(person)?.replace(/\.svg$/, '_normal.png') ?? `${world.url}/images/default_profile_normal.png`;

/**
 * Body of `verify_credentials`, as a JSON string, because its `id` has more digits than a JavaScript number can hold.
 *
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
function credentialsRecord(world: World, person: SandboxPerson, { query }: NetworkRequest): string {
  const { pinnedPost: post, website } = person;
  // In place of `start` and `end`; no hashtags, and an empty list for a description without links.
  const entities = { ...linksTo(website, { indices: [0, WEBSITE_LINK.length] }), description: { urls: [] } };
  const record = withExactId(person.microblogId, {
    name: person.displayName,
    screen_name: person.handle,
    location: person.location ?? '',
    description: person.description ?? '',
    url: website ? WEBSITE_LINK : null,
    ...(query.one('include_entities') !== 'false' && { entities }),
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
    ...(query.one('include_email') === 'true' && { email: person.email ?? null }),
  });
  // tweepy sends True, and its recorded responses have no status then.
  const skipsStatus = /^(true|t|1)$/i.test(query.one('skip_status') ?? '');
  if (skipsStatus || post?.text === undefined) return record;
  return `${record.slice(0, -1)},"status":${withExactId(post.id, { text: post.text })}}`;
}

/** JSON of a record with its exact identifier, as a number in `id` and as a string in `id_str`. */
const withExactId = (id: string, record: object): string =>
  `{"id":${id},${JSON.stringify({ id_str: id, ...record }).slice(1)}`;
