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
