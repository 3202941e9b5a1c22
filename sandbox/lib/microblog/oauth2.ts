import { unescape as percentDecoded } from 'node:querystring';
import type { Hold, NetworkRequest, NetworkResponse } from '../core/http.js';
import { basicCredentials, json, oauthError, redirect } from '../core/http.js';
import { type Endpoint, post } from '../core/network.js';
import { declined, heldRedirectUri, naming, redirectUriDiffers } from '../core/redirect-uri.js';
import { isVerifier, randomString, secretsEqual, verifierMatches } from '../core/secrets.js';
import type { Application, AuthorizationCode, Credentials, Grant, World } from '../core/world.js';
import { liveGrant, rejectionReason } from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { BELIEFS } from './beliefs.js';
import { invalidRequest, missingParameter, oauth2ErrorPage, unauthorizedClient } from './error-responses.js';
import { APPEARANCE, CONFIDENTIAL, PUBLIC } from './options.js';

/** Seconds. The refresh token's half a year was observed, the others are documented. */
const LIFETIME = { code: 30, accessToken: 7_200, refreshToken: 15_768_000 };

interface MicroblogCode extends AuthorizationCode {
  /** Whether the method is `plain`, where the challenge is the verifier itself. The network allows it. */
  readonly isPlain: boolean;
}

/** Authorization code with PKCE. A confidential client sends its secret by HTTP Basic, a public client its `client_id` in the body. */
export function microblogOAuth2(world: World, accessTokens: Credentials<Grant>): readonly Endpoint[] {
  const clients: readonly Application[] = [world.registered(CONFIDENTIAL), world.registered(PUBLIC)];
  const codes = world.credentials<MicroblogCode>();
  const refreshTokens = world.credentials<Grant>();

  /** A code or token in the network's format: base64 of a random string, the time and the kind. */
  const opaque = (kind: 'ac' | 'at' | 'rt'): string =>
    Buffer.from(`${randomString(43)}:${world.clock.now()}:1:1:${kind}:1`).toString('base64url');

  /** This network never redirects an invalid request back. */
  function consent({ query, notes }: NetworkRequest, hold: Hold): ConsentRequest {
    notes.keeps(BELIEFS.client);
    const application = clients.find(({ clientID }) => clientID === query.one('client_id'));
    if (!application)
      throw oauth2ErrorPage(BELIEFS.client, 'client_id is missing, or no OAuth 2.0 client of the sandbox');
    hold(BELIEFS.responseType, query.one('response_type') !== 'code' && 'response_type is not "code"');
    const redirectUri = heldRedirectUri(hold, query.one('redirect_uri'), BELIEFS);
    const state = query.one('state');
    hold(BELIEFS.state, (state ?? '').length > 500 && 'state has more than 500 characters');
    const scopes = [...new Set((query.one('scope') ?? '').split(' ').filter((name) => name !== ''))];
    hold(BELIEFS.scope, scopes.length === 0 && 'scope is missing');
    const unknown = scopes.filter((name) => !APPEARANCE.scopes.includes(name));
    hold(BELIEFS.scope, unknown.length > 0 && naming('scope names one that does not exist', ...unknown));
    const challenge = query.one('code_challenge') ?? '';
    const method = query.one('code_challenge_method');
    hold(BELIEFS.challenge, challenge === '' && 'code_challenge is missing, which this network needs');
    const isPlain = method === 'plain';
    if (isPlain) {
      const reason = 'code_challenge is no code verifier, of 43 to 128 letters';
      hold(BELIEFS.verifierForm, !isVerifier(challenge) && reason);
    } else {
      const reason = 'code_challenge_method is neither "S256" nor "plain"';
      hold(BELIEFS.challengeMethod, method !== 'S256' && method !== 's256' && reason);
      hold(BELIEFS.challengeMethodCase, method === 's256' && 'code_challenge_method is "s256", not "S256"');
      const isDigest = /^[A-Za-z0-9_-]{43}$/.test(challenge);
      hold(BELIEFS.challengeForm, !isDigest && 'code_challenge is no SHA-256 in base64url');
    }
    return {
      application,
      scopes,
      allow: (grant) => {
        const code = codes.issue(opaque('ac'), { grant, redirectUri, challenge, isPlain }, LIFETIME.code);
        return redirect(redirectUri, { state, code });
      },
      deny: () => declined(redirectUri, { state }),
    };
  }

  function token(request: NetworkRequest): NetworkResponse {
    request.notes.keeps(BELIEFS.grantType);
    const type = request.form.one('grant_type');
    if (type === undefined) throw missingParameter(BELIEFS.tokenParameters, 'grant_type', request);
    if (type === 'authorization_code') return tokens(exchange(request));
    if (type === 'refresh_token') return tokens(refresh(request));
    throw invalidRequest(BELIEFS.grantType, 'grant_type is unknown');
  }

  function exchange(request: NetworkRequest): Grant {
    const { form, notes } = request;
    const hold = notes.holdTo(invalidRequest);
    const application = authenticatedClient(request, clients, codes.find(form.one('code')).value?.grant);
    for (const name of ['code', 'redirect_uri', 'code_verifier']) demand(request, name);
    const isOwn = (code: MicroblogCode) => code.grant.application === application;
    const found = codes.use(form.one('code'));
    const { grant, redirectUri, challenge, isPlain } = hold.live(BELIEFS.code, 'code', found, isOwn);
    hold(BELIEFS.sameRedirectUri, redirectUriDiffers(form.one('redirect_uri'), redirectUri));
    const verifier = form.one('code_verifier');
    const matches = isPlain
      ? secretsEqual(verifier, challenge)
      : verifierMatches(verifier, challenge, 'base64url');
    hold(BELIEFS.verifier, !matches && 'code_verifier does not match code_challenge');
    const badForm = 'code_verifier does not have 43 to 128 letters, digits and "-._~"';
    hold(BELIEFS.verifierForm, !isVerifier(verifier) && badForm);
    return grant;
  }

  /** A refresh token works once. When a used one comes back, the whole consent ends. */
  function refresh(request: NetworkRequest): Grant {
    const found = refreshTokens.find(request.form.one('refresh_token'));
    const application = authenticatedClient(request, clients, found.value);
    const given = demand(request, 'refresh_token');
    if (found.state === 'used') found.value.ended = true;
    const hold = request.notes.holdTo(invalidRequest);
    const isOwn = (grant: Grant) => grant.application === application;
    const grant = hold.live(BELIEFS.refreshToken, 'refresh_token', found, isOwn);
    refreshTokens.use(given);
    return grant;
  }

  function revoke(request: NetworkRequest): NetworkResponse {
    const given = request.form.one('token');
    const asAccessToken = accessTokens.find(given);
    const found = asAccessToken.state === 'unknown' ? refreshTokens.find(given) : asAccessToken;
    const application = authenticatedClient(request, clients, found.value);
    demand(request, 'token');
    const grant = liveGrant(found);
    const isOwn = grant?.application === application;
    request.notes.holdTo(invalidRequest)(BELIEFS.revokedToken, !isOwn && rejectionReason('token', found));
    if (isOwn) grant.ended = true;
    return json({ revoked: true });
  }

  function tokens(grant: Grant): NetworkResponse {
    return json({
      token_type: 'bearer',
      expires_in: LIFETIME.accessToken,
      access_token: accessTokens.issue(opaque('at'), grant, LIFETIME.accessToken),
      scope: grant.scopes.join(' '),
      ...(grant.scopes.includes('offline.access') && {
        refresh_token: refreshTokens.issue(opaque('rt'), grant, LIFETIME.refreshToken),
      }),
    });
  }

  return [
    ...authorizationEndpoints(world, 'microblog', APPEARANCE, {
      // The second path is the API description's.
      paths: ['/microblog/i/oauth2/authorize', '/microblog/2/oauth2/authorize'],
      read: consent,
      reject: oauth2ErrorPage,
    }),
    post('token', '/microblog/2/oauth2/token', (request) => token(withJSONAsForm(request, 'grant_type'))),
    post('revocation', '/microblog/2/oauth2/revoke', (request) => revoke(withJSONAsForm(request, 'token'))),
  ];
}

function demand(request: NetworkRequest, name: string): string {
  request.notes.keeps(BELIEFS.tokenParameters);
  const value = request.form.one(name);
  if (value) return value;
  throw missingParameter(BELIEFS.tokenParameters, name, request);
}

/** The JSON body, if any, in place of the form. @param missing - What the network would miss if it did not read JSON. */
function withJSONAsForm(request: NetworkRequest, missing: string): NetworkRequest {
  const { json: form, notes } = request;
  if (form.size === 0) return request;
  notes.refuseOrNote(missingParameter(BELIEFS.tokenForm, missing, request));
  return { ...request, form, isForm: true };
}

/** @param grant - Tells which credentials are missing when the request does not name a client. */
function authenticatedClient(request: NetworkRequest, clients: readonly Application[], grant?: Grant) {
  const basic = basicCredentials(request);
  const id = basic ? basic.id : request.form.one('client_id');
  const application = clients.find(({ clientID }) => clientID === (id ?? grant?.application.clientID));
  const isPublic = application?.clientSecret === undefined;
  request.notes.keeps(BELIEFS.tokenClient, isPublic ? BELIEFS.publicClient : BELIEFS.clientAuthentication);
  if (application?.clientSecret !== undefined) {
    // RFC 6749, section 2.3.1, percent-encodes Basic credentials, but the network's sample code does not; both are accepted.
    const given = [basic?.secret, percentDecoded(basic?.secret ?? '')];
    if (given.some((secret) => secretsEqual(secret, application.clientSecret ?? ''))) return application;
    throw unauthorizedClient(
      BELIEFS.clientAuthentication,
      'a confidential client must send its identifier and secret by HTTP Basic: the header is missing or wrong',
    );
  }
  if (id === undefined) throw missingParameter(BELIEFS.publicClient, 'client_id', request);
  if (!application) {
    const description = 'Value passed for the client id was invalid.';
    const reason = 'client_id is no client of the sandbox';
    throw oauthError(BELIEFS.tokenClient, 400, 'invalid_client', description, reason);
  }
  const hold = request.notes.holdTo(unauthorizedClient);
  const hasHeader = request.authorization !== undefined;
  hold(BELIEFS.publicClientHeader, hasHeader && 'a public client sends an Authorization header');
  return application;
}
