import type { OAuth2AuthenticateOptions } from '../../lib/core/oauth2/index.js';
import type { ClientID, LoginOptions, OAuth2Endpoints } from '../../lib/core/options/index.js';
import * as option from '../../lib/core/options/index.js';
import { DEFAULT_SCOPE, EMAIL_SCOPE, endpoints, facts } from './facts.js';
import type { TemplateNetworkProfile } from './record.js';

/** Options of {@link TemplateNetworkStrategy}. */
export type TemplateNetworkOptions = LoginOptions<TemplateNetworkProfile> &
  OAuth2Endpoints &
  ClientID & {
    /** The application's client secret at the network. */
    clientSecret: string;
    /** Whether to ask for the e-mail address. */
    includeEmail?: boolean | undefined;
    /** Where `strategy.revoke` ends a token. @default the network's */
    revocationURL?: string | undefined;
  };

/** What `passport.authenticate('template-network', options)` accepts beyond Passport's own. */
export type TemplateNetworkAuthenticateOptions = OAuth2AuthenticateOptions;

export const OPTIONS = {
  ...option.oauth2Options(endpoints.AUTHORIZATION_URL, endpoints.TOKEN_URL, endpoints.PROFILE_URL),
  name: option.withDefault(option.text, 'template-network'),
  clientID: option.required(option.credential, "It is the application's ID at the network", 'clientId'),
  clientSecret: option.required(option.credential, "It stands beside the application's ID"),
  scope: option.withDefault(option.list, DEFAULT_SCOPE),
  includeEmail: option.withDefault(option.flag, false),
  revocationURL: option.url(endpoints.REVOCATION_URL),
};

/** The class's name, for messages. */
const STRATEGY = 'TemplateNetworkStrategy';

/** @throws TypeError for every option that cannot be used. */
export function readOptions(given: unknown) {
  const options = option.readOptions(STRATEGY, given, OPTIONS);
  const { clientSecret, scope, authorizationURL } = options;
  return {
    ...option.readLogin(STRATEGY, options, clientSecret, { facts, authorizationURL }),
    scope: options.includeEmail ? [...new Set([...scope, EMAIL_SCOPE])] : scope,
  };
}
