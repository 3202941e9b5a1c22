import type { OAuth2AuthenticateOptions, OAuth2Settings } from '../../lib/core/oauth2/index.js';
import {
  type ClientID,
  COMMON_ALIASES,
  COMMON_OPTIONS,
  type LoginOptions,
  OptionReader,
  readLoginSettings,
} from '../../lib/core/options/index.js';
import { DEFAULT_SCOPE, EMAIL_SCOPE, endpoints, facts } from './facts.js';
import type { TemplateNetworkProfile } from './record.js';

/** Options of {@link TemplateNetworkStrategy}. */
export type TemplateNetworkOptions = LoginOptions<TemplateNetworkProfile> &
  ClientID & {
    /** The application's client secret at the network. */
    clientSecret: string;
    /** Whether to ask for the e-mail address. @default false */
    includeEmail?: boolean;
    /** @default `endpoints.AUTHORIZATION_URL` */
    authorizationURL?: string;
    /** @default `endpoints.TOKEN_URL` */
    tokenURL?: string;
    /** @default `endpoints.REVOCATION_URL` */
    revocationURL?: string;
  };

/** What `passport.authenticate('template-network', options)` accepts beyond Passport's own. */
export type TemplateNetworkAuthenticateOptions = OAuth2AuthenticateOptions;

/** The complete options. */
export interface TemplateNetworkSettings {
  readonly oauth2: OAuth2Settings;
  readonly profileURL: string;
  readonly revocationURL: string;
}

const OPTIONS = [...COMMON_OPTIONS, 'authorizationURL', 'tokenURL', 'revocationURL', 'includeEmail'];

/** @throws TypeError for every option that cannot be used. */
export function readOptions(given: unknown): TemplateNetworkSettings {
  const options = new OptionReader('TemplateNetworkStrategy', given, OPTIONS, COMMON_ALIASES, {});
  const authorizationURL = options.endpoint('authorizationURL') ?? endpoints.AUTHORIZATION_URL;
  const clientID = options.requiredCredential('clientID', "It is the application's ID at the network");
  const clientSecret = options.requiredCredential('clientSecret', "It stands beside the application's ID");
  const scope = options.list('scope') ?? DEFAULT_SCOPE;
  const wantsEmail = options.boolean('includeEmail') === true;
  return {
    oauth2: {
      ...readLoginSettings(
        options,
        'template-network',
        { facts, authorizationURL },
        { clientID, secret: clientSecret },
      ),
      clientID,
      clientSecret,
      scope: wantsEmail ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
      authorizationURL,
      tokenURL: options.endpoint('tokenURL') ?? endpoints.TOKEN_URL,
    },
    profileURL: options.endpoint('profileURL') ?? endpoints.PROFILE_URL,
    revocationURL: options.endpoint('revocationURL') ?? endpoints.REVOCATION_URL,
  };
}
