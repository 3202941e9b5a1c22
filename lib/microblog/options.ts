import type { OAuth1AuthenticateOptions } from '../core/oauth1-strategy.js';
import type { OAuth2AuthenticateOptions } from '../core/oauth2-network.js';
import type { OptionReader } from '../core/options.js';
import { DEFAULT_USER_FIELDS, EMAIL_FIELD, EXPANSIONS, type FieldChoice, USER_FIELDS } from './fields.js';

/** What the users lookup is asked for, in both versions. */
export interface MicroblogFieldOptions {
  /**
   * Asks for the e-mail address, scope and field together. The application must have "Request email from users" switched
   * on at the network; `emails` is absent where the account has no confirmed address.
   *
   * @default false
   */
  includeEmail?: boolean;
  /** `user.fields` of the users lookup. @default created_at description entities location profile_image_url protected url verified verified_type */
  userFields?: string | readonly string[];
  /** `expansions` of the users lookup, for example `pinned_tweet_id`. @default none */
  expansions?: string | readonly string[];
  /** `tweet.fields` of the users lookup. @default none */
  tweetFields?: string | readonly string[];
}

/** What `passport.authenticate('microblog', options)` takes beyond Passport's own. */
export interface MicroblogAuthenticateOptions extends OAuth2AuthenticateOptions, OAuth1AuthenticateOptions {
  /** OAuth 1.0a: ask for the password even where the person is logged in at the network. */
  forceLogin?: boolean;
  /** OAuth 1.0a: the handle to fill in. */
  screenName?: string;
  /** OAuth 1.0a: what the token may do, if less than the application. */
  accessType?: 'read' | 'write';
}

/** The names of the options that both versions take. */
export const SHARED_OPTIONS = [
  'version',
  'revocationURL',
  'includeEmail',
  'userFields',
  'expansions',
  'tweetFields',
];

/** What is said of a callback address that is no https one. */
export const CALLBACK_DEMAND =
  'The network takes plain http on 127.0.0.1 only, and a browser sends the code in the clear. Use https.';

/** The complete options of one version. */
export interface MicroblogSettings<Settings> {
  readonly protocol: Settings;
  readonly profileURL: string;
  readonly revocationURL: string;
  readonly includeEmail: boolean;
  readonly fields: FieldChoice;
  /** The same fields as far as the options name them: only they go into the authorization request. */
  readonly namedFields: FieldChoice;
}

/** @param hasScope - Whether the options themselves ask for the scope of the e-mail address. */
export function readFields(
  options: OptionReader,
  hasScope: boolean,
): Pick<MicroblogSettings<unknown>, 'fields' | 'namedFields' | 'includeEmail'> {
  const userFields = options.names('userFields', USER_FIELDS);
  const namedFields = {
    userFields: userFields ?? [],
    expansions: options.names('expansions', EXPANSIONS) ?? [],
    tweetFields: options.list('tweetFields') ?? [],
  };
  const namesEmail = namedFields.userFields.includes(EMAIL_FIELD);
  const includeEmail = options.flag('includeEmail') ?? false;
  if (namesEmail && !includeEmail && !hasScope) {
    throw options.mistake(
      'userFields',
      `names ${EMAIL_FIELD}: set includeEmail: true, which asks for its permission, too`,
    );
  }
  return {
    namedFields,
    fields: { ...namedFields, userFields: userFields ?? DEFAULT_USER_FIELDS },
    includeEmail: includeEmail || namesEmail,
  };
}
