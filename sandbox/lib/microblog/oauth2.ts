import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import type { Application } from '../clients.js';
import {
  type AuthorizationCode,
  type Credentials,
  type Grant,
  type LookupResult,
  liveGrant,
  rejectionReason,
} from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import { isVerifier, verifierMatches } from '../pkce.js';
import { withParameters } from '../redirect-uri.js';
import { bearerToken, type NetworkRequest } from '../request.js';
import { json, type NetworkResponse, redirect } from '../response.js';
import { randomString, secretsEqual } from '../secrets.js';
import type { World } from '../world.js';
import { APPEARANCE } from './appearance.js';
import { BELIEFS } from './beliefs.js';
import { invalidRequest, missingParameter } from './error-responses.js';
import { microblogErrorPage, readMicroblogRequest } from './oauth2-authorization.js';
import { authenticatedClient, microblogClients } from './oauth2-client.js';

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
