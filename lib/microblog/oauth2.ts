import { withQuery } from '../core/addresses.js';
import { identifierError, textMember } from '../core/answer.js';
import { RefusedError } from '../core/errors.js';
import type { JSONAnswer } from '../core/network-client.js';
import type { CurrentLogin, OAuth2Network, TokenAnswer } from '../core/oauth2-network.js';
import { OAuth2LoginStrategy } from '../core/oauth2-strategy.js';
import { assembleProfile, type Profile } from '../core/profile.js';
import type { Tokens } from '../core/tokens.js';
import type {
  AnyVerify,
  Verify,
  VerifyWithParams,
  VerifyWithRequest,
  VerifyWithRequestAndParams,
} from '../core/verify.js';
import { EMAIL_FIELD, EMAIL_SCOPE, lookupQuery } from './fields.js';
import { type MicroblogOAuth2Options, readOAuth2Options } from './oauth2-options.js';
import type { MicroblogSettings } from './options.js';
import { mapProfile, readLookup } from './profile.js';
import type { MicroblogProfile } from './record.js';
import { REMEDIES, readRefusal } from './refusals.js';

/** The OAuth 2.0 token answer, as verify gets it. */
export interface MicroblogOAuth2Params extends TokenAnswer {
  /** `bearer`. */
  readonly token_type: string;
  /** Seconds that the access token lives. */
  readonly expires_in: number;
  /** The granted scopes, joined with spaces, in an order of the network's. */
  readonly scope: string;
}

/** @inline */
type Person = Profile<MicroblogProfile>;
/** @inline */
type Refresh = string | undefined;

const NETWORK: Omit<OAuth2Network, 'profileAddresses'> = {
  clientParameter: 'client_id',
  // Confidential clients use HTTP Basic, public ones send client_id; both at once is against RFC 6749 section 2.3.
  clientAuthentication: 'basic',
  scopeSeparator: ' ',
  codeChallenge: 'base64url',
  callbackParameters: [],
  tokenTypeRequired: true,
  readRefusal,
  remedies: REMEDIES,
};

/**
 * Logs people in through the microblog network (X) with OAuth 2.0 and PKCE: what {@link MicroblogStrategy} does by default.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (read 2026-11)
 */
export class MicroblogOAuth2Strategy extends OAuth2LoginStrategy<MicroblogProfile> {
  private readonly own: Omit<MicroblogSettings<unknown>, 'protocol'>;
  private readonly lookupURL: string;
  private readonly lookupURLWithEmail: string;

  constructor(
    options: MicroblogOAuth2Options & { passReqToCallback?: false },
    verify: Verify<Person, Refresh>,
  );
  constructor(
    options: MicroblogOAuth2Options & { passReqToCallback: true },
    verify: VerifyWithRequest<Person, Refresh>,
  );
  constructor(
    options: MicroblogOAuth2Options & { passReqToCallback?: false },
    verify: VerifyWithParams<Person, Refresh, MicroblogOAuth2Params>,
  );
  constructor(
    options: MicroblogOAuth2Options & { passReqToCallback: true },
    verify: VerifyWithRequestAndParams<Person, Refresh, MicroblogOAuth2Params>,
  );
  constructor(options: MicroblogOAuth2Options, verify: AnyVerify<Person, Refresh, MicroblogOAuth2Params>) {
    const { protocol, ...own } = readOAuth2Options(options);
    super(protocol, { ...NETWORK, profileAddresses: [own.profileURL] }, verify);
    this.own = own;
    const others = own.fields.userFields.filter((name) => name !== EMAIL_FIELD);
    this.lookupURL = lookupAddress(own, others);
    this.lookupURLWithEmail = lookupAddress(own, [...others, EMAIL_FIELD]);
  }

  /**
   * Trades a refresh token for new tokens. A refresh token works once; where none comes back the old one is kept. Asked twice at once
   * with one token, it makes one request.
   *
   * @throws {@link ProviderError} when the network gives no new tokens; a refusal says whether the person must log in again.
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    return this.refreshTokens(refreshToken);
  }

  /**
   * Ends a token.
   *
   * @param token - An access or refresh token.
   * @throws {@link ProviderError} when the network does not confirm it.
   */
  async revoke(token: string): Promise<void> {
    await this.revokeAt(this.own.revocationURL, { token });
  }

  override authorizationParams(_options: object): object {
    const { userFields, expansions } = this.own.namedFields;
    return lookupQuery({ userFields, expansions, tweetFields: [] });
  }

  protected override async loadProfile(
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<Person> {
    const granted =
      textMember(login?.params, 'scope')?.split(/\s+/) ?? login?.pending.scope ?? this.settings.scope;
    const withEmail = this.own.includeEmail && granted.includes(EMAIL_SCOPE);
    const { body, text } = await (withEmail
      ? this.lookUpWithEmail(accessToken, login)
      : this.lookUp(this.lookupURL, accessToken, login));
    const record = readLookup(body);
    if (textMember(record.data, 'id') === undefined) {
      throw identifierError({ provider: this.name, step: 'profile' }, 'identifier_missing', 'no data.id');
    }
    return assembleProfile(
      this.name,
      (this.settings.mapProfile ?? mapProfile)(record as never),
      record,
      text,
    );
  }

  /** A refusal because of the e-mail field is undocumented but happens: then once more without it. */
  private async lookUpWithEmail(accessToken: string, login: CurrentLogin | undefined): Promise<JSONAnswer> {
    try {
      return await this.lookUp(this.lookupURLWithEmail, accessToken, login);
    } catch (error) {
      const status = error instanceof RefusedError ? error.networkStatus : undefined;
      if (status !== 400 && status !== 403) throw error;
      return this.lookUp(this.lookupURL, accessToken, login);
    }
  }

  private lookUp(url: string, accessToken: string, login: CurrentLogin | undefined): Promise<JSONAnswer> {
    return this.client.sendForJSON({
      step: 'profile',
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${accessToken}` },
      secrets: () => [accessToken, ...(login?.secrets() ?? [])],
    });
  }
}

function lookupAddress(
  { fields, profileURL }: Omit<MicroblogSettings<unknown>, 'protocol'>,
  userFields: readonly string[],
): string {
  return withQuery(profileURL, lookupQuery({ ...fields, userFields }));
}
