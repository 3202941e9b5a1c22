import type { ChallengeEncoding, OAuth2AuthenticateOptions, OAuth2Settings } from '../core/oauth2/index.js';
import {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  OptionReader,
  readLoginSettings,
} from '../core/options/index.js';
import { completeFields, endpoints, FIELDS, facts, fieldOutside, scopesFor } from './facts.js';
import type { ShortVideoProfile, ShortVideoRecordOf } from './record.js';

/** Options of {@link ShortVideoStrategy}. `clientID` is the network's client key. */
export type ShortVideoOptions<P extends ShortVideoProfile = ShortVideoProfile> = LoginOptions<
  ShortVideoRecordOf<P>
> &
  ({ clientID?: string; clientKey: string } | ClientID) & {
    /** The application's client secret at the network. Sandbox and production have different ones. */
    clientSecret: string;
    /** Another spelling of `clientID`: the network's own word. */
    clientKey?: string;
    /** @default `endpoints.AUTHORIZATION_URL` */
    authorizationURL?: string;
    /** Another spelling of `authorizationURL`. */
    authorizationUrl?: string;
    /** @default `endpoints.TOKEN_URL` */
    tokenURL?: string;
    /** Another spelling of `tokenURL`. */
    accessTokenUrl?: string;
    /** @default `endpoints.REVOCATION_URL` */
    revocationURL?: string;
    /**
     * Fields of the record to request, in the network's names. Without `scope`, the scopes follow from them. Each login requests only the
     * fields within the scopes that the user granted.
     *
     * @default every field
     */
    profileFields?: string | readonly string[];
    /** `true` always shows the consent page; `false` skips it while a grant is valid. @default the network's: false */
    disableAutoAuth?: boolean;
    /** Encoding of the PKCE challenge. The network checks hex; the standard's base64url is for a successor. @default 'hex' */
    codeChallengeEncoding?: ChallengeEncoding;
  };

/** What `passport.authenticate('short-video', options)` accepts beyond Passport's own. */
export interface ShortVideoAuthenticateOptions extends OAuth2AuthenticateOptions {
  /** Replaces the option of the same name for this login. */
  disableAutoAuth?: boolean;
}

const NO_EMAIL = 'It has no e-mail address to give';

/** What to write for the names that a profile or another package has. */
const FIELD_NOTES: Readonly<Record<string, string>> = {
  id: 'The profile always has it: leave it out',
  name: 'display_name',
  displayName: 'display_name',
  email: NO_EMAIL,
  emails: NO_EMAIL,
  photo: 'avatar_url',
  photos: 'avatar_url',
  profileUrl: 'profile_deep_link',
};

const OPTIONS = [
  ...COMMON_OPTIONS,
  'authorizationURL',
  'tokenURL',
  'revocationURL',
  'profileFields',
  'disableAutoAuth',
  'codeChallengeEncoding',
];

const ALIASES = {
  ...COMMON_ALIASES,
  clientKey: 'clientID',
  authorizationUrl: 'authorizationURL',
  accessTokenUrl: 'tokenURL',
};

const NOTES = {
  includeEmail: 'the short-video network has no e-mail address to give',
  version: 'it is always Login Kit v2',
};

/** The complete options. */
export interface ShortVideoSettings {
  readonly oauth2: OAuth2Settings;
  readonly profileURL: string;
  readonly revocationURL: string;
  readonly profileFields: readonly string[];
  readonly disableAutoAuth: boolean | undefined;
  readonly codeChallengeEncoding: ChallengeEncoding;
}

/** @throws TypeError for every option that cannot be used. */
export function readOptions(given: unknown): ShortVideoSettings {
  const options = new OptionReader('ShortVideoStrategy', given, OPTIONS, ALIASES, NOTES);
  const authorizationURL = options.endpoint('authorizationURL') ?? endpoints.AUTHORIZATION_URL;
  const rule = { facts, authorizationURL };
  const { scope, profileFields } = readFields(options);
  const clientID = options.requiredCredential(
    'clientID',
    "It is the application's client key at the network",
  );
  const clientSecret = options.requiredCredential(
    'clientSecret',
    "It stands beside the application's client key",
  );
  return {
    oauth2: {
      ...readLoginSettings(options, 'short-video', rule, { clientID, secret: clientSecret }),
      clientID,
      clientSecret,
      scope,
      authorizationURL,
      tokenURL: options.endpoint('tokenURL') ?? endpoints.TOKEN_URL,
    },
    profileURL: options.endpoint('profileURL') ?? endpoints.PROFILE_URL,
    revocationURL: options.endpoint('revocationURL') ?? endpoints.REVOCATION_URL,
    profileFields,
    disableAutoAuth: options.boolean('disableAutoAuth'),
    codeChallengeEncoding: options.oneOf('codeChallengeEncoding', ['hex', 'base64url']) ?? 'hex',
  };
}

function readFields(options: OptionReader): { scope: string[]; profileFields: string[] } {
  const scope = options.list('scope');
  const fields = options.names('profileFields', FIELDS, FIELD_NOTES);
  if (!fields) return { scope: scope ?? scopesFor([]), profileFields: [...FIELDS] };
  const outside = scope && fieldOutside(fields, scope);
  if (outside) {
    const mistake = options.mistake(
      'profileFields',
      `names '${outside.field}', which needs the scope ${outside.scope}. Add that to scope, or leave scope out: it follows from profileFields`,
    );
    const urls = {
      authorizationURL: endpoints.AUTHORIZATION_URL,
      tokenURL: endpoints.TOKEN_URL,
      profileURL: endpoints.PROFILE_URL,
    };
    options.throwUnlessElsewhere(mistake, urls);
  }
  const profileFields = completeFields(fields);
  return { scope: scope ?? scopesFor(profileFields), profileFields };
}
