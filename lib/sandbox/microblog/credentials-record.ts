import type { SandboxPerson } from '../people.js';
import type { World } from '../world.js';
import { microblogEntities, WEBSITE_LINK } from './record.js';

/** What `verify_credentials` was asked to add or leave out. */
export interface CredentialsQuery {
  readonly email: boolean;
  readonly entities: boolean;
  readonly status: boolean;
}

/**
 * Answer of `verify_credentials`, in JSON text: its `id` is a number with all its digits, more than JavaScript's
 * numbers hold.
 *
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
export function credentialsRecord(world: World, person: SandboxPerson, query: CredentialsQuery): string {
  const picture = world.picture(person) ?? `${world.url}/images/default_profile_normal.png`;
  const post = person.pinnedPost;
  const record = withExactId(person.microblogId, {
    name: person.displayName,
    screen_name: person.handle,
    location: person.location ?? '',
    description: person.description ?? '',
    url: person.website ? WEBSITE_LINK : null,
    ...(query.entities && { entities: { description: { urls: [] }, ...microblogEntities(person) } }),
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
    profile_image_url: picture,
    profile_image_url_https: picture,
    default_profile: true,
    default_profile_image: person.picture === undefined,
    suspended: false,
    needs_phone_verification: false,
    ...(query.email && { email: person.email ?? null }),
  });
  if (!query.status || post?.text === undefined) return record;
  return `${record.slice(0, -1)},"status":${withExactId(post.id, { text: post.text })}}`;
}

/** JSON text of a record with its identifier as a number and, for those who cannot read that, as text. */
function withExactId(id: string, record: object): string {
  return `{"id":${id},${JSON.stringify({ id_str: id, ...record }).slice(1)}`;
}
