import { isObject, type JSONObject, member, textMember, withMembers } from '../core/answer.js';
import { type MappedProfile, photosFrom, withoutAbsent } from '../core/profile.js';
import type { MicroblogProfile } from './record.js';

/**
 * Maps the microblog network's record onto a Passport profile, the same in both protocol versions.
 *
 * | record (`data`)              | profile           | shape                                                                      |
 * | ---------------------------- | ----------------- | -------------------------------------------------------------------------- |
 * | `id`                         | `id`              | digits, beyond 2^53 for newer accounts                                     |
 * | `name`                       | `displayName`     | free text                                                                  |
 * | `username`                   | `username`        | the handle, without `@`                                                    |
 * | `confirmed_email`, `email`   | `emails[0]`       | `verified: true`: the network hands out confirmed addresses only           |
 * | `profile_image_url`          | `photos[0].value` | https address of a picture of 48 pixels; without `_normal` it is full size |
 * | `username`                   | `profileUrl`      | `https://x.com/<username>`; `data.url` is the person's own web site        |
 *
 * @see https://docs.x.com/x-api/fundamentals/data-dictionary (read 2026-11)
 */
export function mapProfile(record: MicroblogProfile): MappedProfile {
  const { data } = record;
  const username = textMember(data, 'username');
  const email = textMember(data, 'confirmed_email') ?? textMember(data, 'email');
  return {
    id: data.id,
    displayName: textMember(data, 'name') ?? '',
    ...withoutAbsent<Partial<MappedProfile>>({
      username,
      // Also in 1.0: an address that is not confirmed comes as null there.
      emails: email === undefined ? undefined : [{ value: email, verified: true }],
      ...photosFrom(data.profile_image_url),
      profileUrl:
        username === undefined ? undefined : `https://x.com/${encodeURIComponent(username.toWellFormed())}`,
    }),
  };
}

/**
 * Reads a users lookup in either vocabulary: since OpenAPI 2.167 the network says `pinned_post_id` and `includes.posts`
 * where it said `pinned_tweet_id` and `includes.tweets`. The result has the older names, and keeps the newer beside them.
 */
export function readLookup(body: JSONObject): MicroblogProfile {
  const data = member(body, 'data');
  const includes = member(body, 'includes');
  const pinned = textMember(data, 'pinned_tweet_id') ?? textMember(data, 'pinned_post_id');
  const tweets = member(includes, 'tweets') ?? member(includes, 'posts');
  const older = {
    data: withMembers(isObject(data) ? data : {}, pinned === undefined ? {} : { pinned_tweet_id: pinned }),
    ...(isObject(includes) && { includes: withMembers(includes, tweets === undefined ? {} : { tweets }) }),
  };
  return withMembers(body, older) as unknown as MicroblogProfile;
}

/**
 * Maps the record of version 1.1 (`verify_credentials`) onto the form of the users lookup, so that an application's code does
 * not care which protocol it logged in with. The identifier is `id_str`: `id` is rounded by every JSON parser. `entities` are
 * left out: those of version 1.1 have another form.
 *
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
export function readCredentialsRecord(body: JSONObject): MicroblogProfile {
  const created = Date.parse(textMember(body, 'created_at') ?? '');
  return {
    data: {
      id: textMember(body, 'id_str') ?? '',
      name: textMember(body, 'name') ?? '',
      username: textMember(body, 'screen_name') ?? '',
      ...withoutAbsent<Partial<MicroblogProfile['data']>>({
        created_at: Number.isNaN(created) ? undefined : new Date(created).toISOString(),
        description: textMember(body, 'description'),
        email: textMember(body, 'email'),
        location: textMember(body, 'location'),
        profile_image_url: textMember(body, 'profile_image_url_https'),
        protected: truthMember(body, 'protected'),
        url: textMember(body, 'url'),
        verified: truthMember(body, 'verified'),
      }),
    },
  };
}

function truthMember(body: JSONObject, name: string): boolean | undefined {
  const value = member(body, name);
  return typeof value === 'boolean' ? value : undefined;
}
