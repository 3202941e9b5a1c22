import {
  exactIdentifier,
  isObject,
  type JSONObject,
  type JSONResponse,
  property,
  stringProperty,
} from '../core/http/index.js';
import { type MappedProfile, photosFrom, withoutAbsent, withoutFields } from '../core/profile.js';
import type { MicroblogProfile } from './record.js';

/**
 * Maps the microblog network's record onto a Passport profile, the same in both protocol versions.
 *
 * | record (`data`)              | profile           | shape                                                                      |
 * | ---------------------------- | ----------------- | -------------------------------------------------------------------------- |
 * | `id`                         | `id`              | digits, beyond 2^53 for newer accounts                                     |
 * | `name`                       | `displayName`     | free text                                                                  |
 * | `username`                   | `username`        | the handle, without `@`                                                    |
 * | `confirmed_email`, `email`   | `emails[0]`       | `verified: true`: the network returns confirmed addresses only           |
 * | `profile_image_url`          | `photos[0].value` | https URL of a picture of 48 pixels; without `_normal` it is full size |
 * | `username`                   | `profileUrl`      | `https://x.com/<username>`; `data.url` is the user's own web site        |
 *
 * @see https://docs.x.com/x-api/fundamentals/data-dictionary (read 2026-11)
 */
export function mapProfile(record: MicroblogProfile): MappedProfile {
  const { data } = record;
  const username = stringProperty(data, 'username');
  const email = stringProperty(data, 'confirmed_email') ?? stringProperty(data, 'email');
  return {
    id: data.id,
    displayName: stringProperty(data, 'name') ?? '',
    ...withoutAbsent<Partial<MappedProfile>>({
      username,
      // In 1.0 as well: there the network sends null for an unconfirmed address.
      emails: email === undefined ? undefined : [{ value: email, verified: true }],
      ...photosFrom(data.profile_image_url),
      profileUrl:
        username === undefined ? undefined : `https://x.com/${encodeURIComponent(username.toWellFormed())}`,
    }),
  };
}

/**
 * Reads a users lookup in either vocabulary: since OpenAPI 2.167 the network says `pinned_post_id` and `includes.posts` instead of
 * `pinned_tweet_id` and `includes.tweets`. The result has the older names, with the newer ones beside them.
 */
export function readLookup(body: JSONObject): MicroblogProfile {
  const data = property(body, 'data');
  const includes = property(body, 'includes');
  const pinned = stringProperty(data, 'pinned_tweet_id') ?? stringProperty(data, 'pinned_post_id');
  const tweets = property(includes, 'tweets') ?? property(includes, 'posts');
  const older = {
    data: { ...(isObject(data) && data), ...(pinned !== undefined && { pinned_tweet_id: pinned }) },
    ...(isObject(includes) && { includes: { ...includes, ...(tweets !== undefined && { tweets }) } }),
  };
  return { ...body, ...older } as unknown as MicroblogProfile;
}

/**
 * Maps the version 1.1 record (`verify_credentials`) onto the users lookup's, so that an application gets one record from both protocols.
 * `entities` are left out: in version 1.1 they have another form.
 *
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
export function readCredentialsRecord(response: JSONResponse): MicroblogProfile {
  const { body } = response;
  const created = Date.parse(stringProperty(body, 'created_at') ?? '');
  return {
    data: {
      id: credentialsID(response) ?? '',
      name: stringProperty(body, 'name') ?? '',
      username: stringProperty(body, 'screen_name') ?? '',
      ...withoutAbsent<Partial<MicroblogProfile['data']>>({
        created_at: Number.isNaN(created) ? undefined : new Date(created).toISOString(),
        description: stringProperty(body, 'description'),
        email: stringProperty(body, 'email'),
        location: stringProperty(body, 'location'),
        profile_image_url: stringProperty(body, 'profile_image_url_https'),
        protected: booleanProperty(body, 'protected'),
        url: stringProperty(body, 'url'),
        verified: booleanProperty(body, 'verified'),
      }),
    },
  };
}

const IN_DATA = ['created_at', 'description', 'location', 'protected', 'url', 'verified'];

/** Other packages' `_json` is the record of API version 1.1, or only the users lookup's `data`. */
export const MOVED_FIELDS = withoutFields({
  id: 'profile.id',
  id_str: 'profile.id',
  username: 'profile.username',
  screen_name: 'profile.username',
  name: 'profile.displayName',
  email: 'profile.emails',
  profile_image_url: 'profile.photos',
  profile_image_url_https: 'profile.photos',
  ...Object.fromEntries(IN_DATA.map((name) => [name, `profile._json.data.${name}`])),
});

/** `id_str`. Old records have only the number `id`, which other JSON parsers round unless it is a safe integer. */
function credentialsID(response: JSONResponse): string | undefined {
  const [id, text] = [property(response.body, 'id'), property(response.body, 'id_str')];
  if (text !== undefined) return stringProperty(response.body, 'id_str');
  if (!Number.isSafeInteger(id) || Number(id) <= 0) return undefined;
  return exactIdentifier(response, (parsed) => property(parsed, 'id'));
}

function booleanProperty(body: JSONObject, name: string): boolean | undefined {
  const value = property(body, name);
  return typeof value === 'boolean' ? value : undefined;
}
