import { withDefaultQuery, withQuery } from '../core/addresses.js';
import { identifierError, textMember } from '../core/answer.js';
import type { OAuth1Params } from '../core/credentials-request.js';
import { ProviderError } from '../core/errors.js';
import type { JSONAnswer } from '../core/network-client.js';
import { OAuth1LoginStrategy } from '../core/oauth1-strategy.js';
import { assembleProfile, type Profile } from '../core/profile.js';
import { requireToken } from '../core/tokens.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import { lookupQuery } from './fields.js';
import { type MicroblogOAuth1Options, readOAuth1Options } from './oauth1-options.js';
import type { MicroblogAuthenticateOptions, MicroblogSettings } from './options.js';
import { mapProfile, readCredentialsRecord, readLookup } from './profile.js';
import type { MicroblogProfile } from './record.js';
import { readRefusal } from './refusals.js';

/** The OAuth 1.0a access-token answer, as verify gets it. Tokens do not expire. */
export type MicroblogOAuth1Params = OAuth1Params & {
  /** The person's identifier, digits. */
  readonly user_id?: string;
  /** The person's handle. */
  readonly screen_name?: string;
};

/** @inline */
type Person = Profile<MicroblogProfile>;

/** Codes that concern the account or the token: asking elsewhere would not help. */
const ACCOUNT_CODES = ['63', '64', '89', '99', '326'];
/** What an application gets that may not use the address, or when it is gone. */
const CLOSED_STATUS = [403, 404, 410];

/**
 * Logs people in through the microblog network (X) with OAuth 1.0a: what {@link MicroblogStrategy} does with
 * `version: '1.0'`. Verify gets the network's `oauth_token` and `oauth_token_secret` in place of access and refresh token.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://docs.x.com/fundamentals/authentication/guides/log-in-with-x (read 2026-11)
 */
export class MicroblogOAuth1Strategy extends OAuth1LoginStrategy<MicroblogProfile, MicroblogOAuth1Params> {
  private readonly own: Omit<MicroblogSettings<unknown>, 'protocol'> & { readonly lookupURL: string };
  private readonly credentialsURL: string;

  constructor(
    options: MicroblogOAuth1Options & { passReqToCallback?: false },
    verify: Verify<Person, string>,
  );
  constructor(
    options: MicroblogOAuth1Options & { passReqToCallback: true },
    verify: VerifyWithRequest<Person, string>,
  );
  constructor(
    options: MicroblogOAuth1Options & { passReqToCallback?: false },
    verify: VerifyWithParams<Person, string, MicroblogOAuth1Params>,
  );
  constructor(
    options: MicroblogOAuth1Options & { passReqToCallback: true },
    verify: VerifyWithRequestAndParams<Person, string, MicroblogOAuth1Params>,
  );
  constructor(options: MicroblogOAuth1Options, verify: AnyVerify<Person, string, MicroblogOAuth1Params>) {
    const { protocol, ...own } = readOAuth1Options(options);
    super(protocol, readRefusal, verify);
    this.own = own;
    const url = withDefaultQuery(own.profileURL, { skip_status: 'true', include_entities: 'false' });
    this.credentialsURL = own.includeEmail ? withQuery(url, { include_email: 'true' }) : url;
  }

  /**
   * Ends a token. Its person has to log in again after that.
   *
   * @throws {@link ProviderError} when the network does not confirm it.
   */
  async revoke(token: string, tokenSecret: string): Promise<void> {
    requireToken(this.name, 'revoke', token);
    requireToken(this.name, 'revoke', tokenSecret);
    const { revocationURL: url } = this.own;
    const headers = { authorization: this.sign('POST', url, token, tokenSecret) };
    await this.client.send({
      step: 'revoke',
      method: 'POST',
      url,
      headers,
      secrets: () => [token, tokenSecret],
    });
  }

  override requestTokenParams({ accessType }: MicroblogAuthenticateOptions): object {
    return { x_auth_access_type: accessType };
  }

  override userAuthorizationParams({ forceLogin, screenName }: MicroblogAuthenticateOptions): object {
    return { force_login: forceLogin, screen_name: screenName };
  }

  /** The record of version 1.1; where the application may not read that, the users lookup; else what the token answer said. */
  protected override async loadProfile(
    token: string,
    tokenSecret: string,
    params: MicroblogOAuth1Params,
  ): Promise<Person> {
    const closed = (error: unknown) => {
      if (!isClosed(error)) throw error;
      return undefined;
    };
    const credentials = await this.request(this.credentialsURL, token, tokenSecret).catch(closed);
    if (credentials) return this.profileOf(readCredentialsRecord(credentials.body), params, credentials.text);
    const lookupURL = withQuery(this.own.lookupURL, lookupQuery(this.own.fields));
    const lookup = await this.request(lookupURL, token, tokenSecret).catch(closed);
    if (lookup) return this.profileOf(readLookup(lookup.body), params, lookup.text);
    const { user_id = '', screen_name: username = '' } = params;
    const record = { data: { id: user_id, name: '', username } };
    return this.profileOf(record, params, JSON.stringify(record));
  }

  private request(url: string, token: string, tokenSecret: string): Promise<JSONAnswer> {
    return this.client.sendForJSON({
      step: 'profile',
      method: 'GET',
      url,
      headers: { authorization: this.sign('GET', url, token, tokenSecret) },
      secrets: () => [token, tokenSecret, ...this.currentSecrets],
    });
  }

  private profileOf(record: MicroblogProfile, params: MicroblogOAuth1Params, text: string): Person {
    const origin = { provider: this.name, step: 'profile' } as const;
    const id = textMember(record.data, 'id');
    if (id === undefined) throw identifierError(origin, 'identifier_missing', 'no id_str');
    if (params.user_id && params.user_id !== id) {
      throw identifierError(
        origin,
        'identifier_mismatch',
        "another person's id_str than the token answer's user_id",
      );
    }
    return assembleProfile(
      this.name,
      (this.settings.mapProfile ?? mapProfile)(record as never),
      record,
      text,
    );
  }
}

function isClosed(error: unknown): boolean {
  return (
    error instanceof ProviderError &&
    CLOSED_STATUS.includes(error.networkStatus ?? 0) &&
    !ACCOUNT_CODES.includes((error as { networkCode?: string }).networkCode ?? '')
  );
}
