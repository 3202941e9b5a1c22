import { type Answer, json } from '../answer.js';
import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import { bearerToken, type Call } from '../call.js';
import {
  type Credentials,
  type Finding,
  type Grant,
  liveGrant,
  type PendingExchange,
  whyRefused,
} from '../grants.js';
import type { Endpoint, Network } from '../network.js';
import type { Parameters } from '../parameters.js';
import { provesChallenge } from '../pkce.js';
import { withParameters } from '../redirect-address.js';
import { randomText, sameText } from '../secrets.js';
import type { World } from '../world.js';
import { microblogPage, readMicroblogRequest } from './oauth2-authorization.js';
import { authenticatedClient, invalid, missing } from './oauth2-client.js';

/** Seconds. The refresh token's half a year is observed, the others are documented. */
const LIFETIME = { code: 30, accessToken: 7_200, refreshToken: 15_768_000 };

interface MicroblogExchange extends PendingExchange {
  readonly challenge: string;
  readonly isPlain: boolean;
}

/**
 * The microblog network's OAuth 2.0: X, authorization code with PKCE.
 *
 * A confidential client shows its secret by HTTP Basic, a public one its `client_id` in the body. Nearly every refusal
 * is called `invalid_request`, where the standard says `invalid_grant`.
 *
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token (read 2026-11)
 */
export class MicroblogOAuth2 implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly codes: Credentials<MicroblogExchange>;
  private readonly accessTokens: Credentials<Grant>;
  private readonly refreshTokens: Credentials<Grant>;

  constructor(private readonly world: World) {
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    this.refreshTokens = world.credentials();
    const network = 'microblog';
    this.endpoints = [
      ...authorizationEndpoints({
        network,
        paths: ['/microblog/i/oauth2/authorize'],
        people: world.people,
        read: (query) => this.consent(query),
        refuse: microblogPage,
      }),
      {
        network,
        name: 'token',
        method: 'post',
        path: '/microblog/2/oauth2/token',
        answer: (call) => this.token(call),
      },
      {
        network,
        name: 'revocation',
        method: 'post',
        path: '/microblog/2/oauth2/revoke',
        answer: (call) => this.revoke(call),
      },
    ];
  }

  /** What the bearer token of a call stands for. */
  bearer(call: Call): Finding<Grant> {
    return this.accessTokens.find(bearerToken(call));
  }

  private consent(query: Parameters): ConsentRequest {
    const { application, redirectUri, scopes, state, challenge, isPlain } = readMicroblogRequest(query);
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
        return withParameters(redirectUri, { state, code });
      },
      deny: () => withParameters(redirectUri, { error: 'access_denied', state }),
    };
  }

  private token(call: Call): Answer {
    const { form } = call;
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.tokens(this.exchange(call));
      case 'refresh_token':
        return this.tokens(this.refresh(call));
      case undefined:
        throw missing('grant_type', call);
      default:
        throw invalid('Value passed for the grant type was invalid.', 'grant_type is unknown');
    }
  }

  private exchange(call: Call): Grant {
    const { form } = call;
    const application = authenticatedClient(call, this.codes.find(form.get('code')).subject?.grant);
    for (const name of ['code', 'redirect_uri', 'code_verifier'])
      if (!form.get(name)) throw missing(name, call);
    const finding = this.codes.take(form.get('code'));
    if (finding.state !== 'live' || finding.subject.grant.application !== application) {
      throw invalid('Value passed for the authorization code was invalid.', whyRefused('code', finding));
    }
    const { grant, redirectUri, challenge, isPlain } = finding.subject;
    if (form.get('redirect_uri') !== redirectUri) {
      const description =
        'Value passed for the redirect uri did not match the uri of the authorization code.';
      throw invalid(description, 'redirect_uri differs from the authorization request');
    }
    const verifier = form.get('code_verifier');
    if (!(isPlain ? sameText(verifier, challenge) : provesChallenge(verifier, challenge, 'base64url'))) {
      const description = 'Value passed for the code verifier did not match the code challenge.';
      throw invalid(description, 'code_verifier does not lead to the code_challenge');
    }
    return grant;
  }

  /** A refresh token is good for one use; whoever comes with a spent one ends the whole consent. */
  private refresh(call: Call): Grant {
    const finding = this.refreshTokens.find(call.form.get('refresh_token'));
    const application = authenticatedClient(call, finding.subject);
    if (!call.form.get('refresh_token')) throw missing('refresh_token', call);
    const grant = liveGrant(finding);
    if (grant?.application === application) {
      this.refreshTokens.take(call.form.get('refresh_token'));
      return grant;
    }
    if (finding.state === 'used') finding.subject.ended = true;
    throw invalid('Value passed for the token was invalid.', whyRefused('refresh_token', finding));
  }

  private revoke(call: Call): Answer {
    const token = call.form.get('token');
    const asAccessToken = this.accessTokens.find(token);
    const finding = asAccessToken.state === 'unknown' ? this.refreshTokens.find(token) : asAccessToken;
    const application = authenticatedClient(call, finding.subject);
    if (!token) throw missing('token', call);
    const grant = liveGrant(finding);
    if (!grant || grant.application !== application) {
      throw invalid('Value passed for the token was invalid.', whyRefused('token', finding));
    }
    grant.ended = true;
    return json({ revoked: true });
  }

  private tokens(grant: Grant): Answer {
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

  /** The network's codes and tokens are such texts in base64, which tell their time and kind. */
  private opaque(kind: 'ac' | 'at' | 'rt'): string {
    return Buffer.from(`${randomText(43)}:${this.world.clock.now()}:1:1:${kind}:1`).toString('base64url');
  }
}
