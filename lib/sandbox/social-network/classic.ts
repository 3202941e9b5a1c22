import { type Answer, json, type Refusal } from '../answer.js';
import { SOCIAL_NETWORK } from '../applications.js';
import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import { type Call, queryAndForm } from '../call.js';
import { type Credentials, type Finding, type Grant, type PendingExchange, whyRefused } from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { Parameters } from '../parameters.js';
import { withParameters } from '../redirect-address.js';
import { randomHex, randomText, sameText } from '../secrets.js';
import type { World } from '../world.js';
import { classicRefusal, readClassicRequest } from './classic-authorization.js';

/** Seconds; the code's is not documented beyond "short". */
const LIFETIME = { code: 60, accessToken: 43_200 };

const REDIRECT_DIFFERS =
  'redirect_uri is invalid, please pass same redirect_uri, you used in authorize method.';

/**
 * The social network's classic protocol: VK, OAuth 2.0 without PKCE, without refresh tokens and without Basic.
 *
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 */
export class SocialNetworkClassic implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly codes: Credentials<PendingExchange>;
  private readonly accessTokens: Credentials<Grant>;

  constructor(world: World) {
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    const token = {
      network: 'social-network',
      name: 'token',
      path: '/social-network/access_token',
      answer: (call: Call) => this.token(call),
    } as const;
    this.endpoints = [
      ...authorizationEndpoints({
        network: 'social-network',
        paths: ['/social-network/authorize'],
        people: world.people,
        read: (query) => this.consent(query),
        refuse: (reason) => classicRefusal(400, 'invalid_request', reason, reason),
      }),
      { ...token, method: 'get' },
      { ...token, method: 'post' },
    ];
  }

  /** What an access token of this protocol stands for. */
  find(accessToken: string | undefined): Finding<Grant> {
    return this.accessTokens.find(accessToken);
  }

  private consent(query: Parameters): ConsentRequest {
    const { redirectUri, state, scopes } = readClassicRequest(query);
    return {
      application: SOCIAL_NETWORK,
      scopes,
      allow: (person) => {
        const grant: Grant = { application: SOCIAL_NETWORK, person, scopes, ended: false };
        const code = this.codes.issue(randomHex(66), { grant, redirectUri }, LIFETIME.code);
        return withParameters(redirectUri, { code, state });
      },
      deny: () => {
        const error_description = 'User denied your request';
        const denial = { error: 'access_denied', error_reason: 'user_denied', error_description };
        return withParameters(redirectUri, { ...denial, state });
      },
    };
  }

  private token(call: Call): Answer {
    const parameters = queryAndForm(call);
    checkClient(parameters);
    if (!['authorization_code', undefined].includes(parameters.get('grant_type'))) {
      const reason = 'grant_type is not authorization_code';
      throw classicRefusal(401, 'unsupported_grant_type', 'grant_type is unsupported', reason);
    }
    const finding = this.codes.take(parameters.get('code'));
    if (finding.state !== 'live') {
      throw classicRefusal(401, 'invalid_grant', 'Code is invalid or expired.', whyRefused('code', finding));
    }
    const { grant, redirectUri } = finding.subject;
    if (parameters.get('redirect_uri') !== redirectUri) {
      const reason = 'redirect_uri differs from the authorization request';
      throw classicRefusal(400, 'invalid_grant', REDIRECT_DIFFERS, reason);
    }
    return this.tokenAnswer(grant);
  }

  /** The e-mail address stands here and nowhere else. There is no `token_type`. */
  private tokenAnswer(grant: Grant): Answer {
    const { person, scopes } = grant;
    const seconds = scopes.includes('offline') ? Number.POSITIVE_INFINITY : LIFETIME.accessToken;
    return json({
      access_token: this.accessTokens.issue(`vk1.a.${randomText(80)}`, grant, seconds),
      expires_in: Number.isFinite(seconds) ? seconds : 0,
      user_id: person.socialNetworkId,
      ...(scopes.includes('email') && person.email !== undefined && { email: person.email }),
    });
  }
}

/** HTTP Basic is not read, so a client that uses it has sent no `client_id`. */
function checkClient(parameters: Parameters): void {
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (!id) throw unknownClient('client_id is undefined', 'client_id is not in the body');
  if (id !== SOCIAL_NETWORK.id) {
    throw unknownClient('client_id is incorrect', 'client_id is no client of the sandbox');
  }
  if (!secret) throw unknownClient('client_secret is undefined', 'client_secret is not in the body');
  if (!sameText(secret, SOCIAL_NETWORK.secret)) {
    throw unknownClient('client_secret is incorrect', 'client_secret is wrong');
  }
}

function unknownClient(description: string, reason: string): Refusal {
  return classicRefusal(401, 'invalid_client', description, reason);
}
