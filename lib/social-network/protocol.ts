import type { NetworkClient } from '../core/network-client.js';
import type {
  CurrentLogin,
  OAuth2AuthenticateOptions,
  OAuth2Network,
  OAuth2Settings,
} from '../core/oauth2-network.js';
import type { MappedProfile } from '../core/profile.js';

/** What `passport.authenticate('social-network', options)` takes beyond Passport's own. */
export interface SocialNetworkAuthenticateOptions extends OAuth2AuthenticateOptions {
  /** How the login page looks; phones get `mobile` anyway. */
  display?: 'page' | 'popup' | 'mobile';
  /** `true` asks for permission even where it was given before. */
  revoke?: boolean;
}

/** A person as a protocol of the network tells it. */
export interface LoadedRecord {
  /** The identifier, digit by digit. */
  readonly id: string;
  readonly record: unknown;
  /** The exact text that the record was read from. */
  readonly text: string;
  /** Maps the record in the built-in way. */
  readonly map: () => MappedProfile;
}

/** One of the network's protocols, with its options read. */
export interface Protocol {
  readonly settings: OAuth2Settings;
  readonly network: OAuth2Network;
  authorizationParams(options: SocialNetworkAuthenticateOptions): object;
  loadRecord(
    client: NetworkClient,
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<LoadedRecord>;
}
