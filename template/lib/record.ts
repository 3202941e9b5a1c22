import type { VerifyValues } from '../../lib/core/login/index.js';
import type { TokenResponse } from '../../lib/core/oauth2/index.js';

/**
 * The network's record of a user, spelled as the network sends it.
 *
 * @see OpenID Connect Core 1.0 section 5.1
 */
export interface TemplateNetworkProfile {
  /** The user's ID, never rounded and never reassigned. */
  sub: string;
  /** Free text, neither unique nor stable. */
  name?: string;
  /** The handle. It can change hands. */
  preferred_username?: string;
  /** URL of the user's page. */
  profile?: string;
  /** URL of a picture. */
  picture?: string;
  /** Only with the scope `email`. */
  email?: string;
}

/** The token response, as verify gets it. */
export interface TemplateNetworkParams extends TokenResponse {
  /** `Bearer`. */
  readonly token_type: string;
  /** Seconds until the access token expires. */
  readonly expires_in: number;
}

/** What verify gets. */
export type TemplateNetworkValues = VerifyValues<TemplateNetworkProfile, TemplateNetworkParams>;
