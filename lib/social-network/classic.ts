import { cleanText, identifierError, RefusedError } from '../core/errors/index.js';
import { hintOf } from '../core/facts.js';
import { type JSONResponse, type NetworkRequest, property, stringProperty } from '../core/http/index.js';
import type { CurrentLogin, OAuth2Network, OAuth2Settings } from '../core/oauth2/index.js';
import { assembleProfile, type Profile, storable } from '../core/profile.js';
import { classicFacts } from './facts.js';
import { readClassicOptions, type SocialNetworkAuthenticateOptions } from './options.js';
import type { SocialNetworkRecord } from './record.js';
import { firstUser, identifier, isAnotherUser, mapProfile, readErrorResponse } from './responses.js';

/** Sends a profile request with the access token of the login. */
export type RequestProfile = (
  request: Pick<NetworkRequest, 'url'> & Partial<NetworkRequest>,
) => Promise<JSONResponse>;

/** One of the network's protocols, with its options read. */
export interface Protocol {
  readonly settings: OAuth2Settings;
  readonly network: OAuth2Network;
  /** Absent if tokens cannot be revoked. */
  readonly revocationURL?: string;
  /** Absent if there is no logout. */
  readonly logoutURL?: string;
  /** What a refresh sends beside the refresh token; absent if there are no refresh tokens. @throws TypeError if something is missing */
  refreshParameters?(deviceID: string | undefined): Record<string, string>;
  authorizationParams(options: SocialNetworkAuthenticateOptions): object;
  /**
   * @param accessToken - For a request that needs it in the form.
   * @param scopes - The granted ones.
   */
  loadProfile(
    request: RequestProfile,
    accessToken: string,
    login: CurrentLogin | undefined,
    scopes: readonly string[],
  ): Promise<Profile<unknown>>;
}

const NETWORK: Omit<OAuth2Network, 'profileURLs'> = {
  clientParameter: 'client_id',
  clientAuthentication: 'form',
  scopeSeparator: ',',
  // With PKCE the network rejects the authorization request: "Code challenge method is unsupported" (nextauthjs/next-auth#9898).
  codeChallenge: 'none',
  authenticateOptions: ['display', 'revoke'],
  responseParameters: ['error_reason'],
  // Its token responses have no token_type (nextauthjs/next-auth#13436).
  tokenTypeRequired: false,
  facts: classicFacts,
  readErrorResponse,
};

/** The classic protocol: OAuth 2.0 at `oauth.vk.ru`, the record from `users.get`, for applications made before June 2024. */
export function classicProtocol(options: unknown): Protocol {
  const { settings, profileURL } = readClassicOptions(options);
  return {
    settings,
    network: { ...NETWORK, profileURLs: [profileURL] },

    authorizationParams: ({ display, revoke }) => ({ display, revoke: revoke ? 1 : undefined }),

    async loadProfile(request, _accessToken, login) {
      const response = await request({ url: profileURL, retries: 2 });
      const id = identifier(response, (body) => property(firstUser(body), 'id'));
      if (id === undefined) {
        throw identifierError(settings.name, 'profile', 'identifier_missing', 'no response[0].id');
      }
      if (isAnotherUser(id, login)) {
        const difference = "another user's id than the token response's user_id";
        throw identifierError(settings.name, 'profile', 'identifier_mismatch', difference);
      }
      const record = firstUser(response.body) as SocialNetworkRecord;
      if (record.deactivated) {
        const [step, means] = ['profile', 'account unusable'] as const;
        const refusal = { networkCode: 'deactivated', networkMessage: cleanText(record.deactivated) };
        throw new RefusedError({ provider: settings.name, step, means, hint: hintOf({ means }), ...refusal });
      }
      // users.get never returns the address: it is in the token response only.
      const email = storable(stringProperty(login?.params, 'email') ?? '');
      return assembleProfile(settings.name, settings.mapProfile, record, response.text, () =>
        mapProfile(id, record, record, email),
      );
    },
  };
}
