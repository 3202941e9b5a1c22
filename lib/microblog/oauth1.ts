import { identifierError, requireToken, unreadable } from '../core/errors/index.js';
import { stringProperty, Transaction } from '../core/http/index.js';
import { areEqual, type SkipUserProfile, type Verify, type VerifyOptions } from '../core/login/index.js';
import { OAuth1LoginStrategy } from '../core/oauth1/index.js';
import { assembleProfile, type Profile, requireIdentifier } from '../core/profile.js';
import { oauth1Facts } from './facts.js';
import { lookUpUser } from './fields.js';
import {
  type MicroblogAuthenticateOptions,
  type MicroblogOAuth1Options,
  readOAuth1Options,
} from './options.js';
import type { MicroblogOAuth1Params, MicroblogOAuth1Record, MicroblogOAuth1Values } from './record.js';
import { isClosed, mapProfile, readCredentialsRecord, readErrorResponse, readLookup } from './responses.js';

const NETWORK = {
  facts: oauth1Facts,
  readErrorResponse,
  authenticateOptions: ['forceLogin', 'screenName', 'accessType'],
};

/**
 * Logs users in through the microblog network (X) with OAuth 1.0a. {@link MicroblogStrategy} makes one with `version: '1.0'`. Verify gets the
 * network's `oauth_token` and `oauth_token_secret` instead of access and refresh token.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11)
 */
export class MicroblogOAuth1Strategy<
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
> extends OAuth1LoginStrategy<MicroblogOAuth1Record, MicroblogOAuth1Params> {
  declare protected readonly settings: ReturnType<typeof readOAuth1Options>;

  constructor(
    options: MicroblogOAuth1Options & VerifyOptions<Req, Params, Skip>,
    verify: Verify<MicroblogOAuth1Values, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ) {
    const settings = readOAuth1Options(options);
    super(settings, { ...NETWORK, profileURLs: [settings.profileURL, settings.lookupURL] }, verify);
  }

  /** Ends a token. Its user has to log in again after that. @throws {@link ProviderError} unless the network confirms it. */
  async revoke(token: string, tokenSecret: string): Promise<void> {
    requireToken(this.name, 'revoke', token);
    requireToken(this.name, 'revoke', tokenSecret);
    const { revocationURL: url } = this.settings;
    const headers = { authorization: this.sign('POST', url, token, tokenSecret) };
    const transaction = new Transaction(token, tokenSecret);
    const response = await this.client.request({ step: 'revoke', method: 'POST', url, headers, transaction });
    if (!areEqual(stringProperty(response.body, 'access_token') ?? '', token)) {
      throw unreadable(response, this.name, 'revoke', 'a confirmation');
    }
  }

  override requestTokenParams({ accessType }: MicroblogAuthenticateOptions): object {
    return { x_auth_access_type: accessType };
  }

  override userAuthorizationParams({ forceLogin, screenName }: MicroblogAuthenticateOptions): object {
    return { force_login: forceLogin, screen_name: screenName };
  }

  /** Requests the version 1.1 record. If the application may not read it: the users lookup, then the token response. */
  protected override async loadProfile(
    token: string,
    tokenSecret: string,
    params: Partial<MicroblogOAuth1Params>,
    transaction: Transaction,
  ): Promise<Profile<MicroblogOAuth1Record>> {
    const { credentialsURL, lookupURL, fieldChoice } = this.settings;
    /** Resolves to the error if the application may not use the endpoint. */
    const request = async (url: string) => {
      try {
        const headers = { authorization: this.sign('GET', url, token, tokenSecret) };
        return await this.client.requestJSON({ step: 'profile', method: 'GET', url, headers, transaction });
      } catch (error) {
        if (isClosed(error)) return error;
        throw error;
      }
    };
    const credentials = await request(credentialsURL);
    if (!isClosed(credentials))
      return this.toProfile(readCredentialsRecord(credentials), params, credentials.text);
    const lookup = await lookUpUser(lookupURL, fieldChoice, request);
    if (!isClosed(lookup)) return this.toProfile(readLookup(lookup.body), params, lookup.text);
    const id = completeUserID(params);
    if (id === undefined) throw lookup;
    return this.toProfile({ data: { id, name: '', username: params.screen_name ?? '' } }, params);
  }

  protected override requireUser(params: Partial<MicroblogOAuth1Params>): void {
    if (completeUserID(params) === undefined)
      throw identifierError(this.name, 'token', 'identifier_missing', 'no user_id');
  }

  private toProfile(
    found: Pick<MicroblogOAuth1Record, 'data'>,
    { user_id }: Partial<MicroblogOAuth1Params>,
    text?: string,
  ): Profile<MicroblogOAuth1Record> {
    const { id, name, username } = found.data;
    // The older record's identity, even if that may not be read: who looks up an account by `_json.id_str` must not look for `undefined`.
    const record = { id: Number(id), id_str: id, name, screen_name: username, ...found };
    requireIdentifier(this.name, stringProperty(found.data, 'id'), 'id_str', user_id || undefined);
    const raw = text ?? JSON.stringify(record);
    return assembleProfile(this.name, this.settings.mapProfile, record, raw, mapProfile);
  }
}

/**
 * The user's ID in a token response. The form may have been cut short, and the beginning of an ID is another user's: what follows it shows that
 * it is whole.
 */
function completeUserID(params: Partial<MicroblogOAuth1Params>): string | undefined {
  const names = Object.keys(params);
  const isFollowed = Boolean(params.screen_name) && names.indexOf('screen_name') > names.indexOf('user_id');
  return isFollowed && /^\d+$/.test(params.user_id ?? '') ? params.user_id : undefined;
}
