import type { ReadErrorResponse } from '../../lib/core/errors/index.js';
import { errorCode, property, stringProperty } from '../../lib/core/http/index.js';
import type { SkipUserProfile, Verify, VerifyOptions } from '../../lib/core/login/index.js';
import { type CurrentLogin, OAuth2LoginStrategy, type OAuth2Network } from '../../lib/core/oauth2/index.js';
import {
  assembleProfile,
  linkFrom,
  type MappedProfile,
  type Profile,
  photosFrom,
  requireIdentifier,
  withoutAbsent,
} from '../../lib/core/profile.js';
import { facts } from './facts.js';
import { readOptions, type TemplateNetworkOptions } from './options.js';
import type { TemplateNetworkProfile, TemplateNetworkValues } from './record.js';

/** Supposed: errors are flat strings, as RFC 6749 section 5.2 has them. */
const readErrorResponse: ReadErrorResponse = ({ body }) => {
  const networkCode = errorCode(property(body, 'error'));
  const networkMessage = stringProperty(body, 'error_description');
  if (networkCode === undefined && networkMessage === undefined) return undefined;
  return { networkCode, networkMessage };
};

const NETWORK = {
  clientParameter: 'client_id',
  clientAuthentication: 'form',
  scopeSeparator: ' ',
  codeChallenge: 'base64url',
  responseParameters: [],
  tokenTypeRequired: true,
  facts,
  readErrorResponse,
} as const satisfies Partial<OAuth2Network>;

/**
 * Logs users in through Template Network: OAuth 2.0 with PKCE.
 *
 * @throws TypeError from the constructor for every option that cannot be used.
 */
export class TemplateNetworkStrategy<
  Req extends boolean = false,
  Params extends boolean = false,
  Skip extends SkipUserProfile = false,
> extends OAuth2LoginStrategy<TemplateNetworkProfile> {
  declare protected readonly settings: ReturnType<typeof readOptions>;

  constructor(
    options: TemplateNetworkOptions & VerifyOptions<Req, Params, Skip>,
    verify: Verify<TemplateNetworkValues, NoInfer<Req>, NoInfer<Params>, NoInfer<Skip>>,
  ) {
    const settings = readOptions(options);
    super(settings, { ...NETWORK, profileURLs: [settings.profileURL] }, verify);
  }

  /**
   * Ends a token. @see RFC 7009
   *
   * @throws {@link ProviderError} unless the network confirms it.
   */
  async revoke(token: string): Promise<void> {
    await this.tokenEndpoint.revoke(this.settings.revocationURL, { token });
  }

  protected override async loadProfile(
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<TemplateNetworkProfile>> {
    const { body, text } = await this.requestProfile(
      { url: this.settings.profileURL, retries: 2 },
      accessToken,
      login,
    );
    requireIdentifier(this.name, stringProperty(body, 'sub'), 'sub');
    const record = body as unknown as TemplateNetworkProfile;
    return assembleProfile(this.name, this.settings.mapProfile, record, text, mapProfile);
  }
}

/** Maps the record onto a Passport profile. The network does not document that it confirms addresses, so none is `verified`. */
function mapProfile(record: TemplateNetworkProfile): MappedProfile {
  const email = stringProperty(record, 'email');
  return {
    id: record.sub,
    displayName: stringProperty(record, 'name') ?? '',
    ...withoutAbsent<Partial<MappedProfile>>({
      username: stringProperty(record, 'preferred_username'),
      emails: email === undefined ? undefined : [{ value: email }],
      ...photosFrom([record.picture]),
      profileUrl: linkFrom(record.profile),
    }),
  };
}
