import type { ChallengeEncoding, OAuth2AuthenticateOptions } from '../core/oauth2/index.js';
import type { ClientID, LoginOptions, OAuth2Endpoints, Spellings } from '../core/options/index.js';
import * as option from '../core/options/index.js';
import { BASIC_SCOPE, endpoints, FIELD_SCOPES, FIELDS, facts } from './facts.js';
import type { ShortVideoProfile, ShortVideoRecordOf } from './record.js';

/** Options of {@link ShortVideoStrategy}. `clientID` is the network's client key. */
export type ShortVideoOptions<P extends ShortVideoProfile = ShortVideoProfile> = LoginOptions<
  ShortVideoRecordOf<P>
> &
  OAuth2Endpoints &
  Spellings<'clientKey'> &
  ({ clientID?: string | undefined; clientKey: string } | ClientID) & {
    /** The application's client secret at the network. Sandbox and production have different ones. */
    clientSecret: string;
    /** Where `strategy.revoke` withdraws the user's consent. @default the network's */
    revocationURL?: string | undefined;
    /**
     * Fields of the record to request, in the network's names. Without `scope`, the scopes follow from them. Each login requests only the
     * fields within the scopes that the user granted.
     *
     * @default every field
     */
    profileFields?: string | readonly string[] | undefined;
    /** `true` always shows the consent page; `false` skips it while a grant is valid. @default the network's: false */
    disableAutoAuth?: boolean | undefined;
    /** Encoding of the PKCE challenge. The network checks hex; the standard's base64url is for a successor. */
    codeChallengeEncoding?: ChallengeEncoding | undefined;
  };

/** What `passport.authenticate('short-video', options)` accepts beyond Passport's own. */
export interface ShortVideoAuthenticateOptions extends OAuth2AuthenticateOptions {
  /** Replaces the option of the same name for this login. */
  disableAutoAuth?: boolean | undefined;
}

/** What to write -> for which names of a profile or of another package. */
const FIELD_NOTES = {
  'The profile always has it: leave it out': 'id',
  'It has no e-mail address to give': 'email emails',
  avatar_url: 'photo photos',
  display_name: 'name displayName',
  profile_deep_link: 'profileUrl',
};

export const OPTIONS = {
  ...option.oauth2Options(endpoints.AUTHORIZATION_URL, endpoints.TOKEN_URL, endpoints.PROFILE_URL),
  name: option.withDefault(option.text, 'short-video'),
  clientID: option.required(
    option.credential,
    "It is the application's client key at the network",
    'clientId',
    'clientKey',
  ),
  clientSecret: option.required(option.credential, "It stands beside the application's client key"),
  scope: option.optional(option.list),
  revocationURL: option.url(endpoints.REVOCATION_URL),
  profileFields: option.optional(option.namesOf(FIELDS, FIELD_NOTES)),
  disableAutoAuth: option.optional(option.flag),
  codeChallengeEncoding: option.withDefault(option.oneOf<ChallengeEncoding>('hex', 'base64url'), 'hex'),
  includeEmail: option.notTaken('the short-video network has no e-mail address to give'),
  version: option.constant([], 'is not taken: it is always Login Kit v2'),
};

const STRATEGY = 'ShortVideoStrategy';

/** @throws TypeError for every option that cannot be used. */
export function readOptions(given: unknown) {
  const options = option.readOptions(STRATEGY, given, OPTIONS);
  const { clientSecret, authorizationURL } = options;
  if (new URL(options.profileURL).searchParams.has('fields'))
    throw option.mistake(STRATEGY, 'profileURL', 'has fields in its query: name them in profileFields');
  const fields = readFields(options);
  return { ...option.readLogin(STRATEGY, options, clientSecret, { facts, authorizationURL }), ...fields };
}

function readFields({ profileFields: fields, ...options }: option.Settings<typeof OPTIONS>) {
  const needed = (fields ?? []).map((field) => FIELD_SCOPES[field] as string);
  const scope = options.scope ?? [...new Set([BASIC_SCOPE, ...needed])];
  const outside = fields?.find((field) => !scope.includes(FIELD_SCOPES[field] as string));
  if (outside !== undefined) {
    const problem = `names '${outside}', which needs the scope ${FIELD_SCOPES[outside]}. Add that to scope, or leave scope out: it follows from profileFields`;
    option.throwUnlessElsewhere(option.mistake(STRATEGY, 'profileFields', problem), options, OPTIONS);
  }
  // The network delivers the large avatar with the field of the other.
  const large = fields?.includes('avatar_large_url') ? ['avatar_url_100'] : [];
  return { scope, profileFields: [...new Set(['open_id', ...(fields ?? FIELDS), ...large])] };
}
