import { type Answer, json, Refusal } from '../answer.js';
import { bearerToken, type Call, queryAndForm } from '../call.js';
import { type Finding, type Grant, liveGrant } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { Parameters } from '../parameters.js';
import type { SandboxPerson } from '../people.js';
import type { World } from '../world.js';
import { socialNetworkUser } from './record.js';

/** Finds what an access token stands for, in either protocol. */
export type TokenFinder = (accessToken: string | undefined) => Finding<Grant>;

/**
 * The social network's API, as far as a login needs it: `users.get`. Refuses with HTTP 200, without exception.
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
      answer: (call: Call) => this.usersGet(call),
    } as const;
    const unknown = {
      network,
      name: 'unknown method',
      path: '/social-network/method/:name',
      answer: unknownMethod,
    } as const;
    this.endpoints = [
      { ...usersGet, method: 'get' },
      { ...usersGet, method: 'post' },
      { ...unknown, method: 'get' },
      { ...unknown, method: 'post' },
    ];
  }

  private usersGet(call: Call): Answer {
    const parameters = queryAndForm(call);
    const version = versionProblem(parameters.get('v'));
    if (version !== undefined) {
      throw refusal(8, `Invalid request: ${version}`, parameters, 'v is missing or below 5.81');
    }
    const owner = this.owner(call, parameters);
    const fields = (parameters.get('fields') ?? '').split(',').map((field) => field.trim());
    const people = this.peopleAsked(owner, parameters.get('user_ids'));
    return json({ response: people.map((person) => socialNetworkUser(this.world, person, fields)) });
  }

  private owner(call: Call, parameters: Parameters): SandboxPerson {
    const token = bearerToken(call) ?? parameters.get('access_token');
    const finding = this.findToken(token);
    const grant = liveGrant(finding);
    if (grant) return grant.person;
    if (finding.state === 'expired') {
      throw refusal(1117, 'Access token has expired', parameters, 'the token has expired');
    }
    throw refusal(
      5,
      `User authorization failed: ${tokenProblem(token, finding)}.`,
      parameters,
      tokenProblem(token, finding),
    );
  }

  /** The token's owner, unless identifiers or short addresses are given; nobody for those that do not exist. */
  private peopleAsked(owner: SandboxPerson, ids: string | undefined): readonly SandboxPerson[] {
    if (!ids) return [owner];
    const asked = ids.split(',');
    return this.world.people.filter(
      (person) => asked.includes(String(person.socialNetworkId)) || asked.includes(person.handle),
    );
  }
}

/** What the network says of an API version; `undefined` when it takes it. */
export function versionProblem(version: string | undefined): string | undefined {
  if (!version) return 'v (version) is required';
  const [, minor] = /^5\.(\d{1,3})$/.exec(version) ?? [];
  if (minor !== undefined && Number(minor) >= 81) return undefined;
  return 'versions below 5.81 are deprecated. Version param should be passed as "v".';
}

function tokenProblem(token: string | undefined, finding: Finding<Grant>): string {
  if (!token) return 'no access_token passed';
  return finding.state === 'unknown' ? 'invalid access_token (4)' : 'user revoke access for this token';
}

function unknownMethod(call: Call): Answer {
  throw refusal(
    3,
    'Unknown method passed',
    queryAndForm(call),
    'no such method; method names are case-sensitive',
  );
}

/** The network repeats what it was sent, a token among it: whoever shows this to somebody gives the token away. */
function refusal(error_code: number, error_msg: string, parameters: Parameters, reason: string): Refusal {
  const sent = parameters.entries().map(([key, value]) => ({ key, value }));
  const request_params = [{ key: 'oauth', value: '1' }, { key: 'method', value: 'users.get' }, ...sent];
  return new Refusal(json({ error: { error_code, error_msg, request_params } }), reason);
}
