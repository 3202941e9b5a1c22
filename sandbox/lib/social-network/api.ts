import { type Grant, type LookupResult, liveGrant } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { SandboxPerson } from '../people.js';
import { bearerToken, type NetworkRequest, type Parameters, queryAndBody } from '../request.js';
import { json, type NetworkResponse } from '../response.js';
import type { World } from '../world.js';
import { BELIEFS } from './beliefs.js';
import { apiError } from './error-responses.js';
import { socialNetworkUser } from './record.js';

/** Looks up an access token, of either protocol. */
type TokenFinder = (accessToken: string | undefined) => LookupResult<Grant>;

/**
 * The social network's API, as far as a login needs it: `users.get`. Every error has HTTP 200.
 *
 * @see https://dev.vk.com/en/api/api-requests (read 2026-11)
 */
export class SocialNetworkApi implements Network {
  readonly endpoints: readonly Endpoint[];

  constructor(
    private readonly world: World,
    private readonly findToken: TokenFinder,
  ) {
    const network = 'social-network';
    const path = '/social-network/method/users.get';
    const usersGet = {
      network,
      name: 'users.get',
      path,
      handle: (request: NetworkRequest) => this.usersGet(request),
    } as const;
    const unknown = {
      network,
      name: 'unknown method',
      path: '/social-network/method/:name',
      handle: unknownMethod,
    } as const;
    this.endpoints = [
      { ...usersGet, method: 'get' },
      { ...usersGet, method: 'post' },
      { ...unknown, method: 'get' },
      { ...unknown, method: 'post' },
    ];
  }

  private usersGet(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    const version = versionProblem(parameters.get('v'));
    if (version !== undefined) {
      const reason = 'v is missing or below 5.81';
      throw apiError(BELIEFS.version, 8, `Invalid request: ${version}`, reason, parameters);
    }
    const owner = this.owner(request, parameters);
    const fields = (parameters.get('fields') ?? '').split(',').map((field) => field.trim());
    const people = this.requestedPeople(owner, parameters.get('user_ids'));
    return json({ response: people.map((person) => socialNetworkUser(this.world, person, fields)) });
  }

  private owner(request: NetworkRequest, parameters: Parameters): SandboxPerson {
    const token = bearerToken(request) ?? parameters.get('access_token');
    const found = this.findToken(token);
    const grant = liveGrant(found);
    if (grant) return grant.person;
    if (found.state === 'expired') {
      const reason = 'the token has expired';
      throw apiError(BELIEFS.token, 1117, 'Access token has expired', reason, parameters);
    }
    const problem = tokenProblem(token, found);
    throw apiError(BELIEFS.token, 5, `User authorization failed: ${problem}.`, problem, parameters);
  }

  /** The owner of the token, unless the request names IDs or short names. Unknown ones are left out. */
  private requestedPeople(owner: SandboxPerson, ids: string | undefined): readonly SandboxPerson[] {
    if (!ids) return [owner];
    const requested = ids.split(',');
    return this.world.people.filter(
      (person) => requested.includes(String(person.socialNetworkId)) || requested.includes(person.handle),
    );
  }
}

/** The network's error message for an API version; `undefined` for a supported one. */
export function versionProblem(version: string | undefined): string | undefined {
  if (!version) return 'v (version) is required';
  const [, minor] = /^5\.(\d{1,3})$/.exec(version) ?? [];
  if (minor !== undefined && Number(minor) >= 81) return undefined;
  return 'versions below 5.81 are deprecated. Version param should be passed as "v".';
}

function tokenProblem(token: string | undefined, found: LookupResult<Grant>): string {
  if (!token) return 'no access_token passed';
  return found.state === 'unknown' ? 'invalid access_token (4)' : 'user revoke access for this token';
}

function unknownMethod(request: NetworkRequest): NetworkResponse {
  const reason = 'no such method; method names are case-sensitive';
  throw apiError(BELIEFS.method, 3, 'Unknown method passed', reason, queryAndBody(request));
}
