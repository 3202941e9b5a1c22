import type { Hold, NetworkRequest, NetworkResponse } from '../core/http.js';
import { ErrorResponse, json, queryAndBody, redirect } from '../core/http.js';
import { type Endpoint, get, post } from '../core/network.js';
import { declined, heldRedirectUri, naming, redirectUriDiffers } from '../core/redirect-uri.js';
import { randomString, secretsEqual } from '../core/secrets.js';
import type { AuthorizationCode, Credentials, Grant, World } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { versionProblem } from './api.js';
import { BELIEFS } from './beliefs.js';
import { classicError } from './error-responses.js';
import { BITS, CLASSIC_APPEARANCE, SOCIAL_NETWORK } from './options.js';

/** Seconds. The network's documentation calls the code's lifetime "short". */
const LIFETIME = { code: 60, accessToken: 43_200 };

/** OAuth 2.0 without PKCE, refresh tokens or HTTP Basic. */
export function socialNetworkClassic(world: World, accessTokens: Credentials<Grant>): readonly Endpoint[] {
  const application = world.registered(SOCIAL_NETWORK);
  const codes = world.credentials<AuthorizationCode>();

  /** Only an unknown `display` is redirected back to the application. */
  function consent({ query, notes }: NetworkRequest, hold: Hold): ConsentRequest {
    const id = query.one('client_id');
    hold(BELIEFS.client, !id && 'client_id is missing', 'client_id is undefined');
    hold(BELIEFS.client, id !== application.clientID && 'client_id is no client of the sandbox');
    const hasChallenge = query.has('code_challenge') || query.has('code_challenge_method');
    hold(BELIEFS.noPkce, hasChallenge && 'code_challenge is sent, this protocol has no PKCE');
    const isCode = ['code', undefined].includes(query.one('response_type'));
    hold(BELIEFS.responseType, !isCode && 'response_type is not "code"');
    const version = versionProblem(query.one('v'));
    hold(BELIEFS.authorizationVersion, version && 'v is missing or below 5.81', version);
    const redirectUri = heldRedirectUri(hold, query.one('redirect_uri'), BELIEFS);
    const named = scopesIn(query.one('scope') ?? '');
    const unknown = named.filter((name) => !BITS.has(name));
    hold(BELIEFS.scope, unknown.length > 0 && naming('scope names a right that does not exist', ...unknown));
    notes.keeps(BELIEFS.display);
    const state = query.one('state');
    if (!['page', 'popup', 'mobile', undefined].includes(query.one('display'))) {
      const error = { error: 'invalid_request', error_description: 'Invalid display parameter', state };
      const response = redirect(redirectUri, error);
      throw new ErrorResponse(response, 'display is neither "page", "popup" nor "mobile"', BELIEFS.display);
    }
    const denial = { error_reason: 'user_denied', error_description: 'User denied your request', state };
    return {
      application,
      scopes: named.filter((name) => BITS.has(name)),
      allow: (grant) => {
        const authorization = { grant, redirectUri, challenge: '' };
        const code = codes.issue(randomString(66, 'hex'), authorization, LIFETIME.code);
        return redirect(redirectUri, { code, state });
      },
      deny: () => declined(redirectUri, denial),
    };
  }

  /** Does not read HTTP Basic: to the network, a client that uses it has sent no `client_id`. */
  function token(request: NetworkRequest): NetworkResponse {
    const parameters = queryAndBody(request);
    const hold = request.notes.holdTo(classicError);
    const [id, secret] = ['client_id', 'client_secret'].map((name) => parameters.one(name));
    const { client, clientSecret } = BELIEFS;
    if (!id) throw classicError(clientSecret, 'client_id is not in the body', 'client_id is undefined');
    hold(client, id !== application.clientID && 'client_id is no client of the sandbox');
    hold(clientSecret, !secret && 'client_secret is not in the body', 'client_secret is undefined');
    hold(clientSecret, !secretsEqual(secret, application.clientSecret) && 'client_secret is wrong');
    const isCode = ['authorization_code', undefined].includes(parameters.one('grant_type'));
    hold(BELIEFS.grantType, !isCode && 'grant_type is not authorization_code');
    const { grant, redirectUri } = hold.live(BELIEFS.code, 'code', codes.use(parameters.one('code')));
    hold(BELIEFS.sameRedirectUri, redirectUriDiffers(parameters.one('redirect_uri'), redirectUri));
    // The only response with the e-mail address. It has no `token_type`.
    const { person, scopes } = grant;
    const seconds = scopes.includes('offline') ? Number.POSITIVE_INFINITY : LIFETIME.accessToken;
    return json({
      access_token: accessTokens.issue(`vk1.a.${randomString(80)}`, grant, seconds),
      expires_in: Number.isFinite(seconds) ? seconds : 0,
      user_id: person.socialNetworkId,
      ...(scopes.includes('email') && person.email !== undefined && { email: person.email }),
    });
  }

  return [
    ...authorizationEndpoints(world, 'social-network', CLASSIC_APPEARANCE, {
      paths: ['/social-network/authorize'],
      read: consent,
      reject: classicError,
    }),
    ...[get, post].map((endpoint) => endpoint('token', '/social-network/access_token', token)),
  ];
}

/** Reads a bit mask, or names joined by commas or spaces. Unknown bits are one name, the number that they make. */
function scopesIn(scope: string): readonly string[] {
  if (!/^\d{1,10}$/.test(scope)) return [...new Set(scope.split(/[ ,]+/).filter((name) => name !== ''))];
  const mask = BigInt(scope);
  const known = [...BITS].filter(([, bit]) => (mask & bit) !== 0n);
  const rest = known.reduce((left, [, bit]) => left - bit, mask);
  return [...known.map(([name]) => name), ...(rest === 0n ? [] : [String(rest)])];
}
