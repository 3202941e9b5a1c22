import { type Answer, json } from '../answer.js';
import { SHORT_VIDEO } from '../applications.js';
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
import { randomText } from '../secrets.js';
import type { World } from '../world.js';
import { readShortVideoRequest, shortVideoPage } from './authorization.js';
import { checkShortVideoClient } from './client.js';
import { shortVideoRefusal } from './refusals.js';

/** Seconds. The network sends the last two along, and has changed them before. */
const LIFETIME = { code: 60, accessToken: 7_200, refreshToken: 15_552_000 };

/** The one scope that nobody can untick. */
const BASIC_SCOPE = 'user.info.basic';

/**
 * The short-video network: TikTok, Login Kit v2. Its OAuth endpoints refuse with HTTP 200.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11)
 * @see https://developers.tiktok.com/doc/oauth-get-a-user-access-token (read 2026-11)
 */
export class ShortVideoOAuth2 implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly codes: Credentials<PendingExchange>;
  private readonly accessTokens: Credentials<Grant>;
  private readonly refreshTokens: Credentials<Grant>;

  constructor(private readonly world: World) {
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    this.refreshTokens = world.credentials();
    this.endpoints = [
      ...authorizationEndpoints({
        network: 'short-video',
        paths: ['/short-video/v2/auth/authorize/', '/short-video/v2/auth/authorize'],
        people: world.people,
        read: (query) => this.consent(query),
        refuse: (reason) => shortVideoPage('param_error', 'request', reason),
      }),
      post('token', '/short-video/v2/oauth/token/', (call) => this.token(call)),
      post('revocation', '/short-video/v2/oauth/revoke/', (call) => this.revoke(call)),
    ];
  }

  /** What the bearer token of a call stands for. */
  bearer(call: Call): Finding<Grant> {
    return this.accessTokens.find(bearerToken(call));
  }

  private consent(query: Parameters): ConsentRequest {
    const { redirectUri, scopes, state, challenge } = readShortVideoRequest(query);
    return {
      application: SHORT_VIDEO,
      scopes,
      refusable: scopes.filter((scope) => scope !== BASIC_SCOPE),
      allow: (person, granted) => {
        const grant: Grant = { application: SHORT_VIDEO, person, scopes: granted, ended: false };
        const pending = { grant, redirectUri, ...(challenge !== undefined && { challenge }) };
        const code = this.codes.issue(`${randomText(40)}*1!4608.va`, pending, LIFETIME.code);
        return withParameters(redirectUri, { code, scopes: granted.join(','), state });
      },
      deny: () => {
        const denial = { error: 'access_denied', error_description: 'User cancelled the login.' };
        return withParameters(redirectUri, { ...denial, state });
      },
    };
  }

  private token(call: Call): Answer {
    const { form } = call;
    checkShortVideoClient(this.world.clock, call);
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.tokens(this.exchange(form));
      case 'refresh_token':
        return this.tokens(this.refresh(form));
      case undefined:
        throw shortVideoRefusal(
          this.world.clock,
          'invalid_request',
          'The request parameters are malformed.',
          'grant_type is missing',
        );
      default:
        throw shortVideoRefusal(
          this.world.clock,
          'unsupported_grant_type',
          'Grant type is not supported.',
          'grant_type is unknown',
        );
    }
  }

  /** A code is spent by the attempt, whether it succeeds or not. */
  private exchange(form: Parameters): Grant {
    const finding = this.codes.take(form.get('code'));
    if (finding.state !== 'live') {
      throw shortVideoRefusal(
        this.world.clock,
        'invalid_grant',
        'Authorization code is expired.',
        whyRefused('code', finding),
      );
    }
    const { grant, redirectUri, challenge } = finding.subject;
    if (form.get('redirect_uri') !== redirectUri) {
      const description = 'Redirect_uri is not matched with the uri when requesting code.';
      throw shortVideoRefusal(
        this.world.clock,
        'invalid_request',
        description,
        'redirect_uri differs from the authorization request',
      );
    }
    if (challenge !== undefined && !provesChallenge(form.get('code_verifier'), challenge, 'hex')) {
      const reason = 'code_verifier does not lead to the code_challenge: its SHA-256, in hex';
      throw shortVideoRefusal(
        this.world.clock,
        'invalid_request',
        'Code verifier or code challenge is invalid.',
        reason,
      );
    }
    return grant;
  }

  private refresh(form: Parameters): Grant {
    const finding = this.refreshTokens.take(form.get('refresh_token'));
    const grant = liveGrant(finding);
    if (grant) return grant;
    const reason = whyRefused('refresh_token', finding);
    throw shortVideoRefusal(
      this.world.clock,
      'invalid_grant',
      'Refresh token is invalid or expired.',
      reason,
    );
  }

  private tokens(grant: Grant): Answer {
    const { accessToken, refreshToken } = LIFETIME;
    return json({
      access_token: this.accessTokens.issue(`act.${randomText(48)}!4608`, grant, accessToken),
      expires_in: accessToken,
      open_id: grant.person.openId,
      refresh_expires_in: refreshToken,
      refresh_token: this.refreshTokens.issue(`rft.${randomText(48)}!4608`, grant, refreshToken),
      scope: grant.scopes.join(','),
      token_type: 'Bearer',
    });
  }

  /** Takes the application off the person's list, so every token ends. An expired access token does not do it. */
  private revoke(call: Call): Answer {
    checkShortVideoClient(this.world.clock, call);
    const finding = this.accessTokens.find(call.form.get('token'));
    const grant = liveGrant(finding);
    if (!grant) {
      throw shortVideoRefusal(
        this.world.clock,
        'invalid_grant',
        'Access token is invalid or expired.',
        whyRefused('token', finding),
      );
    }
    grant.ended = true;
    return json({});
  }
}

function post(name: string, path: string, answer: Endpoint['answer']): Endpoint {
  return { network: 'short-video', name, method: 'post', path, answer };
}
