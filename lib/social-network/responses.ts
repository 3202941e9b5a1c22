import { LoginFailure, type ReadErrorResponse } from '../core/errors/index.js';
import * as http from '../core/http/index.js';
import type { AuthorizationResponse } from '../core/login/index.js';
import { type CurrentLogin, scopeList } from '../core/oauth2/index.js';
import { linkFrom, type MappedProfile, photosFrom, withoutAbsent, withoutFields } from '../core/profile.js';
import { SCOPE_BITS } from './facts.js';
import type { SocialNetworkRecord, VkIdUser } from './record.js';

/** Two kinds of error responses, with any status: a string `error`, and the API's object, whose `request_params` echo the access token. */
export const readErrorResponse: ReadErrorResponse = ({ body, headers }) => {
  // VK ID's check for robots answers with a page; only the header tells.
  if (headers['x-challenge'] === 'required') return { networkCode: 'challenge' };
  const error = http.property(body, 'error');
  if (!http.isError(error)) return undefined;
  const [place, code, networkMessage] = http.isObject(error)
    ? [error, http.errorCode(http.property(error, 'error_code')), http.stringProperty(error, 'error_msg')]
    : [body, http.stringProperty(body, 'error'), http.stringProperty(body, 'error_description')];
  // A limit of the API can stand in the place of an OAuth code, as in `9;Flood control`.
  const [, networkCode = code, words] = (place === body && /^(\d+);\s*(.*)/s.exec(code ?? '')) || [];
  return { networkCode, networkMessage: networkMessage ?? words, userURL: userURLIn(place) };
};

/** The page that the network wants the user to open, if it is one of the network's: anything else could be anybody's. */
function userURLIn(error: unknown): string | undefined {
  const url = linkFrom(http.property(error, 'redirect_uri'));
  return url !== undefined && /^https:\/\/(?:[\w-]+\.)*vk\.(?:ru|com)(?:[/?]|$)/i.test(url) ? url : undefined;
}

/** Without a picture the network sends that of a camera or of a crossed-out face. */
const PLACEHOLDER = /\/(camera|deactivated)_[^/]*$/;

/** Sizes of the pictures in the record of `users.get`, the largest first: the uncut ones are as wide as the square ones, and higher. */
const SIZES = ['max_orig', '400_orig', '400', 'max', '200_orig', '200', '100', '50'] as const;

/**
 * Maps the social network's record, of either protocol, onto a Passport profile.
 *
 * | `users.get`                        | VK ID (`user`)            | profile               | shape                                                 |
 * | ---------------------------------- | ------------------------- | --------------------- | ----------------------------------------------------- |
 * | `id`                               | `user_id`                 | `id`                  | digits                                                |
 * | `first_name`, `last_name`          | the same                  | `displayName`, `name` | free text; the last name may be empty                 |
 * | `nickname`                         |                           | `name.middleName`     | patronymic or second name                             |
 * | `screen_name`, else `domain`       |                           | `username`            | the short address, `id<number>` where none was chosen |
 * | `sex`                              | the same                  | `gender`              | 1 female, 2 male                                      |
 * | the largest of `photo_*`           | `avatar`                  | `photos[0].value`     | http(s) URL; placeholders are left out                |
 * | `screen_name`, else `id`           | `user_id`                 | `profileUrl`          | `https://vk.ru/<screen_name or id123>`                |
 * | (token response's `email`)         | `email`                   | `emails[0].value`     | no `verified`: the network does not say               |
 *
 * In VK ID the record of `users.get`, with `profileFields`, adds the handle and larger pictures.
 *
 * @param named - Has the name and the sex: the record, or VK ID's `user`.
 * @param record - That of `users.get`, if there is one.
 * @see https://dev.vk.com/ru/reference/objects/user (read 2026-11)
 */
export function mapProfile(
  id: string,
  named: SocialNetworkRecord | VkIdUser,
  record: SocialNetworkRecord | undefined,
  email: string | undefined,
): MappedProfile {
  const givenName = http.stringProperty(named, 'first_name');
  const familyName = http.stringProperty(named, 'last_name');
  const middleName = http.stringProperty(named, 'nickname');
  const name = withoutAbsent({ familyName, givenName, middleName });
  const username = http.stringProperty(record, 'screen_name') ?? http.stringProperty(record, 'domain');
  const pictures = [...SIZES.map((size) => record?.[`photo_${size}`]), http.property(named, 'avatar')];
  return {
    id,
    displayName: [givenName, familyName].filter(Boolean).join(' '),
    ...(Object.keys(name).length > 0 && { name }),
    ...withoutAbsent<Partial<MappedProfile>>({
      username,
      gender: named.sex === 1 ? 'female' : named.sex === 2 ? 'male' : undefined,
      emails: email ? [{ value: email }] : undefined,
      ...photosFrom(pictures, PLACEHOLDER),
      profileUrl: `https://vk.ru/${encodeURIComponent(username ?? `id${id}`)}`,
    }),
  };
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

/** A user's number, digit by digit, from a response's text. */
export function identifier(
  response: { readonly text: string; readonly body: unknown },
  pick: (body: unknown) => unknown,
): string | undefined {
  const digits = http.exactIdentifier(response, pick);
  return digits !== undefined && /^[1-9]\d*$/.test(digits) ? digits : undefined;
}

/** The user in a response of `users.get`, which is a list of one. */
export function firstUser(body: unknown): unknown {
  const users = http.property(body, 'response');
  return Array.isArray(users) ? users[0] : undefined;
}

/** The ID of that user. */
export const lookedUpID = (response: http.JSONResponse) =>
  identifier(response, (body) => http.property(firstUser(body), 'id'));

/** The user whom a token response names, if it names one; an empty string for what is no ID. */
export function namedUser(login: CurrentLogin | undefined): string | undefined {
  const named = http.property(login?.params, 'user_id');
  if (!login || named === undefined || named === null) return undefined;
  return identifier({ text: login.text, body: login.params }, (body) => http.property(body, 'user_id')) ?? '';
}

export const malformed = (problem: string) =>
  new LoginFailure('malformed_response', `${problem} Start the login again.`);

const RESPONSE_PARAMETERS = ['code', 'state', 'device_id', 'error', 'error_description', 'iss'];

/**
 * The network sends its parameters flat, or packs all of them into one as JSON, sometimes JSON in a JSON string. One of the two is read, never
 * both: a code from one place with a state from the other is an attack.
 */
export function unpackResponse(response: AuthorizationResponse): AuthorizationResponse {
  const { payload, ...flat } = response;
  if (payload === undefined || RESPONSE_PARAMETERS.some((name) => flat[name] !== undefined)) return flat;
  const once = http.parseJSON(payload);
  const packed = typeof once === 'string' ? http.parseJSON(once) : once;
  if (!http.isObject(packed)) throw malformed("The callback's payload is not JSON.");
  const unpacked = Object.entries(packed).filter(
    ([name, value]) => RESPONSE_PARAMETERS.includes(name) && typeof value === 'string' && value !== '',
  );
  return Object.fromEntries(unpacked) as AuthorizationResponse;
}

/** @see https://github.com/VKCOM/vkid-web-sdk (read 2026-11) */
export const isConfirmed = ({ body }: http.NetworkResponse) => http.property(body, 'response') === 1;

/** The scopes that the user granted, from the token response (`params` of verify). Empty if it has none: then the requested ones are granted. */
export function grantedScopes(params: object): string[] {
  const scope = http.property(params, 'scope');
  const isMask = typeof scope === 'number' || (typeof scope === 'string' && /^\d+$/.test(scope));
  if (!isMask) return scopeList(typeof scope === 'string' ? scope : undefined);
  return Object.keys(SCOPE_BITS).filter((name) => (Number(scope) & (SCOPE_BITS[name] ?? 0)) !== 0);
}
