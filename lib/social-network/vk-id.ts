import { identifierError, isObject, member, textMember, tryJSON, withMembers } from '../core/answer.js';
import type { Callback } from '../core/callback.js';
import { LoginFailure } from '../core/errors.js';
import type { NetworkClient } from '../core/network-client.js';
import type { CurrentLogin, OAuth2Network } from '../core/oauth2-network.js';
import { newSecret } from '../core/proof.js';
import { scopeList } from '../core/tokens.js';
import type { NetworkRequest } from '../core/transport.js';
import { EMAIL_SCOPE } from './fields.js';
import { firstPerson, identifier, tokenIdentifier } from './identifier.js';
import type { LoadedRecord, Protocol, SocialNetworkAuthenticateOptions } from './protocol.js';
import type { VkIdProfile } from './record.js';
import { REMEDIES, readRefusal } from './refusals.js';
import { readVkIdOptions, type VkIdLookup, type VkIdSettings } from './vk-id-options.js';
import { mapVkIdProfile } from './vk-id-profile.js';

/** VK ID: OAuth 2.1 with PKCE and a device identifier, for applications made since June 2024. */
export function vkIdProtocol(options: unknown): Protocol {
  const settings = readVkIdOptions(options);
  const { oauth2, serviceToken, revocationURL, logoutURL } = settings;
  const service = serviceToken === undefined ? {} : { service_token: serviceToken };
  const network: OAuth2Network = {
    clientParameter: 'client_id',
    clientAuthentication: 'form',
    scopeSeparator: ' ',
    codeChallenge: 'base64url',
    callbackParameters: ['device_id', 'payload', 'type', 'expires_in', 'ext_id'],
    tokenTypeRequired: false,
    profileAddresses: [settings.profileURL, ...(settings.lookup ? [settings.lookup.url] : [])],
    readRefusal,
    remedies: REMEDIES,
    unpackCallback,
    exchangeParameters: (callback) => ({
      ...service,
      device_id: deviceID(callback),
      state: callback.state ?? '',
    }),
    // The application needs it for every refresh, and the network says it in the callback only.
    completeTokenAnswer: (answer, callback) => withMembers(answer, { device_id: deviceID(callback) }),
  };
  return {
    settings: oauth2,
    network,
    secrets: serviceToken === undefined ? [] : [serviceToken],
    revocationURL,
    logoutURL,
    authorizationParams: ({ prompt, provider, langId, scheme }: SocialNetworkAuthenticateOptions) => ({
      prompt: Array.isArray(prompt) ? prompt.join(' ') : prompt,
      provider,
      lang_id: langId,
      scheme,
    }),
    refreshParameters(deviceID) {
      if (typeof deviceID === 'string' && deviceID !== '')
        return { ...service, device_id: deviceID, state: newSecret() };
      throw new TypeError(
        `${oauth2.name}: refresh(refreshToken, deviceID) needs the device_id of the login's params.`,
      );
    },
    loadRecord: (client, accessToken, login) => loadRecord(settings, client, accessToken, login),
  };
}

/**
 * The network answers in flat parameters, or packs them all into one of JSON, sometimes written as JSON twice. One of the two is
 * read, never both: a code from one place and a state from the other is an attack.
 */
function unpackCallback(callback: Callback): Callback {
  const { payload, ...flat } = callback;
  if (payload === undefined || ANSWER_PARAMETERS.some((name) => flat[name] !== undefined)) return flat;
  const once = tryJSON(payload);
  const packed = typeof once === 'string' ? tryJSON(once) : once;
  if (!isObject(packed)) {
    throw new LoginFailure(
      'malformed_callback',
      400,
      "The callback's payload is not JSON. Start the login again.",
    );
  }
  const texts = ANSWER_PARAMETERS.map((name) => [name, textMember(packed, name)] as const);
  return Object.fromEntries(texts.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

const ANSWER_PARAMETERS = ['code', 'state', 'device_id', 'error', 'error_description', 'iss'];

function deviceID({ device_id }: Callback): string {
  if (device_id) return device_id;
  throw new LoginFailure(
    'malformed_callback',
    400,
    'The callback brought no device_id, without which the network gives no token. Start the login again.',
  );
}

async function loadRecord(
  { oauth2, profileURL, lookup }: VkIdSettings,
  client: NetworkClient,
  accessToken: string,
  login: CurrentLogin | undefined,
): Promise<LoadedRecord> {
  const secrets = () => [accessToken, ...(login?.secrets() ?? [])];
  const [answer, found] = await Promise.all([
    client.sendForJSON({
      step: 'profile',
      method: 'POST',
      url: profileURL,
      form: { client_id: oauth2.clientID, access_token: accessToken },
      secrets,
    }),
    lookup && lookUp(client, lookup, accessToken, secrets),
  ]);
  const origin = { provider: oauth2.name, step: 'profile' } as const;
  const { body, text } = answer;
  const id = identifier(answer, (parsed) => member(member(parsed, 'user'), 'user_id'));
  if (id === undefined) throw identifierError(origin, 'identifier_missing', 'no user.user_id');
  // A number there, a text here.
  const expected = login && tokenIdentifier(login);
  if (expected !== undefined && expected !== id) {
    throw identifierError(origin, 'identifier_mismatch', "another person's user_id than the token answer's");
  }
  const theirs = found?.id === id ? { lookup: found.record } : {};
  const record = withMembers(body, theirs) as unknown as VkIdProfile;
  const granted = textMember(login?.params, 'scope');
  const mayEmail = scopeList(granted ?? oauth2.scope.join(' ')).includes(EMAIL_SCOPE);
  return { id, record, text, map: () => mapVkIdProfile(record, id, mayEmail) };
}

/** More about the person, while the record itself is on its way. Whatever goes wrong with it is no reason to refuse a login. */
async function lookUp(
  client: NetworkClient,
  { url, form }: VkIdLookup,
  accessToken: string,
  secrets: NetworkRequest['secrets'],
): Promise<{ id: string | undefined; record: object } | undefined> {
  try {
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await client.sendForJSON({ step: 'profile', method: 'POST', url, form, headers, secrets });
    const record = firstPerson(answer.body);
    if (!isObject(record)) return undefined;
    return { id: identifier(answer, (parsed) => member(firstPerson(parsed), 'id')), record };
  } catch {
    return undefined;
  }
}
