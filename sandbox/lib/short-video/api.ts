import { json, type NetworkRequest, type NetworkResponse } from '../core/http.js';
import type { SandboxPerson } from '../core/people.js';
import type { Grant, LookupResult, World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';
import { logId, shortVideoApiError } from './error-responses.js';

const BASIC = 'user.info.basic';
const PROFILE = 'user.info.profile';
const STATS = 'user.info.stats';

type Field = readonly [scope: string, value: (person: SandboxPerson, world: World) => unknown];

/** Scope and value of each field of the user record. @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11) */
const FIELDS: Readonly<Record<string, Field>> = {
  open_id: [BASIC, ({ openId }) => openId],
  union_id: [BASIC, ({ unionId }) => unionId || undefined],
  avatar_url: [BASIC, (person, world) => world.picture(person) ?? ''],
  avatar_url_100: [BASIC, (person, world) => world.picture(person, 100) ?? ''],
  avatar_large_url: [BASIC, (person, world) => world.picture(person, 720) ?? ''],
  display_name: [BASIC, ({ displayName }) => displayName],
  username: [PROFILE, ({ handle }) => handle],
  bio_description: [PROFILE, ({ description }) => description || undefined],
  profile_deep_link: [PROFILE, ({ handle }, { url }) => `${url}/short-video/@${handle}`],
  is_verified: [PROFILE, ({ verified }) => verified ?? false],
  follower_count: [STATS, () => 1200],
  following_count: [STATS, () => 34],
  likes_count: [STATS, () => 56000],
  video_count: [STATS, () => 78],
};

/** Fields of `user.info.basic` that may come with `user.info.profile` alone. */
const ALSO_IN_PROFILE = ['open_id', 'union_id', 'avatar_url', 'avatar_large_url', 'display_name'];

/** The user record, with the requested fields that have a value. A success also has an `error` object, with the code `ok`. */
export function shortVideoUserInfo(
  world: World,
  request: NetworkRequest,
  token: LookupResult<Grant>,
): NetworkResponse {
  const { clock } = world;
  const hold = request.notes.holdTo(shortVideoApiError(clock, 'access_token_invalid'));
  const grant = hold.live(BELIEFS.bearer, 'the bearer token', token);
  const pairs = requestedFields(world, request, grant).map((name) => [
    name,
    FIELDS[name]?.[1](grant.person, world),
  ]);
  const user = Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  return json({ data: { user }, error: { code: 'ok', message: '', log_id: logId(clock) } });
}

/** A single field beyond the granted scopes fails the whole request. */
function requestedFields(
  { clock }: World,
  { query, notes }: NetworkRequest,
  { scopes }: Grant,
): readonly string[] {
  const holdForm = notes.holdTo(shortVideoApiError(clock, 'invalid_params'));
  const given = query.get('fields') ?? '';
  holdForm(BELIEFS.fields, given === '' && 'fields is missing, empty or given twice');
  const names = given.split(',');
  const fields = names.filter((name) => Object.hasOwn(FIELDS, name));
  holdForm(BELIEFS.fieldNames, fields.length < names.length && 'fields names a field that does not exist');
  const scopeOf = (field: string): string => FIELDS[field]?.[0] ?? '';
  const beyond = fields.filter((field) => !scopes.includes(scopeOf(field)));
  const isForbidden = (field: string) => !scopes.includes(PROFILE) || !ALSO_IN_PROFILE.includes(field);
  const problem = (field: string | undefined) =>
    field && `${field} needs ${scopeOf(field)}, which was not granted`;
  const holdScope = notes.holdTo(shortVideoApiError(clock, 'scope_not_authorized'));
  holdScope(BELIEFS.fieldScopes, problem(beyond.find(isForbidden)));
  holdScope(BELIEFS.basicScope, problem(beyond[0]));
  return fields;
}
