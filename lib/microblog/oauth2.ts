import { property, stringProperty } from '../core/http/index.js';
import type { SkipUserProfile, Verify, VerifyOptions } from '../core/login/index.js';
import {
  type CurrentLogin,
  isEmptyOrObject,
  OAuth2LoginStrategy,
  type OAuth2Network,
} from '../core/oauth2/index.js';
import { assembleProfile, type Profile, requireIdentifier } from '../core/profile.js';
import { EMAIL_FIELD, EMAIL_SCOPE, oauth2Facts } from './facts.js';
import { lookUpUser, lookupQuery } from './fields.js';
import { type MicroblogOAuth2Options, readOAuth2Options } from './options.js';
import type { MicroblogOAuth2Values, MicroblogRecord } from './record.js';
import { MOVED_FIELDS, mapProfile, readErrorResponse, readLookup } from './responses.js';

const NETWORK = {
  clientParameter: 'client_id',
  // Confidential clients use HTTP Basic, public ones send client_id. Both at once is against RFC 6749 section 2.3.
  clientAuthentication: 'basic',
  scopeSeparator: ' ',
  codeChallenge: 'base64url',
  responseParameters: [],
  tokenTypeRequired: true,
  facts: oauth2Facts,
  readErrorResponse,
} as const satisfies Partial<OAuth2Network>;

/**
 * Logs users in through the microblog network (X) with OAuth 2.0 and PKCE. {@link MicroblogStrategy} extends this class.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 * @see https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (read 2026-11)
 */
export class MicroblogOAuth2Strategy<
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
> extends OAuth2LoginStrategy<MicroblogRecord> {
  declare protected readonly settings: ReturnType<typeof readOAuth2Options>;

  constructor(
    options: MicroblogOAuth2Options & VerifyOptions<Req, Params, Skip>,
    verify: Verify<MicroblogOAuth2Values, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ) {
    const settings = readOAuth2Options(options);
    super(settings, { ...NETWORK, profileURLs: [settings.profileURL] }, verify);
  }

  /** Ends an access or refresh token. @throws {@link ProviderError} unless the network confirms it. */
  async revoke(token: string): Promise<void> {
    // Supposed, because the network documents no body: an empty one or an object, unless it says the opposite.
    await this.tokenEndpoint.revoke(
      this.settings.revocationURL,
      { token },
      (response) => isEmptyOrObject(response) && property(response.body, 'revoked') !== false,
    );
  }

  /** Adds the fields and expansions that the options name to the authorization request. An override cannot replace parameters of the protocol. */
  override authorizationParams(_options: object): object {
    const { userFields = [], expansions } = this.settings;
    return lookupQuery({ userFields, expansions });
  }

  protected override async loadProfile(
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<MicroblogRecord>> {
    const { profileURL, includeEmail, fieldChoice } = this.settings;
    const mayAskForEmail = includeEmail && this.grantedScopes(login).includes(EMAIL_SCOPE);
    const userFields = mayAskForEmail ? [...fieldChoice.userFields, EMAIL_FIELD] : fieldChoice.userFields;
    const { body, text } = await lookUpUser(profileURL, { ...fieldChoice, userFields }, (url) =>
      this.requestProfile({ url }, accessToken, login),
    );
    const record = readLookup(body);
    requireIdentifier(this.name, stringProperty(record.data, 'id'), 'data.id');
    const guarded = { __proto__: MOVED_FIELDS, ...record };
    return assembleProfile(this.name, this.settings.mapProfile, guarded, text, mapProfile);
  }
}
