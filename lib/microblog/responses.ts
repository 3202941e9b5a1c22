import { ProviderError, type ReadErrorResponse, RefusedError } from '../core/errors/index.js';
import * as http from '../core/http/index.js';
import { type MappedProfile, photosFrom, withoutAbsent, withoutFields } from '../core/profile.js';
import type { MicroblogOAuth1Record, MicroblogRecord } from './record.js';

/** The picture of users who have none, such as `default_profile_normal.png`. */
const PLACEHOLDER = /\/default_profile[^/]*$/;

/**
 * The network has five kinds of error responses. Which one comes depends on the endpoint; the content type does not tell. In this order: a
 * problem (`title`, `detail`, `type`), a list `errors`, an OAuth error, XML in two forms, a short plain sentence.
 */
export const readErrorResponse: ReadErrorResponse = (response) => {
  const error = http.isObject(response.body) ? readJSON(response.status, response.body) : readText(response);
  return error && { ...error, retryAfter: secondsUntilReset(response) };
};

function readJSON(status: number, body: object) {
  // Beside a record, `errors` lists the parts that could not be returned. Beside an empty one, it says why.
  if (status < 300 && http.property(http.property(body, 'data'), 'id') !== undefined) return undefined;
  const errors = http.property(body, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const problem = readProblem(body);
  // The one in the list names the parameter and its accepted values, the outer one only says that there is such a parameter.
  if (problem)
    return { ...problem, networkMessage: http.stringProperty(first, 'message') ?? problem.networkMessage };
  const error = http.stringProperty(body, 'error');
  if (http.isObject(first) && (error === undefined || http.property(first, 'code') !== undefined))
    return readListed(first);
  if (error === undefined) {
    // The default answer of the API description: a code beside a message.
    const isCoded = status >= 400 && http.stringProperty(body, 'message') !== undefined;
    return isCoded || http.isError(http.property(body, 'error')) ? readListed(body) : undefined;
  }
  // `{"error":"Invalid / expired Token"}`: a sentence is no code.
  if (/\s/.test(error)) return { networkMessage: error };
  return { networkCode: error, networkMessage: http.stringProperty(body, 'error_description') };
}

function readListed(first: object) {
  const networkCode = http.errorCode(http.property(first, 'code'));
  return readProblem(first) ?? { networkCode, networkMessage: http.stringProperty(first, 'message') };
}

function readProblem(body: object) {
  const title = http.stringProperty(body, 'title');
  if (title === undefined) return undefined;
  const type = http.stringProperty(body, 'type') ?? 'about:blank';
  // The last part of the type, a URL whose host has changed before.
  const networkCode = type === 'about:blank' ? title : type.split('/').at(-1);
  return { networkCode, networkMessage: http.stringProperty(body, 'detail') ?? title };
}

function readText({ status, text }: http.NetworkResponse) {
  if (status < 400) return undefined;
  const [, code, coded] = /<error code="(\d+)">([^<]*)<\/error>/.exec(text) ?? [];
  if (code !== undefined) return { networkCode: code, networkMessage: coded };
  const [, plain] = /<hash>\s*(?:<request>[^<]*<\/request>\s*)?<error>([^<]*)<\/error>/.exec(text) ?? [];
  if (plain !== undefined) return { networkMessage: plain };
  // Not a form or JSON that broke off: they may hold tokens.
  const isSentence = text.length > 0 && text.length <= 200 && !/[<=]|^\s*[[{"]/.test(text);
  return isSentence ? { networkMessage: text } : undefined;
}

/** The limits that the network counts: of 15 minutes, and of 24 hours for the user and for the application. */
const CLOCKS = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour'];

/**
 * Seconds until the limit that is used up is reset: the latest, if several are. Resets are in seconds since the epoch.
 *
 * @see https://docs.x.com/x-api/fundamentals/rate-limits (read 2026-11); those of 24 hours are observed
 */
function secondsUntilReset({ status, headers }: http.NetworkResponse): number | undefined {
  if (status !== 429) return undefined;
  const used = CLOCKS.filter((clock) => headers[`${clock}-remaining`] === '0');
  const resets = (used.length > 0 ? used : CLOCKS.slice(0, 1))
    .map((clock) => Number(headers[`${clock}-reset`]))
    .filter((reset) => reset > 0 && reset < 1e11);
  return resets.length > 0 ? Math.max(0, Math.ceil(Math.max(...resets) - Date.now() / 1_000)) : undefined;
}

/**
 * Maps the microblog network's record onto a Passport profile, the same in both protocol versions.
 *
 * | record (`data`)              | profile           | shape                                                                      |
 * | ---------------------------- | ----------------- | -------------------------------------------------------------------------- |
 * | `id`                         | `id`              | digits, beyond 2^53 for newer accounts                                     |
 * | `name`                       | `displayName`     | free text                                                                  |
 * | `username`                   | `username`        | the handle, without `@`                                                    |
 * | `confirmed_email`, `email`   | `emails[0]`       | `verified: true`: the network returns confirmed addresses only           |
 * | `profile_image_url`          | `photos[0].value` | https URL of a picture of 48 pixels; without `_normal` it is full size. No placeholder |
 * | `username`                   | `profileUrl`      | `https://x.com/<username>`; `data.url` is the user's own web site        |
 *
 * @see https://docs.x.com/x-api/fundamentals/data-dictionary (read 2026-11)
 */
export function mapProfile(record: MicroblogRecord): MappedProfile {
  const { data } = record;
  const username = http.stringProperty(data, 'username');
  const email = http.stringProperty(data, 'confirmed_email') ?? http.stringProperty(data, 'email');
  return {
    id: data.id,
    displayName: http.stringProperty(data, 'name') ?? '',
    ...withoutAbsent<Partial<MappedProfile>>({
      username,
      // In 1.0 as well: there the network sends null for an unconfirmed address.
      emails: email === undefined ? undefined : [{ value: email, verified: true }],
      ...(record.default_profile_image !== true && photosFrom([data.profile_image_url], PLACEHOLDER)),
      profileUrl: username === undefined ? undefined : `https://x.com/${encodeURIComponent(username)}`,
    }),
  };
}

/**
 * Reads a users lookup in either vocabulary: since OpenAPI 2.167 the network says `pinned_post_id` and `includes.posts` instead of
 * `pinned_tweet_id` and `includes.tweets`. The result has the older names, with the newer ones beside them.
 */
export function readLookup(body: http.JSONObject): MicroblogRecord {
  const data = http.property(body, 'data');
  const includes = http.property(body, 'includes');
  const pinned = http.stringProperty(data, 'pinned_tweet_id') ?? http.stringProperty(data, 'pinned_post_id');
  const tweets = http.property(includes, 'tweets') ?? http.property(includes, 'posts');
  const older = {
    data: { ...(http.isObject(data) && data), ...(pinned !== undefined && { pinned_tweet_id: pinned }) },
    ...(http.isObject(includes) && { includes: { ...includes, ...(tweets !== undefined && { tweets }) } }),
  };
  return { ...body, ...older } as unknown as MicroblogRecord;
}

/** What an application gets that may not use the endpoint, or if the endpoint is gone. */
const CLOSED_STATUS = [403, 404, 410];
/** What concerns the account, the token or the client: another endpoint would refuse it as well. */
const REFUSED_EVERYWHERE = ['account unusable', 'access token spent', 'client refused'];

/** Whether the application may not use the endpoint: it has no right or no credits, which says nothing against the user. */
export function isClosed(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false;
  const means = error instanceof RefusedError ? error.means : undefined;
  if (means === 'application closed') return true;
  return CLOSED_STATUS.includes(error.networkStatus ?? 0) && !REFUSED_EVERYWHERE.includes(means ?? '');
}

/**
 * Puts the users lookup's `data` beside the version 1.1 record, which stays as it was sent. `data` lacks `entities`: here they have another form.
 *
 * @see https://developer.x.com/en/docs/x-api/v1/accounts-and-users/manage-account-settings/api-reference/get-account-verify_credentials (read 2026-11)
 */
export function readCredentialsRecord(response: http.JSONResponse): MicroblogRecord {
  const { body } = response;
  const record: Partial<MicroblogOAuth1Record> = body;
  const created = Date.parse(http.stringProperty(body, 'created_at') ?? '');
  const metrics = withoutAbsent({
    followers_count: record.followers_count,
    following_count: record.friends_count,
    tweet_count: record.statuses_count,
    listed_count: record.listed_count,
  });
  const older = withoutAbsent({
    created_at: Number.isNaN(created) ? undefined : new Date(created).toISOString(),
    description: record.description,
    email: record.email,
    location: record.location,
    profile_banner_url: record.profile_banner_url,
    profile_image_url: record.profile_image_url_https,
    protected: record.protected,
    public_metrics: Object.keys(metrics).length > 0 ? metrics : undefined,
    url: record.url,
    verified: record.verified,
  });
  const id = credentialsID(response) ?? '';
  const name = http.stringProperty(body, 'name') ?? '';
  const username = http.stringProperty(body, 'screen_name') ?? '';
  return { ...body, data: { id, name, username, ...older } };
}

/** `id_str`. Old records have only the number `id`, which other JSON parsers round unless it is a safe integer. */
function credentialsID(response: http.JSONResponse): string | undefined {
  const [id, text] = [http.property(response.body, 'id'), http.property(response.body, 'id_str')];
  if (text !== undefined) return http.stringProperty(response.body, 'id_str');
  if (!Number.isSafeInteger(id) || Number(id) <= 0) return undefined;
  return http.exactIdentifier(response, (parsed) => http.property(parsed, 'id'));
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
