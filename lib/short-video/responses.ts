import type { ReadErrorResponse } from '../core/errors/index.js';
import { errorCode, isError, isObject, property, stringProperty } from '../core/http/index.js';
import { linkFrom, type MappedProfile, photosFrom, withoutAbsent } from '../core/profile.js';
import type { ShortVideoRecord } from './record.js';

/** The picture of users who have none. @see observed: the network's Android application recognises it by this number */
const PLACEHOLDER = /\/1594805258216454[~.]/;

/**
 * The network has three kinds of error responses, with any status: flat strings at the OAuth endpoints (with HTTP 200), an object `error` at the
 * API, where the code `ok` means success and which also comes alone, and the `data` of older versions.
 */
export const readErrorResponse: ReadErrorResponse = ({ body, headers }) => {
  const flat = stringProperty(body, 'error');
  const nested = property(body, 'error');
  const data = property(body, 'data');
  const older = errorCode(property(data, 'error_code'));
  if (older !== undefined && older !== '0') {
    return { networkCode: older, networkMessage: stringProperty(data, 'description') };
  }
  const api = isObject(nested) ? nested : body;
  const code = flat ?? errorCode(property(api, 'code'));
  if (code === 'ok' || (code === undefined && !isError(nested))) return undefined;
  return {
    networkCode: code,
    networkMessage: stringProperty(api, flat === undefined ? 'message' : 'error_description'),
    requestId: stringProperty(api, 'log_id') ?? [headers['x-tt-logid']].flat()[0],
  };
};

/**
 * Maps the short-video network's record onto a Passport profile.
 *
 * | record (`data.user`)                                  | profile           | shape                                                     |
 * | ----------------------------------------------------- | ----------------- | --------------------------------------------------------- |
 * | `open_id`                                             | `id`              | opaque, case-sensitive string; a different one in every app |
 * | `display_name`                                        | `displayName`     | free text, neither unique nor stable                      |
 * | `username`                                            | `username`        | only when its scope was granted                            |
 * | `avatar_large_url`, else `avatar_url`, `avatar_url_100` | `photos[0].value` | signed https URL that expires within days               |
 * | `profile_deep_link`                                   | `profileUrl`      | only when its scope was granted                            |
 *
 * Never sets `emails`: the network has none to give.
 *
 * @param record - The response to the user-info request; its `open_id` was checked.
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11)
 */
export function mapProfile(record: ShortVideoRecord): MappedProfile {
  const { user } = record.data;
  return {
    id: user.open_id,
    displayName: stringProperty(user, 'display_name') ?? '',
    ...withoutAbsent<Partial<MappedProfile>>({
      username: stringProperty(user, 'username'),
      ...photosFrom([user.avatar_large_url, user.avatar_url, user.avatar_url_100], PLACEHOLDER),
      profileUrl: linkFrom(user.profile_deep_link),
    }),
  };
}
