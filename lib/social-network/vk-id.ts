import { identifierError, LoginFailure } from '../core/errors/index.js';
import { isObject, parseJSON, property, stringProperty } from '../core/http/index.js';
import type { AuthorizationResponse } from '../core/login/index.js';
import { type OAuth2Network, randomSecret } from '../core/oauth2/index.js';
import { assembleProfile } from '../core/profile.js';
import type { Protocol, RequestProfile } from './classic.js';
import { EMAIL_SCOPE, vkIdFacts } from './facts.js';
import { readVkIdOptions, type VkIdLookup } from './options.js';
import type { VkIdProfile } from './record.js';
import {
  firstUser,
  identifier,
  isAnotherUser,
  MOVED_FIELDS,
  mapProfile,
  readErrorResponse,
} from './responses.js';

/** VK ID: OAuth 2.1 with PKCE and a device ID, for applications made since June 2024. */
export function vkIdProtocol(options: unknown): Protocol {
  const { settings, serviceToken, profileURL, lookup, ...urls } = readVkIdOptions(options);
  const service = serviceToken === undefined ? {} : { service_token: serviceToken };
  const network: OAuth2Network = {
    clientParameter: 'client_id',
    clientAuthentication: 'form',
    scopeSeparator: ' ',
    codeChallenge: 'base64url',
    authenticateOptions: ['prompt', 'provider', 'langId', 'scheme'],
    responseParameters: ['device_id', 'payload', 'type', 'expires_in', 'ext_id'],
    userOf: (response) => identifier(response, (body) => property(body, 'user_id')),
    tokenTypeRequired: false,
    profileURLs: [profileURL, ...(lookup ? [lookup.url] : [])],
    facts: vkIdFacts,
    readErrorResponse,
    secrets: Object.values(service),
    unpackResponse,
    tokenRequestParameters: (response) => ({
      ...service,
      device_id: deviceIDOf(response),
      state: response.state ?? '',
    }),
    // Every refresh needs it, and the network sends it in the authorization response only.
    completeTokenResponse: (params, response) => ({ ...params, device_id: deviceIDOf(response) }),
  };
  return {
    settings,
    network,
    ...urls,

    authorizationParams: ({ prompt, provider, langId, scheme }) => ({
      prompt: Array.isArray(prompt) ? prompt.join(' ') : prompt,
      provider,
      lang_id: langId,
      scheme,
    }),

    refreshParameters(deviceID) {
      if (typeof deviceID === 'string' && deviceID !== '') {
        return { ...service, device_id: deviceID, state: randomSecret() };
      }
      throw new TypeError(
        `${settings.name}: refresh(refreshToken, deviceID) needs the device_id of the login's params.`,
      );
    },

    async loadProfile(request, accessToken, login, scopes) {
      const form = { client_id: settings.clientID, access_token: accessToken };
      const [response, found] = await Promise.all([
        request({ method: 'POST', url: profileURL, form, headers: {} }),
        lookup && lookUp(request, lookup),
      ]);
      const id = identifier(response, (body) => property(property(body, 'user'), 'user_id'));
      if (id === undefined) {
        throw identifierError(settings.name, 'profile', 'identifier_missing', 'no user.user_id');
      }
      if (isAnotherUser(id, login)) {
        const difference = "another user's user_id than the token response's";
        throw identifierError(settings.name, 'profile', 'identifier_mismatch', difference);
      }
      // The token response need not list the scope that was asked for, and granted.
      const mayHaveEmail = [...settings.scope, ...scopes].includes(EMAIL_SCOPE);
      const more = found?.id === id ? { lookup: found.record } : {};
      const record = { __proto__: MOVED_FIELDS, ...response.body, ...more } as unknown as VkIdProfile;
      return assembleProfile(settings.name, settings.mapProfile, record, response.text, () =>
        mapProfile(
          id,
          record.user,
          record.lookup,
          mayHaveEmail ? stringProperty(record.user, 'email') : undefined,
        ),
      );
    },
  };
}

const RESPONSE_PARAMETERS = ['code', 'state', 'device_id', 'error', 'error_description', 'iss'];

/**
 * The network sends its parameters flat, or packs all of them into one as JSON, sometimes JSON in a JSON string. One of the two is read, never
 * both: a code from one place with a state from the other is an attack.
 */
function unpackResponse(response: AuthorizationResponse): AuthorizationResponse {
  const { payload, ...flat } = response;
  if (payload === undefined || RESPONSE_PARAMETERS.some((name) => flat[name] !== undefined)) return flat;
  const once = parseJSON(payload);
  const packed = typeof once === 'string' ? parseJSON(once) : once;
  if (!isObject(packed)) {
    throw new LoginFailure(
      'malformed_response',
      "The callback's payload is not JSON. Start the login again.",
    );
  }
  const unpacked: Record<string, string> = {};
  for (const name of RESPONSE_PARAMETERS) {
    const value = stringProperty(packed, name);
    if (value !== undefined) unpacked[name] = value;
  }
  return unpacked;
}

function deviceIDOf({ device_id }: AuthorizationResponse): string {
  if (device_id) return device_id;
  throw new LoginFailure(
    'malformed_response',
    'The response has no device_id, without which the network issues no token. Start the login again.',
  );
}

/** Requests more about the user, in parallel with the record. Its failure does not fail the login. */
async function lookUp(
  request: RequestProfile,
  { url, form }: VkIdLookup,
): Promise<{ id: string | undefined; record: object } | undefined> {
  try {
    const response = await request({ method: 'POST', url, form });
    const record = firstUser(response.body);
    if (!isObject(record)) return undefined;
    return { id: identifier(response, (body) => property(firstUser(body), 'id')), record };
  } catch {
    return undefined;
  }
}
