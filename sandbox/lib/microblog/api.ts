import { type Grant, liveGrant, rejectionReason } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { NetworkRequest } from '../request.js';
import { json, type NetworkResponse } from '../response.js';
import type { World } from '../world.js';
import { BELIEFS } from './beliefs.js';
import {
  invalidQueryParameter,
  lookupErrorResponse,
  problem,
  signatureErrorResponse,
} from './error-responses.js';
import { type MicroblogOAuth1, withErrorResponse } from './oauth1.js';
import { isSigned } from './oauth1-signature.js';
import type { MicroblogOAuth2 } from './oauth2.js';
import {
  COMMON_USER_FIELDS,
  credentialsRecord,
  EXPANSIONS,
  microblogProfile,
  POST_FIELDS,
  USER_FIELDS,
} from './record.js';

/** Scopes that the users lookup needs. */
const LOOKUP_SCOPES = ['tweet.read', 'users.read'];

/**
 * The microblog network's two profile endpoints: `/2/users/me`, and `verify_credentials` of API version 1.1.
 *
 * @see https://docs.x.com/x-api/users/lookup/quickstart/authenticated-lookup (read 2026-11)
 */
export class MicroblogApi implements Network {
  readonly endpoints: readonly Endpoint[];

  constructor(
    private readonly world: World,
    private readonly oauth1: MicroblogOAuth1,
    private readonly oauth2: MicroblogOAuth2,
  ) {
    this.endpoints = [
      {
        network: 'microblog',
        name: 'users lookup',
        method: 'get',
        path: '/microblog/2/users/me',
        handle: (request) => this.usersLookup(request),
      },
      {
        network: 'microblog',
        name: 'verify credentials',
        method: 'get',
        path: '/microblog/1.1/account/verify_credentials.json',
        handle: (request) => this.verifyCredentials(request),
      },
    ];
  }

  private usersLookup(request: NetworkRequest): NetworkResponse {
    const grant = isSigned(request) ? this.signedGrant(request) : this.bearerGrant(request);
    const fields = values(request, 'user.fields', USER_FIELDS, COMMON_USER_FIELDS);
    const expansions = values(request, 'expansions', EXPANSIONS, []);
    const postFields = ['tweet.fields', 'post.fields'].flatMap((name) =>
      values(request, name, POST_FIELDS, []),
    );
    return json(
      microblogProfile(this.world, grant.person, {
        fields: fields.filter((field) => isGranted(request, grant, field)),
        expansions,
        postFields,
      }),
    );
  }

  private bearerGrant(request: NetworkRequest): Grant {
    const found = this.oauth2.findBearer(request);
    const grant = liveGrant(found);
    if (!grant)
      throw problem(BELIEFS.bearer, 401, 'Unauthorized', rejectionReason('the bearer token', found));
    if (LOOKUP_SCOPES.every((scope) => grant.scopes.includes(scope))) return grant;
    const reason = 'tweet.read and users.read must both be granted';
    throw problem(BELIEFS.lookupScopes, 403, 'Forbidden', reason);
  }

  private signedGrant(request: NetworkRequest): Grant {
    return withErrorResponse(request, lookupErrorResponse, () => this.oauth1.verify(request)).token;
  }

  private verifyCredentials(request: NetworkRequest): NetworkResponse {
    if (/^Bearer\s/i.test(request.authorization ?? '')) {
      const detail = 'You are not permitted to use OAuth2 on this endpoint';
      throw problem(BELIEFS.oauth1Only, 403, 'Forbidden', 'verify_credentials takes OAuth 1.0a only', detail);
    }
    const { token } = withErrorResponse(request, signatureErrorResponse, () => this.oauth1.verify(request));
    const body = credentialsRecord(this.world, token.person, {
      email: request.query.get('include_email') === 'true',
      entities: request.query.get('include_entities') !== 'false',
      // tweepy sends True, and its recorded responses have no status then.
      status: !/^(true|t|1)$/i.test(request.query.get('skip_status') ?? ''),
    });
    return { ...json(null, 200, { 'x-access-level': 'read' }), body };
  }
}

/** Whether the grant covers a field. If it does not, the network may as well leave the field out. */
function isGranted({ notes }: NetworkRequest, grant: Grant, field: string): boolean {
  if (field !== 'confirmed_email' || grant.scopes.includes('users.email')) return true;
  const reason = 'confirmed_email needs the scope users.email, which was not granted';
  notes.refuseOrNote(problem(BELIEFS.emailScope, 403, 'Forbidden', reason));
  return false;
}

/**
 * Values of a comma-separated parameter.
 *
 * @param known - Those that exist in any version of the API description.
 * @param common - Those that exist in every version.
 * @throws ErrorResponse when one of them does not exist.
 */
function values(
  { query, notes }: NetworkRequest,
  name: string,
  known: readonly string[],
  common: readonly string[],
): readonly string[] {
  if (!query.has(name)) return [];
  const given = (query.get(name) ?? '').split(',');
  const unknown = given.find((value) => !known.includes(value));
  if (unknown !== undefined) {
    const reason = `${name} names a value that does not exist`;
    throw invalidQueryParameter(BELIEFS.lookupValues, name, unknown, known, reason);
  }
  const uncommon = given.find((value) => !common.includes(value));
  if (uncommon !== undefined) {
    const reason = `${name} names a value that not every version of the API description has`;
    notes.refuseOrNote(invalidQueryParameter(BELIEFS.lookupVocabulary, name, uncommon, common, reason));
  }
  return given;
}
