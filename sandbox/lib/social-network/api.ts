import type { NetworkRequest, NetworkResponse, Parameters } from '../core/http.js';
import { bearerToken, json, queryAndBody } from '../core/http.js';
import { type Endpoint, get, post } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import { type Credentials, type Grant, liveGrant, type World } from '../core/world.js';
import { BELIEFS } from './beliefs.js';
import { apiError } from './error-responses.js';

/** `users.get`, for the tokens of both protocols. Every error has HTTP 200. */
export function socialNetworkApi(world: World, accessTokens: Credentials<Grant>): readonly Endpoint[] {
  function usersGet(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    request.notes.keeps(BELIEFS.version, BELIEFS.token);
    const version = versionProblem(parameters.one('v'));
    if (version !== undefined) {
      const reason = 'v is missing or below 5.81';
      throw apiError(BELIEFS.version, 8, `Invalid request: ${version}`, reason, parameters);
    }
    const owner = ownerOf(request, parameters);
    const fields = (parameters.one('fields') ?? '').split(',').map((field) => field.trim());
    // The owner of the token, unless the request names IDs or short names. Unknown ones are left out.
    const ids = parameters.one('user_ids')?.split(',');
    const isNamed = ({ socialNetworkId, handle }: SandboxPerson) =>
      [String(socialNetworkId), handle].some((name) => ids?.includes(name));
    const people = parameters.one('user_ids') ? world.people.filter(isNamed) : [owner];
    return json({ response: people.map((person) => socialNetworkUser(world, person, fields)) });
  }

  function ownerOf(request: NetworkRequest, parameters: Parameters): SandboxPerson {
    const token = bearerToken(request) ?? parameters.one('access_token');
    const found = accessTokens.find(token);
    const grant = liveGrant(found);
    if (grant) return grant.person;
    if (found.state === 'expired')
      throw apiError(BELIEFS.token, 1117, 'Access token has expired', 'the token has expired', parameters);
    const invalid =
      found.state === 'unknown' ? 'invalid access_token (4)' : 'user revoke access for this token';
    const problem = token ? invalid : 'no access_token passed';
    throw apiError(BELIEFS.token, 5, `User authorization failed: ${problem}.`, problem, parameters);
  }

  function unknownMethod(request: NetworkRequest): NetworkResponse {
    const reason = 'no such method; method names are case-sensitive';
    throw apiError(BELIEFS.method, 3, 'Unknown method passed', reason, queryAndBody(request));
  }

  return [get, post].flatMap((endpoint) => [
    endpoint('users.get', '/social-network/method/users.get', usersGet),
    endpoint('unknown method', '/social-network/method/:name', unknownMethod),
  ]);
}

/** The network's error message for an API version; `undefined` for a supported one. */
export function versionProblem(version: string | undefined): string | undefined {
  if (!version) return 'v (version) is required';
  const [, minor] = /^5\.(\d{1,3})$/.exec(version) ?? [];
  if (minor !== undefined && Number(minor) >= 81) return undefined;
  return 'versions below 5.81 are deprecated. Version param should be passed as "v".';
}

const PLACEHOLDER = '/images/camera_b.gif';

/** The requested fields that have a value. Unknown ones are ignored. A deactivated account has only its ID and name. */
function socialNetworkUser(world: World, person: SandboxPerson, fields: readonly string[]): object {
  const name = { id: person.socialNetworkId, first_name: person.givenName, last_name: person.familyName };
  if (person.deactivated) {
    const first_name = person.deactivated === 'deleted' ? 'DELETED' : person.givenName;
    return { ...name, first_name, deactivated: person.deactivated };
  }
  const wanted = Object.entries(optionalFields(world, person)).filter(([field]) => fields.includes(field));
  return {
    ...name,
    can_access_closed: true,
    is_closed: person.closed ?? false,
    ...Object.fromEntries(wanted),
    ...(fields.includes('contacts') && { mobile_phone: person.phone ?? '', home_phone: '' }),
    ...(fields.includes('connections') && { skype: person.handle }),
    ...(fields.includes('education') && { university: 0, university_name: '' }),
  };
}

/** The user object of VK ID. A value is missing when its scope was not granted, and empty when the user has none. */
export function vkIdUser(world: World, { person, scopes }: Grant) {
  // DD.MM.YYYY, or nothing when the year is hidden.
  const parts = person.birthday?.year === undefined ? [] : partsOf(person.birthday);
  return {
    // A string here, but a number in the token response.
    user_id: String(person.socialNetworkId),
    first_name: person.givenName,
    last_name: person.familyName,
    avatar: world.picture(person, 50) ?? `${world.url}${PLACEHOLDER}`,
    sex: sexOf(person),
    verified: person.verified ?? false,
    ...(parts.length > 0 && { birthday: parts.map((part) => String(part).padStart(2, '0')).join('.') }),
    ...(scopes.includes('email') && { email: person.email ?? '' }),
    ...(scopes.includes('phone') && { phone: person.phone ?? '' }),
  };
}

/** An initial in place of the last name; phone number and e-mail address are masked, and empty unless granted. */
export function maskedVkIdUser(world: World, grant: Grant): object {
  const { user_id, first_name, last_name, avatar, phone = '', email = '' } = vkIdUser(world, grant);
  return {
    user_id,
    first_name,
    last_name: last_name.replace(/^(.).*$/u, '$1.'),
    phone: phone && `+${phone.slice(0, 4)} *** ** ${phone.slice(-2)}`,
    avatar,
    email: email.replace(/^(.{1,2}).*@/u, '$1***@'),
  };
}

function optionalFields(world: World, person: SandboxPerson): object {
  const photo = (pixels: number): string => world.picture(person, pixels) ?? `${world.url}${PLACEHOLDER}`;
  // Square pictures by width. Those wider than the original are missing. Without a picture, all are the placeholder.
  const isSmall = person.picture === 'small';
  const large = { photo_200: photo(200), photo_200_orig: photo(200), photo_400_orig: photo(400) };
  return {
    photo_50: photo(50),
    photo_100: photo(100),
    ...(!isSmall && large),
    photo_max: photo(isSmall ? 100 : 400),
    photo_max_orig: photo(isSmall ? 100 : 400),
    about: person.description ?? '',
    career: [],
    military: [],
    // D.M.YYYY, or D.M when the year is hidden.
    bdate: person.birthday && partsOf(person.birthday).join('.'),
    city: person.location && { id: 1, title: person.location },
    country: person.location && { id: 1, title: 'Sandbox' },
    domain: person.handle,
    followers_count: 1200,
    has_mobile: person.phone ? 1 : 0,
    has_photo: person.picture ? 1 : 0,
    home_town: person.location ?? '',
    nickname: '',
    online: 0,
    screen_name: person.handle,
    sex: sexOf(person),
    site: person.website ?? '',
    status: person.description ?? '',
    timezone: 3,
    verified: person.verified ? 1 : 0,
  };
}

const sexOf = ({ sex }: SandboxPerson): number => [undefined, 'female', 'male'].indexOf(sex);

const partsOf = ({ day, month, year }: NonNullable<SandboxPerson['birthday']>): readonly number[] =>
  year === undefined ? [day, month] : [day, month, year];
