import type { Belief } from '../../sandbox/lib/core/evidence.js';
import {
  bearerToken,
  ErrorResponse,
  type Hold,
  json,
  type NetworkRequest,
  type NetworkResponse,
  redirect,
} from '../../sandbox/lib/core/http.js';
import { type Endpoint, type FaultTable, get, post } from '../../sandbox/lib/core/network.js';
import type { SandboxPerson } from '../../sandbox/lib/core/people.js';
import { declined, heldRedirectUri } from '../../sandbox/lib/core/redirect-uri.js';
import { isVerifier, randomString, secretsEqual, verifierMatches } from '../../sandbox/lib/core/secrets.js';
import {
  type AuthorizationCode,
  demandLive,
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

const STATUS = { invalid_client: 401, invalid_token: 401, temporarily_unavailable: 429 };

/** An error of RFC 6749 section 5.2 or RFC 6750 section 3.1. */
const refusal = (belief: Belief, error: string) => (reason: string) =>
  new ErrorResponse(
    json(
      { error, error_description: error.replaceAll('_', ' ') },
      Object.hasOwn(STATUS, error) ? STATUS[error as keyof typeof STATUS] : 400,
    ),
    reason,
    belief,
  );

/** An invalid authorization request is never redirected back. */
const pageOf = errorPage('Something went wrong', html`<p>The request is not valid.</p>`, 400);

/** Authorization code with PKCE, refresh, revocation, and the user's record. */
export function templateNetwork(world: World): { endpoints: readonly Endpoint[]; faults: FaultTable } {
  const application = world.registered(APPLICATION);
  const codes = world.credentials<AuthorizationCode>();
  const accessTokens = world.credentials<Grant>();
  const refreshTokens = world.credentials<Grant>();
  const refuseCode = refusal(BELIEFS.code, 'invalid_grant');
  const refuseToken = refusal(BELIEFS.bearer, 'invalid_token');

  function consent({ query }: NetworkRequest, hold: Hold): ConsentRequest {
    hold(
      BELIEFS.client,
      query.get('client_id') !== application.id && 'client_id belongs to no application of the sandbox',
    );
    hold(BELIEFS.responseType, query.get('response_type') !== 'code' && 'response_type is not "code"');
    const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
    hold(
      BELIEFS.scope,
      scopes.some((scope) => !Object.hasOwn(APPEARANCE.scopes, scope)) &&
        'scope names one that does not exist',
    );
    const given = query.get('redirect_uri') ?? '';
    const redirectUri = heldRedirectUri(hold, given, BELIEFS.redirectUri, BELIEFS.redirectUri);
    const challenge = query.get('code_challenge') ?? '';
    const isChallenge = /^[\w-]{43}$/.test(challenge) && query.get('code_challenge_method') === 'S256';
    hold(
      BELIEFS.challenge,
      !isChallenge && 'code_challenge is no SHA-256 in base64url, or code_challenge_method is not "S256"',
    );
    const state = query.get('state');
    return {
      application,
      scopes,
      allow: (person) => {
        const grant: Grant = { application, person, scopes, ended: false };
        return redirect(redirectUri, {
          code: codes.issue(randomString(40), { grant, redirectUri, challenge }, LIFETIME.code),
          state,
        });
      },
      deny: () => declined(redirectUri, state),
    };
  }

  function checkClient({ form, notes }: NetworkRequest): void {
    notes.keeps(BELIEFS.credentials);
    if (
      form.get('client_id') === application.id &&
      secretsEqual(form.get('client_secret'), application.secret)
    )
      return;
    throw refusal(
      BELIEFS.credentials,
      'invalid_client',
    )('client_id or client_secret is missing from the body, or wrong');
  }

  function token(request: NetworkRequest): NetworkResponse {
    checkClient(request);
    const { form, notes } = request;
    notes.keeps(BELIEFS.grantType);
    if (form.get('grant_type') === 'authorization_code') return tokens(exchange(request));
    if (form.get('grant_type') !== 'refresh_token')
      throw refusal(BELIEFS.grantType, 'unsupported_grant_type')('grant_type is missing or unknown');
    notes.keeps(BELIEFS.refreshToken);
    return tokens(
      demandLive(
        'refresh_token',
        refreshTokens.use(form.get('refresh_token')),
        refusal(BELIEFS.refreshToken, 'invalid_grant'),
      ),
    );
  }

  /** Uses the code up, even when the exchange fails. */
  function exchange({ form, notes }: NetworkRequest): Grant {
    notes.keeps(BELIEFS.code, BELIEFS.verifier);
    const {
      grant,
      redirectUri,
      challenge = '',
    } = demandLive('code', codes.use(form.get('code')), refuseCode);
    if (form.get('redirect_uri') !== redirectUri)
      throw refuseCode('redirect_uri differs from the authorization request');
    const verifier = form.get('code_verifier');
    if (isVerifier(verifier) && verifierMatches(verifier, challenge, 'base64url')) return grant;
    throw refusal(BELIEFS.verifier, 'invalid_grant')('code_verifier does not match code_challenge');
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
    request.notes.keeps(BELIEFS.revocation);
    const given = request.form.get('token');
    const asAccessToken = accessTokens.find(given);
    const found = asAccessToken.state === 'unknown' ? refreshTokens.find(given) : asAccessToken;
    const grant = liveGrant(found);
    if (grant) grant.ended = true;
    else
      request.notes.refuseOrNote(
        refusal(BELIEFS.revocation, 'invalid_token')(rejectionReason('token', found)),
      );
    return json({});
  }

  function userInfo(request: NetworkRequest): NetworkResponse {
    request.notes.keeps(BELIEFS.bearer);
    const { person, scopes } = demandLive(
      'the bearer token',
      accessTokens.find(bearerToken(request)),
      refuseToken,
    );
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
      rateLimit: () => refusal(BELIEFS.rateLimit, 'temporarily_unavailable')('too many requests'),
      expired: { token: () => refuseCode('code has expired') },
      revoked: {
        token: () => refusal(BELIEFS.refreshToken, 'invalid_grant')('refresh_token was revoked'),
        profile: () => refuseToken('the bearer token was revoked'),
      },
    },
  };
}

/** A person's ID: the network's own until its form is known. */
export const identify = (person: SandboxPerson): string => `template-network-${person.id}`;
