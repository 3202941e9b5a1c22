import { cleanText, hideSecrets, RefusedError } from '../core/errors/index.js';
import { hintOf } from '../core/facts.js';
import { type JSONResponse, property, stringProperty } from '../core/http/index.js';
import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import * as oauth2 from '../core/oauth2/index.js';
import { assembleProfile, type Profile, requireIdentifier, storable } from '../core/profile.js';
import { classicFacts, EMAIL_SCOPE, vkIdFacts } from './facts.js';
import { readOptions, type SocialNetworkAuthenticateOptions, type SocialNetworkOptions } from './options.js';
import type * as records from './record.js';
import * as responses from './responses.js';

type Settings = ReturnType<typeof readOptions>;
type ClassicSettings = Extract<Settings, { readonly version: '2.0' }>;
type VkIdSettings = Extract<Settings, { readonly version: '2.1' }>;

/**
 * Logs users in through the social network (VK), in either of its protocols.
 *
 * Without `version`, or with `'2.0'`, it is the classic OAuth 2.0 with version 5.126 of the API, for applications made before June 2024; with
 * `'2.1'` it is VK ID. The e-mail address, if the user has and shares one, is not known to be verified.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://dev.vk.com/api/access-token/authcode-flow-user (read 2026-11)
 * @see https://id.vk.ru/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-description (read 2026-11)
 */
export class SocialNetworkStrategy<
  P extends records.AnyRecord = records.SocialNetworkProfile,
  V extends records.SocialNetworkVersion = '2.0',
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
> extends oauth2.OAuth2LoginStrategy<records.SocialNetworkRecordOf<P, V>> {
  declare protected readonly settings: Settings;

  constructor(
    options: { version?: V | undefined } & SocialNetworkOptions<P, V> & VerifyOptions<Req, Params, Skip>,
    verify: Verify<records.SocialNetworkValues<P, V>, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ) {
    const settings = readOptions(options);
    const network =
      settings.version === '2.1' ? vkId(settings) : { ...CLASSIC, profileURLs: [settings.profileURL] };
    super(settings, network, verify);
    hideSecrets(settings, ['serviceToken']);
  }

  /**
   * VK ID: trades a refresh token for new tokens. The old one is spent, and using it again ends the login.
   *
   * @param device - `device_id` of the login's `params`, alone or as `deviceID` of the options.
   * @param options - `userID` is compared with the response's `user_id`.
   * @throws TypeError with the classic protocol, which has no refresh tokens, and without a device ID.
   * @throws {@link ProviderError} if the network issues no tokens.
   */
  override async refresh(
    refreshToken: string,
    device?: string | oauth2.RefreshOptions,
    options: oauth2.RefreshOptions = {},
  ): Promise<oauth2.Tokens> {
    const given = typeof device === 'string' ? { ...options, deviceID: device } : (device ?? options);
    const { deviceID } = given;
    const { tokenRequestParameters } = this.network;
    if (!tokenRequestParameters) throw this.unsupported('refresh tokens');
    if (typeof deviceID !== 'string' || deviceID === '') {
      const problem = "refresh(refreshToken, deviceID) needs the device_id of the login's params";
      throw new TypeError(`${this.name}: ${problem}.`);
    }
    const parameters = tokenRequestParameters({ device_id: deviceID, state: oauth2.randomSecret() });
    const tokens = await this.tokenEndpoint.refresh(refreshToken, given, parameters, deviceID);
    return { ...tokens, params: { device_id: deviceID, ...tokens.params } };
  }

  /**
   * VK ID: withdraws the user's consent, and with it all their tokens of this application.
   *
   * @throws TypeError with the classic protocol, which cannot; {@link ProviderError} unless the network confirms it.
   */
  async revoke(accessToken: string): Promise<void> {
    await this.end(this.settings.revocationURL, 'revocation', accessToken);
  }

  /**
   * VK ID: ends the session of a token; the consent stays.
   *
   * @throws TypeError with the classic protocol, which cannot; {@link ProviderError} unless the network confirms it.
   */
  async logout(accessToken: string): Promise<void> {
    await this.end(this.settings.logoutURL, 'logout', accessToken);
  }

  /** Adds what `passport.authenticate` was given for the login page to the authorization request. An override cannot replace parameters of the protocol. */
  override authorizationParams(options: SocialNetworkAuthenticateOptions): object {
    const { display, revoke, prompt, provider, langId, scheme } = options;
    if (this.settings.version === '2.0') return { display, revoke: revoke ? 1 : undefined };
    return { prompt: Array.isArray(prompt) ? prompt.join(' ') : prompt, provider, lang_id: langId, scheme };
  }

  protected override async loadProfile(
    accessToken: string,
    login: oauth2.CurrentLogin | undefined,
  ): Promise<Profile<records.SocialNetworkRecordOf<P, V>>> {
    const { settings } = this;
    const profile = await (settings.version === '2.0'
      ? this.loadClassicProfile(settings, accessToken, login)
      : this.loadVkIdProfile(settings, accessToken, login));
    return profile as Profile<records.SocialNetworkRecordOf<P, V>>;
  }

  private async loadClassicProfile(
    { name: provider, profileURL, mapProfile: ownMapping }: ClassicSettings,
    accessToken: string,
    login: oauth2.CurrentLogin | undefined,
  ): Promise<Profile<records.SocialNetworkRecord>> {
    const response = await this.requestProfile({ url: profileURL, retries: 2 }, accessToken, login);
    const found = responses.lookedUpID(response);
    const id = requireIdentifier(provider, found, 'response[0].id', responses.namedUser(login));
    const record = responses.firstUser(response.body) as records.SocialNetworkRecord;
    if (record.deactivated) {
      const [step, means] = ['profile', 'account unusable'] as const;
      const refusal = { networkCode: 'deactivated', networkMessage: cleanText(record.deactivated) };
      throw new RefusedError({ provider, step, means, hint: hintOf({ means }), ...refusal });
    }
    // users.get never returns the address: it is in the token response only.
    const email = storable(stringProperty(login?.params, 'email') ?? '');
    return assembleProfile(provider, ownMapping, record, response.text, () =>
      responses.mapProfile(id, record, record, email),
    );
  }

  private async loadVkIdProfile(
    { name, clientID, profileURL, lookup, scope, mapProfile: ownMapping }: VkIdSettings,
    accessToken: string,
    login: oauth2.CurrentLogin | undefined,
  ): Promise<Profile<records.VkIdProfile>> {
    // The token response need not list the scope that was asked for, and granted.
    const mayHaveEmail = [...scope, ...this.grantedScopes(login)].includes(EMAIL_SCOPE);
    const form = { client_id: clientID, access_token: accessToken };
    const [response, found] = await Promise.all([
      this.requestProfile({ method: 'POST', url: profileURL, form, headers: {} }, accessToken, login),
      // It says more about the user. Its failure does not fail the login.
      lookup && this.requestProfile({ method: 'POST', ...lookup }, accessToken, login).catch(() => undefined),
    ]);
    const named = responses.identifier(response, (body) => property(property(body, 'user'), 'user_id'));
    const id = requireIdentifier(name, named, 'user.user_id', responses.namedUser(login));
    const more =
      found && responses.lookedUpID(found) === id ? { lookup: responses.firstUser(found.body) } : {};
    const record = {
      __proto__: responses.MOVED_FIELDS,
      ...response.body,
      ...more,
    } as unknown as records.VkIdProfile;
    const email = mayHaveEmail ? stringProperty(record.user, 'email') : undefined;
    return assembleProfile(name, ownMapping, record, response.text, () =>
      responses.mapProfile(id, record.user, record.lookup, email),
    );
  }

  private async end(url: string | undefined, what: string, access_token: string): Promise<void> {
    if (!url) throw this.unsupported(what);
    await this.tokenEndpoint.revoke(url, { access_token }, responses.isConfirmed);
  }

  private unsupported(what: string): TypeError {
    return new TypeError(`${this.name}: the classic protocol has no ${what}; VK ID (version: '2.1') has.`);
  }
}

/** What both protocols have in common. The token responses of the classic one have no token_type (nextauthjs/next-auth#13436). */
const NETWORK = {
  clientParameter: 'client_id',
  clientAuthentication: 'form',
  tokenTypeRequired: false,
  userOf: (response: JSONResponse) => responses.identifier(response, (body) => property(body, 'user_id')),
  readErrorResponse: responses.readErrorResponse,
} as const satisfies Partial<oauth2.OAuth2Network>;

/** The classic protocol: OAuth 2.0 at `oauth.vk.ru`, the record from `users.get`, for applications made before June 2024. */
const CLASSIC: Omit<oauth2.OAuth2Network, 'profileURLs'> = {
  ...NETWORK,
  scopeSeparator: ',',
  // With PKCE the network rejects the authorization request: "Code challenge method is unsupported" (nextauthjs/next-auth#9898).
  codeChallenge: 'none',
  authenticateOptions: ['display', 'revoke'],
  responseParameters: ['error_reason'],
  facts: classicFacts,
};

/** VK ID: OAuth 2.1 with PKCE and a device ID, for applications made since June 2024. */
function vkId({ profileURL, lookup, serviceToken }: VkIdSettings): oauth2.OAuth2Network {
  const service = serviceToken === undefined ? {} : { service_token: serviceToken };
  return {
    ...NETWORK,
    scopeSeparator: ' ',
    codeChallenge: 'base64url',
    authenticateOptions: ['prompt', 'provider', 'langId', 'scheme'],
    responseParameters: ['device_id', 'payload', 'type', 'expires_in', 'ext_id'],
    profileURLs: [profileURL, ...(lookup ? [lookup.url] : [])],
    facts: vkIdFacts,
    secrets: Object.values(service),
    unpackResponse: responses.unpackResponse,
    tokenRequestParameters({ device_id, state = '' }) {
      if (device_id) return { ...service, device_id, state };
      throw responses.malformed('The response has no device_id, without which the network issues no token.');
    },
    completeTokenResponse: ({ device_id: _another, ...params }, { device_id }) => ({ device_id, ...params }),
  };
}
