import { identifierError, member, textMember } from '../core/answer.js';
import { LoginFailure, RefusedError } from '../core/errors.js';
import type { JSONAnswer, NetworkClient } from '../core/network-client.js';
import type { CurrentLogin, OAuth2Network } from '../core/oauth2-network.js';
import { firstPerson, identifier, tokenIdentifier } from './identifier.js';
import { readClassicOptions } from './options.js';
import { mapProfile } from './profile.js';
import type { LoadedRecord, Protocol, SocialNetworkAuthenticateOptions } from './protocol.js';
import type { SocialNetworkProfile } from './record.js';
import { REMEDIES, readRefusal, UNUSABLE_ACCOUNTS } from './refusals.js';

const NETWORK: Omit<OAuth2Network, 'profileAddresses'> = {
  clientParameter: 'client_id',
  clientAuthentication: 'form',
  scopeSeparator: ',',
  // The network refuses the whole authorization request: "Code challenge method is unsupported" (nextauthjs/next-auth#9898).
  codeChallenge: 'none',
  callbackParameters: ['error_reason'],
  // Its token answers have no token_type (nextauthjs/next-auth#13436).
  tokenTypeRequired: false,
  readRefusal,
  remedies: REMEDIES,
};

/** The classic protocol: OAuth 2.0 at `oauth.vk.ru`, the record from `users.get`, for applications made before June 2024. */
export function classicProtocol(options: unknown): Protocol {
  const { oauth2, profileURL } = readClassicOptions(options);
  return {
    settings: oauth2,
    network: { ...NETWORK, profileAddresses: [profileURL] },

    authorizationParams({ display, revoke }: SocialNetworkAuthenticateOptions) {
      return { display, revoke: revoke ? 1 : undefined };
    },

    async loadRecord(client, accessToken, login): Promise<LoadedRecord> {
      const answer = await requestRecord(client, profileURL, accessToken, login);
      const { body, text } = answer;
      const origin = { provider: oauth2.name, step: 'profile' } as const;
      const id = identifier(answer, (parsed) => member(firstPerson(parsed), 'id'));
      if (id === undefined) throw identifierError(origin, 'identifier_missing', 'no response[0].id');
      const expected = login && tokenIdentifier(login);
      if (expected !== undefined && expected !== id) {
        throw identifierError(
          origin,
          'identifier_mismatch',
          "another person's id than the token answer's user_id",
        );
      }
      const record = firstPerson(body) as SocialNetworkProfile;
      if (record.deactivated) throw unusableAccount();
      // users.get never has an address: the token answer is the only place.
      const email = textMember(login?.params, 'email');
      return { id, record, text, map: () => mapProfile(record, id, email) };
    },
  };
}

async function requestRecord(
  client: NetworkClient,
  url: string,
  accessToken: string,
  login: CurrentLogin | undefined,
): Promise<JSONAnswer> {
  try {
    return await client.sendForJSON({
      step: 'profile',
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${accessToken}` },
      secrets: () => [accessToken, ...(login?.secrets() ?? [])],
      retries: 2,
    });
  } catch (error) {
    const code = error instanceof RefusedError ? error.networkCode : undefined;
    if (code !== undefined && UNUSABLE_ACCOUNTS.includes(code)) throw unusableAccount();
    throw error;
  }
}

function unusableAccount(): LoginFailure {
  return new LoginFailure(
    'account_unusable',
    403,
    'The account is deleted, banned or deactivated at the network; nobody can log in with it.',
  );
}
