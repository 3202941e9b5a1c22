import type { ErrorResponse, ReadErrorResponse } from '../core/errors/index.js';
import {
  errorCode,
  exactIdentifier,
  isError,
  isObject,
  property,
  stringProperty,
} from '../core/http/index.js';
import type { CurrentLogin } from '../core/oauth2/index.js';
import {
  linkFrom,
  type MappedProfile,
  type ProfileName,
  photosFrom,
  withoutAbsent,
  withoutFields,
} from '../core/profile.js';
import type { SocialNetworkProfile, VkIdProfile } from './record.js';

/**
 * The network has two kinds of error responses, with any status: a string `error` at the OAuth endpoints, an object at the API (with HTTP
 * 200). The object's `request_params` are never read: they echo the access token.
 */
export const readErrorResponse: ReadErrorResponse = ({ body, headers }) => {
  // VK ID's check for robots answers with a page; only the header tells.
  if (headers['x-challenge'] === 'required') return { networkCode: 'challenge' };
  const error = property(body, 'error');
  if (isObject(error)) {
    return {
      networkCode: errorCode(property(error, 'error_code')),
      networkMessage: stringProperty(error, 'error_msg'),
      userURL: userURLIn(error),
    };
  }
  if (!isError(error)) return undefined;
  return {
    ...readCode(stringProperty(body, 'error'), stringProperty(body, 'error_description')),
    userURL: userURLIn(body),
  };
};

/** A limit of the API can stand in the place of an OAuth code, as in `9;Flood control`. */
function readCode(error: string | undefined, description: string | undefined): ErrorResponse {
  const [, number, words] = /^(\d+);\s*(.*)$/s.exec(error ?? '') ?? [];
  if (number === undefined) return { networkCode: error, networkMessage: description };
  return { networkCode: number, networkMessage: description ?? words };
}

/** The page that the network wants the user to open, if it is one of the network's: anything else could be anybody's. */
function userURLIn(error: unknown): string | undefined {
  const url = linkFrom(property(error, 'redirect_uri'));
  return url !== undefined && /^https:\/\/(?:[\w-]+\.)*vk\.(?:ru|com)(?:[/?]|$)/i.test(url) ? url : undefined;
}

/**
 * Maps the social network's record (classic protocol) onto a Passport profile.
 *
 * | record                                      | profile                             | shape                                                  |
 * | ------------------------------------------- | ----------------------------------- | ------------------------------------------------------ |
 * | `id`                                        | `id`                                | digits                                                 |
 * | `first_name`, `last_name`                   | `displayName`, `name`               | free text; the last name may be empty                  |
 * | `nickname`                                  | `name.middleName`                   | patronymic or second name                              |
 * | `screen_name`, else `domain`                | `username`                          | the short address, `id<number>` where none was chosen  |
 * | `sex`                                       | `gender`                            | 1 female, 2 male, 0 unknown                            |
 * | `photo_max`, else `photo_200`, `photo_100`  | `photos[0].value`                   | http(s) URL; the network's placeholders are left out  |
 * | `screen_name`, else `id`                    | `profileUrl`                        | `https://vk.ru/<screen_name or id123>`                 |
 * | token response's `email`                     | `emails[0].value`                   | no `verified`: the network does not say                |
 *
 * @param email - From the token response.
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export function mapProfile(
  record: SocialNetworkProfile,
  id: string,
  email: string | undefined,
): MappedProfile {
  const username = stringProperty(record, 'screen_name') ?? stringProperty(record, 'domain');
  const photos = [record.photo_max, record.photo_200, record.photo_100];
  return {
    ...nameOf(record, stringProperty(record, 'nickname')),
    ...detailsOf({ id, username, email, sex: record.sex, photos }),
  };
}

/**
 * Maps VK ID's record onto a Passport profile.
 *
 * | record                                                       | profile               | shape                                              |
 * | ------------------------------------------------------------ | --------------------- | -------------------------------------------------- |
 * | `user.user_id`                                               | `id`                  | digits                                             |
 * | `user.first_name`, `user.last_name`                          | `displayName`, `name` | free text                                          |
 * | `user.sex`                                                   | `gender`              | 1 female, 2 male, 0 unknown                        |
 * | `user.email`                                                 | `emails[0].value`     | no `verified`: `user.verified` is about the account |
 * | `lookup.photo_max`, `photo_200`, `photo_100`, `user.avatar`  | `photos[0].value`     | the first picture that is there                    |
 * | `lookup.screen_name`                                         | `username`            | with `profileFields: ['screen_name']`              |
 * | `lookup.screen_name`, else `user.user_id`                    | `profileUrl`          | `https://vk.ru/<screen_name or id123>`             |
 *
 * @param hasEmailScope - Whether the scope `email` was granted.
 */
export function mapVkIdProfile(
  { user, lookup }: VkIdProfile,
  id: string,
  hasEmailScope: boolean,
): MappedProfile {
  const username = stringProperty(lookup, 'screen_name');
  const email = hasEmailScope ? stringProperty(user, 'email') : undefined;
  const photos = [lookup?.photo_max, lookup?.photo_200, lookup?.photo_100, user.avatar];
  return { ...nameOf(user), ...detailsOf({ id, username, email, sex: user.sex, photos }) };
}

const IN_USER = ['avatar', 'birthday', 'phone', 'sex', 'verified'];

/** The `_json` of other packages, and of the classic protocol, is only the user. */
export const MOVED_FIELDS = withoutFields({
  id: 'profile.id',
  user_id: 'profile.id',
  first_name: 'profile.name',
  last_name: 'profile.name',
  email: 'profile.emails',
  screen_name: 'profile.username',
  ...Object.fromEntries(IN_USER.map((name) => [name, `profile._json.user.${name}`])),
});

interface Details {
  readonly id: string;
  readonly username: string | undefined;
  readonly email: string | undefined;
  readonly sex: unknown;
  /** URLs, the largest first. */
  readonly photos: readonly unknown[];
}

/** What both protocols' records map onto a profile in the same way. */
function detailsOf({ id, username, email, sex, photos }: Details) {
  return {
    id,
    ...withoutAbsent<Partial<MappedProfile>>({
      username,
      gender: sex === 1 ? 'female' : sex === 2 ? 'male' : undefined,
      emails: email === undefined ? undefined : [{ value: email }],
      ...photosFrom(...photos.filter(isPicture)),
      profileUrl: `https://vk.ru/${encodeURIComponent((username ?? `id${id}`).toWellFormed())}`,
    }),
  };
}

/** The name, from the record of either protocol. */
function nameOf(record: object, middleName?: string): Pick<MappedProfile, 'displayName' | 'name'> {
  const givenName = stringProperty(record, 'first_name');
  const familyName = stringProperty(record, 'last_name');
  const name = withoutAbsent<ProfileName>({ familyName, givenName, middleName });
  return {
    displayName: [givenName, familyName].filter(Boolean).join(' '),
    ...(Object.keys(name).length > 0 && { name }),
  };
}

/** Without a picture the network sends that of a camera or of a crossed-out face. */
function isPicture(url: unknown): boolean {
  return typeof url === 'string' && !/\/(camera|deactivated)_[^/]*$/.test(url);
}

/** A user's number, digit by digit, from a response's text. */
export function identifier(
  response: { readonly text: string; readonly body: unknown },
  pick: (body: unknown) => unknown,
): string | undefined {
  const digits = exactIdentifier(response, pick);
  return digits !== undefined && /^[1-9]\d*$/.test(digits) ? digits : undefined;
}

/** The user in a response of `users.get`, which is a list of one. */
export function firstUser(body: unknown): unknown {
  const users = property(body, 'response');
  return Array.isArray(users) ? users[0] : undefined;
}

/** Whether the token response identifies another user. It need not identify any, but what it has must be an ID. */
export function isAnotherUser(id: string, login: CurrentLogin | undefined): boolean {
  const named = property(login?.params, 'user_id');
  if (!login || named === undefined || named === null) return false;
  return identifier({ text: login.text, body: login.params }, (body) => property(body, 'user_id')) !== id;
}
