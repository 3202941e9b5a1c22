import type { Application } from '../core/clients.js';
import type { Belief } from '../core/evidence.js';
import {
  basicCredentials,
  bearerToken,
  ErrorResponse,
  json,
  type NetworkRequest,
  type NetworkResponse,
  redirect,
} from '../core/http.js';
import type { Endpoint, Network } from '../core/network.js';
import {
  isVerifier,
  plainHttpProblem,
  randomString,
  redirectUriProblem,
  secretsEqual,
  verifierMatches,
  withParameters,
} from '../core/oauth.js';
import {
  type AuthorizationCode,
  type Credentials,
  type Grant,
  type LookupResult,
  liveGrant,
  rejectionReason,
  type World,
} from '../core/world.js';
import { authorizationEndpoints, type ConsentRequest } from '../pages/authorization.js';
import { errorPage } from '../pages/error-page.js';
import { html } from '../pages/page.js';
import { BELIEFS } from './beliefs.js';
import { invalidRequest, missingParameter, unauthorizedClient, unknownClient } from './error-responses.js';
import { APPEARANCE, MICROBLOG_CONFIDENTIAL, MICROBLOG_PUBLIC } from './options.js';

/** Seconds. The refresh token's half a year was observed, the others are documented. */
const LIFETIME = { code: 30, accessToken: 7_200, refreshToken: 15_768_000 };

interface MicroblogCode extends AuthorizationCode {
  readonly challenge: string;
  readonly isPlain: boolean;
}

/**
 * The microblog network's OAuth 2.0: X, authorization code with PKCE.
 *
 * A confidential client sends its secret by HTTP Basic, a public client its `client_id` in the body.
 *
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (read 2026-11)
 */
export class MicroblogOAuth2 implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly clients: readonly Application[];
  private readonly codes: Credentials<MicroblogCode>;
  private readonly accessTokens: Credentials<Grant>;
  private readonly refreshTokens: Credentials<Grant>;

  constructor(private readonly world: World) {
    this.clients = microblogClients(world);
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    this.refreshTokens = world.credentials();
    const network = 'microblog';
    this.endpoints = [
      ...authorizationEndpoints({
        network,
        // The second path is the API description's.
        paths: ['/microblog/i/oauth2/authorize', '/microblog/2/oauth2/authorize'],
        appearance: APPEARANCE,
        people: world.people,
        read: (request) => this.consent(request),
        reject: microblogErrorPage,
      }),
      {
        network,
        name: 'token',
        method: 'post',
        path: '/microblog/2/oauth2/token',
        handle: (request) => this.token(withJSONAsForm(request, 'grant_type')),
      },
      {
        network,
        name: 'revocation',
        method: 'post',
        path: '/microblog/2/oauth2/revoke',
        handle: (request) => this.revoke(withJSONAsForm(request, 'token')),
      },
    ];
  }

  /** Looks up the bearer token of a request. */
  findBearer(request: NetworkRequest): LookupResult<Grant> {
    return this.accessTokens.find(bearerToken(request));
  }

  private consent(request: NetworkRequest): ConsentRequest {
    const { application, redirectUri, scopes, state, challenge, isPlain } = readMicroblogRequest(
      request,
      this.clients,
    );
    return {
      application,
      scopes,
      allow: (person) => {
        const grant: Grant = { application, person, scopes, ended: false };
        const code = this.codes.issue(
          this.opaque('ac'),
          { grant, redirectUri, challenge, isPlain },
          LIFETIME.code,
        );
        return redirect(withParameters(redirectUri, { state, code }));
      },
      deny: () => redirect(withParameters(redirectUri, { error: 'access_denied', state })),
    };
  }

  private token(request: NetworkRequest): NetworkResponse {
    const { form } = request;
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.tokens(this.exchange(request));
      case 'refresh_token':
        return this.tokens(this.refresh(request));
      case undefined:
        throw missingParameter(BELIEFS.tokenParameters, 'grant_type', request);
      default:
        throw invalidRequest(
          BELIEFS.grantType,
          'Value passed for the grant type was invalid.',
          'grant_type is unknown',
        );
    }
  }

  private exchange(request: NetworkRequest): Grant {
    const { form } = request;
    const application = authenticatedClient(
      request,
      this.clients,
      this.codes.find(form.get('code')).value?.grant,
    );
    for (const name of ['code', 'redirect_uri', 'code_verifier'])
      if (!form.get(name)) throw missingParameter(BELIEFS.tokenParameters, name, request);
    const found = this.codes.use(form.get('code'));
    if (found.state !== 'live' || found.value.grant.application !== application) {
      const description = 'Value passed for the authorization code was invalid.';
      throw invalidRequest(BELIEFS.code, description, rejectionReason('code', found));
    }
    const { grant, redirectUri, challenge, isPlain } = found.value;
    if (form.get('redirect_uri') !== redirectUri) {
      const description =
        'Value passed for the redirect uri did not match the uri of the authorization code.';
      throw invalidRequest(
        BELIEFS.sameRedirectUri,
        description,
        'redirect_uri differs from the authorization request',
      );
    }
    const verifier = form.get('code_verifier');
    const description = 'Value passed for the code verifier did not match the code challenge.';
    if (!(isPlain ? secretsEqual(verifier, challenge) : verifierMatches(verifier, challenge, 'base64url'))) {
      throw invalidRequest(BELIEFS.verifier, description, 'code_verifier does not match code_challenge');
    }
    if (!isVerifier(verifier)) {
      const reason = 'code_verifier does not have 43 to 128 letters, digits and "-._~"';
      request.notes.refuseOrNote(invalidRequest(BELIEFS.verifierForm, description, reason));
    }
    return grant;
  }

  /** A refresh token works once. When a used one comes back, the whole consent ends. */
  private refresh(request: NetworkRequest): Grant {
    const found = this.refreshTokens.find(request.form.get('refresh_token'));
    const application = authenticatedClient(request, this.clients, found.value);
    if (!request.form.get('refresh_token')) {
      throw missingParameter(BELIEFS.tokenParameters, 'refresh_token', request);
    }
    const grant = liveGrant(found);
    if (grant?.application === application) {
      this.refreshTokens.use(request.form.get('refresh_token'));
      return grant;
    }
    if (found.state === 'used') found.value.ended = true;
    const description = 'Value passed for the token was invalid.';
    throw invalidRequest(BELIEFS.refreshToken, description, rejectionReason('refresh_token', found));
  }

  private revoke(request: NetworkRequest): NetworkResponse {
    const token = request.form.get('token');
    const asAccessToken = this.accessTokens.find(token);
    const found = asAccessToken.state === 'unknown' ? this.refreshTokens.find(token) : asAccessToken;
    const application = authenticatedClient(request, this.clients, found.value);
    if (!token) throw missingParameter(BELIEFS.tokenParameters, 'token', request);
    const grant = liveGrant(found);
    if (grant?.application === application) {
      grant.ended = true;
    } else {
      const description = 'Value passed for the token was invalid.';
      const reason = rejectionReason('token', found);
      request.notes.refuseOrNote(invalidRequest(BELIEFS.revokedToken, description, reason));
    }
    return json({ revoked: true });
  }

  private tokens(grant: Grant): NetworkResponse {
    const offline = grant.scopes.includes('offline.access');
    return json({
      token_type: 'bearer',
      expires_in: LIFETIME.accessToken,
      access_token: this.accessTokens.issue(this.opaque('at'), grant, LIFETIME.accessToken),
      scope: grant.scopes.join(' '),
      ...(offline && {
        refresh_token: this.refreshTokens.issue(this.opaque('rt'), grant, LIFETIME.refreshToken),
      }),
    });
  }

  /** A code or token in the network's format: base64 of a random string, the time and the kind. */
  private opaque(kind: 'ac' | 'at' | 'rt'): string {
    return Buffer.from(`${randomString(43)}:${this.world.clock.now()}:1:1:${kind}:1`).toString('base64url');
  }
}

/**
 * The request with its JSON body, if it has one, in place of the form.
 *
 * @param missing - Parameter that the network would miss if it did not read JSON.
 */
function withJSONAsForm(request: NetworkRequest, missing: string): NetworkRequest {
  const { json: form, notes } = request;
  if (form.entries().length === 0) return request;
  notes.refuseOrNote(missingParameter(BELIEFS.tokenForm, missing, request));
  return { ...request, form, isForm: true };
}

/** Every scope of the network; the sandbox's applications may request all of them. */
const SCOPES = (
  'tweet.read tweet.write tweet.moderate.write users.read users.email follows.read follows.write ' +
  'offline.access space.read mute.read mute.write like.read like.write list.read list.write ' +
  'block.read block.write bookmark.read bookmark.write dm.read dm.write media.write ' +
  'broadcast.read broadcast.write timeline.read'
).split(' ');

/** A valid authorization request to the microblog network. */
export interface MicroblogRequest {
  readonly application: Application;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string;
  /** Whether the method is `plain`, where the challenge is the verifier itself. The network allows it. */
  readonly isPlain: boolean;
  readonly state: string | undefined;
}

/**
 * Validates an authorization request.
 *
 * @throws ErrorResponse with an error page. This network never redirects an invalid request back.
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (read 2026-11)
 */
export function readMicroblogRequest(
  request: NetworkRequest,
  clients: readonly Application[],
): MicroblogRequest {
  const { query, notes } = request;
  const application = clients.find(({ id }) => id === query.get('client_id'));
  if (!application) {
    throw microblogErrorPage(BELIEFS.client, 'client_id is missing, or no OAuth 2.0 client of the sandbox');
  }
  if (query.get('response_type') !== 'code') {
    throw microblogErrorPage(BELIEFS.responseType, 'response_type is not "code"');
  }
  const redirectUri = query.get('redirect_uri');
  const problem = redirectUriProblem(redirectUri);
  if (redirectUri === undefined || problem !== undefined) {
    throw microblogErrorPage(BELIEFS.redirectUri, problem ?? 'redirect_uri is missing');
  }
  const plainHttp = plainHttpProblem(redirectUri);
  if (plainHttp !== undefined) {
    notes.refuseOrNote(microblogErrorPage(BELIEFS.redirectUriHttps, plainHttp));
  }
  const state = query.get('state');
  if (state !== undefined && state.length > 500) {
    throw microblogErrorPage(BELIEFS.state, 'state has more than 500 characters');
  }
  const scopes = readScopes(query.get('scope') ?? '');
  return { application, redirectUri, state, scopes, ...readChallenge(request) };
}

/** The network's error page. It shows the reason, although the real network does not say it. */
export function microblogErrorPage(belief: Belief, reason: string): ErrorResponse {
  const content = html`<p>You weren't able to give access to the App. Go back and try logging in again.</p>`;
  const response = errorPage({ title: 'Something went wrong', content, reason, belief, status: 400 });
  return new ErrorResponse(response, reason, belief);
}

function readScopes(scope: string): readonly string[] {
  const scopes = [...new Set(scope.split(' ').filter((name) => name !== ''))];
  if (scopes.length === 0) throw microblogErrorPage(BELIEFS.scope, 'scope is missing');
  if (!scopes.every((name) => SCOPES.includes(name))) {
    throw microblogErrorPage(BELIEFS.scope, 'scope names one that does not exist');
  }
  return scopes;
}

function readChallenge({ query, notes }: NetworkRequest): Pick<MicroblogRequest, 'challenge' | 'isPlain'> {
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (!challenge) {
    throw microblogErrorPage(BELIEFS.challenge, 'code_challenge is missing, which this network needs');
  }
  if (method === 'plain') {
    if (!isVerifier(challenge)) {
      const reason = 'code_challenge is no code verifier, of 43 to 128 letters';
      notes.refuseOrNote(microblogErrorPage(BELIEFS.verifierForm, reason));
    }
    return { challenge, isPlain: true };
  }
  if (method !== 'S256' && method !== 's256') {
    const reason = 'code_challenge_method is neither "S256" nor "plain"';
    throw microblogErrorPage(BELIEFS.challengeMethod, reason);
  }
  if (method === 's256') {
    const reason = 'code_challenge_method is "s256", not "S256"';
    notes.refuseOrNote(microblogErrorPage(BELIEFS.challengeMethodCase, reason));
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    notes.refuseOrNote(
      microblogErrorPage(BELIEFS.challengeForm, 'code_challenge is no SHA-256 in base64url'),
    );
  }
  return { challenge, isPlain: false };
}

/** The OAuth 2.0 clients of the microblog network. */
export function microblogClients(world: World): readonly Application[] {
  return [world.registered(MICROBLOG_CONFIDENTIAL), world.registered(MICROBLOG_PUBLIC)];
}

/**
 * Authenticates the client of a token, refresh or revocation request.
 *
 * @param grant - The grant of the code or token in the request. It tells which credentials are missing when the request
 *   does not name a client.
 * @throws ErrorResponse when a confidential client does not send its secret by HTTP Basic, or a public client no `client_id`.
 */
export function authenticatedClient(
  request: NetworkRequest,
  clients: readonly Application[],
  grant: Grant | undefined,
): Application {
  const basic = basicCredentials(request);
  const id = basic ? basic.id : request.form.get('client_id');
  const known = id ?? grant?.application.id;
  const application = clients.find((client) => client.id === known);
  if (application?.secret !== undefined) {
    if (basic && basicSecretMatches(basic.secret, application.secret)) return application;
    throw unauthorizedClient(
      BELIEFS.clientAuthentication,
      'a confidential client must send its identifier and secret by HTTP Basic: the header is missing or wrong',
    );
  }
  if (id === undefined) throw missingParameter(BELIEFS.publicClient, 'client_id', request);
  if (!application) throw unknownClient('client_id is no client of the sandbox');
  if (request.authorization !== undefined) {
    const reason = 'a public client sends an Authorization header';
    request.notes.refuseOrNote(unauthorizedClient(BELIEFS.publicClientHeader, reason));
  }
  return application;
}

/** RFC 6749, section 2.3.1, percent-encodes Basic credentials, but the network's sample code does not; both are accepted. */
function basicSecretMatches(secret: string, expected: string): boolean {
  return secretsEqual(secret, expected) || secretsEqual(percentDecoded(secret), expected);
}

function percentDecoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
