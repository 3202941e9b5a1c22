import type { Belief } from '../../sandbox/lib/core/evidence.js';
import {
  bearerToken,
  type ErrorResponse,
  type Hold,
  json,
  type NetworkRequest,
  type NetworkResponse,
  oauthError,
  redirect,
} from '../../sandbox/lib/core/http.js';
import { type Endpoint, type FaultTable, get, post } from '../../sandbox/lib/core/network.js';
import type { SandboxPerson } from '../../sandbox/lib/core/people.js';
import { declined, heldRedirectUri } from '../../sandbox/lib/core/redirect-uri.js';
import { isVerifier, randomString, secretsEqual, verifierMatches } from '../../sandbox/lib/core/secrets.js';
import {
  type AuthorizationCode,
  type Grant,
  liveGrant,
  rejectionReason,
  type World,
} from '../../sandbox/lib/core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../../sandbox/lib/pages/authorization.js';
import { errorPage } from '../../sandbox/lib/pages/error-page.js';
import { html } from '../../sandbox/lib/pages/page.js';
import { BELIEFS } from './beliefs.js';
import { APPEARANCE, APPLICATION } from './options.js';

/** Seconds. */
const LIFETIME = { code: 60, accessToken: 3_600, refreshToken: 2_592_000 };

/** Status and code of the errors; of any other, 400 and `invalid_grant`. */
const ERRORS: ReadonlyMap<Belief, readonly [status: number, error: string]> = new Map([
  [BELIEFS.credentials, [401, 'invalid_client']],
  [BELIEFS.grantType, [400, 'unsupported_grant_type']],
  [BELIEFS.revocation, [401, 'invalid_token']],
  [BELIEFS.bearer, [401, 'invalid_token']],
  [BELIEFS.rateLimit, [429, 'temporarily_unavailable']],
]);

/** An error of RFC 6749 section 5.2 or RFC 6750 section 3.1. */
function refusal(belief: Belief, reason: string): ErrorResponse {
  const [status, error] = ERRORS.get(belief) ?? [400, 'invalid_grant'];
  return oauthError(belief, status, error, error.replaceAll('_', ' '), reason);
}

/** An invalid authorization request is never redirected back. */
const pageOf = errorPage('Something went wrong', html`<p>The request is not valid.</p>`, 400);

/** Authorization code with PKCE, refresh, revocation, and the user's record. */
export function templateNetwork(world: World): { endpoints: readonly Endpoint[]; faults: FaultTable } {
  const application = world.registered(APPLICATION);
  const codes = world.credentials<AuthorizationCode>();
  const accessTokens = world.credentials<Grant>();
  const refreshTokens = world.credentials<Grant>();

  function consent({ query }: NetworkRequest, hold: Hold): ConsentRequest {
    hold(
      BELIEFS.client,
      query.one('client_id') !== application.clientID && 'client_id belongs to no application of the sandbox',
    );
    hold(BELIEFS.responseType, query.one('response_type') !== 'code' && 'response_type is not "code"');
    const scopes = (query.one('scope') ?? '').split(' ').filter((scope) => scope !== '');
    hold(
      BELIEFS.scope,
      scopes.some((scope) => !APPEARANCE.scopes.includes(scope)) && 'scope names one that does not exist',
    );
    const beliefs = { redirectUri: BELIEFS.redirectUri, redirectUriHttps: BELIEFS.redirectUri };
    const redirectUri = heldRedirectUri(hold, query.one('redirect_uri'), beliefs);
    const challenge = query.one('code_challenge') ?? '';
    const isChallenge = /^[\w-]{43}$/.test(challenge) && query.one('code_challenge_method') === 'S256';
    hold(
      BELIEFS.challenge,
      !isChallenge && 'code_challenge is no SHA-256 in base64url, or code_challenge_method is not "S256"',
    );
    const state = query.one('state');
    return {
      application,
      scopes,
      allow: (grant) => {
        const code = codes.issue(randomString(40), { grant, redirectUri, challenge }, LIFETIME.code);
        return redirect(redirectUri, { code, state });
      },
      deny: () => declined(redirectUri, { state }),
    };
  }

  function checkClient({ form, notes }: NetworkRequest): void {
    notes.keeps(BELIEFS.credentials);
    if (
      form.one('client_id') === application.clientID &&
      secretsEqual(form.one('client_secret'), application.clientSecret)
    )
      return;
    throw refusal(BELIEFS.credentials, 'client_id or client_secret is missing from the body, or wrong');
  }

  function token(request: NetworkRequest): NetworkResponse {
    checkClient(request);
    const { form, notes } = request;
    notes.keeps(BELIEFS.grantType);
    if (form.one('grant_type') === 'authorization_code') return tokens(exchange(request));
    if (form.one('grant_type') !== 'refresh_token')
      throw refusal(BELIEFS.grantType, 'grant_type is missing or unknown');
    const found = refreshTokens.use(form.one('refresh_token'));
    return tokens(notes.holdTo(refusal).live(BELIEFS.refreshToken, 'refresh_token', found));
  }

  /** Uses the code up, even when the exchange fails. */
  function exchange({ form, notes }: NetworkRequest): Grant {
    const found = codes.use(form.one('code'));
    const code = notes.holdTo(refusal).live(BELIEFS.code, 'code', found);
    const { grant, redirectUri, challenge } = code;
    if (form.one('redirect_uri') !== redirectUri)
      throw refusal(BELIEFS.code, 'redirect_uri differs from the authorization request');
    const verifier = form.one('code_verifier');
    notes.keeps(BELIEFS.verifier);
    if (isVerifier(verifier) && verifierMatches(verifier, challenge, 'base64url')) return grant;
    throw refusal(BELIEFS.verifier, 'code_verifier does not match code_challenge');
  }

  const tokens = (grant: Grant): NetworkResponse =>
    json({
      access_token: accessTokens.issue(randomString(40), grant, LIFETIME.accessToken),
      token_type: 'Bearer',
      expires_in: LIFETIME.accessToken,
      refresh_token: refreshTokens.issue(randomString(40), grant, LIFETIME.refreshToken),
      scope: grant.scopes.join(' '),
    });

  /** Ends the consent of a token. To RFC 7009 an unknown one is no error; networks differ. */
  function revoke(request: NetworkRequest): NetworkResponse {
    checkClient(request);
    const given = request.form.one('token');
    const asAccessToken = accessTokens.find(given);
    const found = asAccessToken.state === 'unknown' ? refreshTokens.find(given) : asAccessToken;
    const grant = liveGrant(found);
    request.notes.holdTo(refusal)(BELIEFS.revocation, !grant && rejectionReason('token', found));
    if (grant) grant.ended = true;
    return json({});
  }

  function userInfo(request: NetworkRequest): NetworkResponse {
    const found = accessTokens.find(bearerToken(request));
    const hold = request.notes.holdTo(refusal);
    const { person, scopes } = hold.live(BELIEFS.bearer, 'the bearer token', found);
    return json({
      sub: identify(person),
      name: person.displayName,
      preferred_username: person.handle,
      profile: `${world.url}/template-network/@${person.handle}`,
      ...(person.picture && { picture: world.picture(person) }),
      ...(scopes.includes('email') && person.email !== undefined && { email: person.email }),
    });
  }

  return {
    endpoints: [
      ...authorizationEndpoints(world, 'template-network', APPEARANCE, {
        paths: ['/template-network/authorize'],
        read: consent,
        reject: pageOf,
      }),
      post('token', '/template-network/token', token),
      post('revocation', '/template-network/revoke', revoke),
      get('profile', '/template-network/userinfo', userInfo),
    ],
    faults: {
      rateLimit: () => refusal(BELIEFS.rateLimit, 'too many requests'),
      'expired-code': { token: () => refusal(BELIEFS.code, 'code has expired') },
      'revoked-token': {
        token: () => refusal(BELIEFS.refreshToken, 'refresh_token was revoked'),
        profile: () => refusal(BELIEFS.bearer, 'the bearer token was revoked'),
      },
    },
  };
}

/** A person's ID: the network's own until its form is known. */
const identify = (person: SandboxPerson): string => `template-network-${person.id}`;
