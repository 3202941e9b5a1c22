import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import type { Application } from '../clients.js';
import type { Belief } from '../evidence.js';
import {
  type AuthorizationCode,
  type Credentials,
  type Grant,
  type LookupResult,
  rejectionReason,
} from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import { withParameters } from '../redirect-uri.js';
import { type NetworkRequest, type Parameters, queryAndBody } from '../request.js';
import { type ErrorResponse, json, type NetworkResponse, redirect } from '../response.js';
import { randomHex, randomString, secretsEqual } from '../secrets.js';
import type { World } from '../world.js';
import { CLASSIC_APPEARANCE } from './appearance.js';
import { BELIEFS } from './beliefs.js';
import { readClassicRequest } from './classic-authorization.js';
import { classicError } from './error-responses.js';
import { SOCIAL_NETWORK } from './options.js';

/** Seconds. The network's documentation calls the code's lifetime "short". */
const LIFETIME = { code: 60, accessToken: 43_200 };

const REDIRECT_DIFFERS =
  'redirect_uri is invalid, please pass same redirect_uri, you used in authorize method.';

/**
 * The social network's classic protocol: VK, OAuth 2.0 without PKCE, refresh tokens or HTTP Basic.
 *
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export class SocialNetworkClassic implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly application: Required<Pick<Application, 'id' | 'secret'>> & Application;
  private readonly codes: Credentials<AuthorizationCode>;
  private readonly accessTokens: Credentials<Grant>;

  constructor(world: World) {
    this.application = world.registered(SOCIAL_NETWORK);
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    const token = {
      network: 'social-network',
      name: 'token',
      path: '/social-network/access_token',
      handle: (request: NetworkRequest) => this.token(request),
    } as const;
    this.endpoints = [
      ...authorizationEndpoints({
        network: 'social-network',
        paths: ['/social-network/authorize'],
        appearance: CLASSIC_APPEARANCE,
        people: world.people,
        read: (request) => this.consent(request),
        reject: (belief, reason) => classicError(belief, 400, 'invalid_request', reason, reason),
      }),
      { ...token, method: 'get' },
      { ...token, method: 'post' },
    ];
  }

  /** Looks up an access token of this protocol. */
  findToken(accessToken: string | undefined): LookupResult<Grant> {
    return this.accessTokens.find(accessToken);
  }

  private consent(request: NetworkRequest): ConsentRequest {
    const { redirectUri, state, scopes } = readClassicRequest(request, this.application);
    return {
      application: this.application,
      scopes,
      allow: (person) => {
        const grant: Grant = { application: this.application, person, scopes, ended: false };
        const code = this.codes.issue(randomHex(66), { grant, redirectUri }, LIFETIME.code);
        return redirect(withParameters(redirectUri, { code, state }));
      },
      deny: () => {
        const error_description = 'User denied your request';
        const error = { error: 'access_denied', error_reason: 'user_denied', error_description };
        return redirect(withParameters(redirectUri, { ...error, state }));
      },
    };
  }

  private token(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    checkClient(parameters, this.application);
    if (!['authorization_code', undefined].includes(parameters.get('grant_type'))) {
      const reason = 'grant_type is not authorization_code';
      const error = 'unsupported_grant_type';
      request.notes.refuseOrNote(
        classicError(BELIEFS.grantType, 401, error, 'grant_type is unsupported', reason),
      );
    }
    const found = this.codes.use(parameters.get('code'));
    if (found.state !== 'live') {
      const reason = rejectionReason('code', found);
      throw classicError(BELIEFS.code, 401, 'invalid_grant', 'Code is invalid or expired.', reason);
    }
    const { grant, redirectUri } = found.value;
    if (parameters.get('redirect_uri') !== redirectUri) {
      const reason = 'redirect_uri differs from the authorization request';
      throw classicError(BELIEFS.sameRedirectUri, 400, 'invalid_grant', REDIRECT_DIFFERS, reason);
    }
    return this.tokenResponse(grant);
  }

  /** The only response with the e-mail address. It has no `token_type`. */
  private tokenResponse(grant: Grant): NetworkResponse {
    const { person, scopes } = grant;
    const seconds = scopes.includes('offline') ? Number.POSITIVE_INFINITY : LIFETIME.accessToken;
    return json({
      access_token: this.accessTokens.issue(`vk1.a.${randomString(80)}`, grant, seconds),
      expires_in: Number.isFinite(seconds) ? seconds : 0,
      user_id: person.socialNetworkId,
      ...(scopes.includes('email') && person.email !== undefined && { email: person.email }),
    });
  }
}

/** Does not read HTTP Basic: to the network, a client that uses it has sent no `client_id`. */
function checkClient(
  parameters: Parameters,
  application: Required<Pick<Application, 'id' | 'secret'>>,
): void {
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (!id) throw invalidClient('client_id is undefined', 'client_id is not in the body');
  if (id !== application.id) {
    throw invalidClient('client_id is incorrect', 'client_id is no client of the sandbox', BELIEFS.client);
  }
  if (!secret) throw invalidClient('client_secret is undefined', 'client_secret is not in the body');
  if (!secretsEqual(secret, application.secret)) {
    throw invalidClient('client_secret is incorrect', 'client_secret is wrong');
  }
}

function invalidClient(
  description: string,
  reason: string,
  belief: Belief = BELIEFS.clientSecret,
): ErrorResponse {
  return classicError(belief, 401, 'invalid_client', description, reason);
}
