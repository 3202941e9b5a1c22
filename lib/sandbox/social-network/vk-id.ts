import { type Answer, json } from '../answer.js';
import { VK_ID } from '../applications.js';
import { authorizationEndpoints, type ConsentRequest } from '../authorization.js';
import { type Call, queryAndForm } from '../call.js';
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
import { idToken } from './id-token.js';
import { readVkIdRequest, vkIdPage } from './vk-id-authorization.js';
import { checkDevice, checkVkIdClient, vkIdRefusal } from './vk-id-client.js';

/** Seconds. */
const LIFETIME = { code: 600, accessToken: 3_600, refreshToken: 15_552_000 };

/** Whether the callback's parameters stand in its query one by one, or together in one of JSON: `payload`. */
export type VkIdCallback = 'flat' | 'payload';

/** Device and consent belong together: the device's identifier goes along with every exchange and refresh. */
interface VkIdGrant extends Grant {
  readonly deviceId: string;
}

interface VkIdExchange extends PendingExchange {
  readonly grant: VkIdGrant;
  readonly challenge: string;
}

/**
 * The social network's VK ID: OAuth 2.1, PKCE, a device identifier and no client secret. Refuses with HTTP 200.
 *
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export class VkId implements Network {
  readonly endpoints: readonly Endpoint[];
  private readonly codes: Credentials<VkIdExchange>;
  private readonly accessTokens: Credentials<VkIdGrant>;
  private readonly refreshTokens: Credentials<VkIdGrant>;

  constructor(
    private readonly world: World,
    private readonly callback: VkIdCallback,
  ) {
    this.codes = world.credentials();
    this.accessTokens = world.credentials();
    this.refreshTokens = world.credentials();
    this.endpoints = [
      ...authorizationEndpoints({
        network: 'social-network',
        paths: ['/vk-id/authorize'],
        people: world.people,
        read: (query) => this.consent(query),
        refuse: vkIdPage,
      }),
      {
        network: 'social-network',
        name: 'token',
        method: 'post',
        path: '/vk-id/oauth2/auth',
        answer: (call) => this.token(call),
      },
    ];
  }

  /** What an access token of this protocol stands for. */
  find(accessToken: string | undefined): Finding<Grant> {
    return this.accessTokens.find(accessToken);
  }

  private consent(query: Parameters): ConsentRequest {
    const { redirectUri, scopes, challenge, state } = readVkIdRequest(query);
    return {
      application: VK_ID,
      scopes,
      allow: (person) => {
        const grant = { application: VK_ID, person, scopes, ended: false, deviceId: randomText(86) };
        const code = this.codes.issue(
          `vk2.a.${randomText(220)}`,
          { grant, redirectUri, challenge },
          LIFETIME.code,
        );
        return this.callbackAddress(redirectUri, code, grant.deviceId, state);
      },
      deny: () => {
        const denial = { error: 'access_denied', error_description: 'User cancelled the login' };
        return withParameters(redirectUri, { ...denial, state });
      },
    };
  }

  private callbackAddress(redirectUri: string, code: string, device_id: string, state: string): string {
    const type = 'code_v2';
    if (this.callback === 'payload') {
      return withParameters(redirectUri, { payload: JSON.stringify({ code, state, type, device_id }) });
    }
    const expires_in = String(LIFETIME.code);
    return withParameters(redirectUri, { code, expires_in, device_id, state, ext_id: randomText(64), type });
  }

  private token(call: Call): Answer {
    const parameters = queryAndForm(call);
    checkVkIdClient(parameters);
    switch (parameters.get('grant_type')) {
      case 'authorization_code':
        return this.login(this.exchange(parameters), parameters);
      case 'refresh_token':
        return json(this.tokens(this.refresh(parameters), parameters));
      default:
        throw vkIdRefusal(parameters, 'invalid_request', 'grant_type is missing or invalid');
    }
  }

  private exchange(parameters: Parameters): VkIdGrant {
    const finding = this.codes.take(parameters.get('code'));
    if (finding.state !== 'live') {
      const reason = whyRefused('code', finding);
      throw vkIdRefusal(parameters, 'invalid_grant', 'code is invalid or expired', reason);
    }
    const { grant, redirectUri, challenge } = finding.subject;
    checkDevice(parameters, grant.deviceId);
    if (parameters.get('redirect_uri') !== redirectUri) {
      const reason = 'redirect_uri differs from the authorization request';
      throw vkIdRefusal(parameters, 'invalid_request', 'redirect_uri is missing or invalid', reason);
    }
    const verifier = parameters.get('code_verifier');
    if (verifier?.match(/[.~]/) || !provesChallenge(verifier, challenge, 'base64url')) {
      const reason =
        'code_verifier does not lead to the code_challenge, or has a character that the network refuses';
      throw vkIdRefusal(parameters, 'invalid_request', 'verifier is missing or invalid', reason);
    }
    return grant;
  }

  /** A refresh token is good for one use; whoever comes with a spent one ends the login. */
  private refresh(parameters: Parameters): VkIdGrant {
    const finding = this.refreshTokens.find(parameters.get('refresh_token'));
    const grant = liveGrant(finding);
    if (!grant) {
      if (finding.state === 'used') finding.subject.ended = true;
      const reason = whyRefused('refresh_token', finding);
      throw vkIdRefusal(parameters, 'invalid_request', 'refresh_token is missing or invalid', reason);
    }
    checkDevice(parameters, grant.deviceId);
    this.refreshTokens.take(parameters.get('refresh_token'));
    return grant;
  }

  private login(grant: VkIdGrant, parameters: Parameters): Answer {
    const id_token = idToken(this.world.clock, grant.person, LIFETIME.accessToken);
    return json({ ...this.tokens(grant, parameters), id_token });
  }

  private tokens(grant: VkIdGrant, parameters: Parameters): object {
    return {
      refresh_token: this.refreshTokens.issue(`vk2.a.${randomText(160)}`, grant, LIFETIME.refreshToken),
      access_token: this.accessTokens.issue(`vk2.a.${randomText(160)}`, grant, LIFETIME.accessToken),
      token_type: 'Bearer',
      expires_in: LIFETIME.accessToken,
      user_id: grant.person.socialNetworkId,
      state: parameters.get('state') ?? '',
      scope: grant.scopes.join(' '),
    };
  }
}
