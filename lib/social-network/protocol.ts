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
  /** VK ID: whether and how to ask; several are joined. */
  prompt?: VkIdPrompt | readonly VkIdPrompt[];
  /** VK ID: which account to log in with. Must be enabled for the application. */
  provider?: 'vkid' | 'ok_ru' | 'mail_ru';
  /** VK ID: language of the login page by the network's number: 0 Russian, 3 English, 6 German, ... */
  langId?: number;
  /** VK ID: colours of the login page. */
  scheme?: 'light' | 'dark';
}

/** `none` asks nothing and fails where something would have to be asked. */
export type VkIdPrompt = 'none' | 'login' | 'consent' | 'select_account';

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
  /** What no error may repeat, beside the client's secret. */
  readonly secrets?: readonly string[];
  /** Absent where tokens cannot be revoked. */
  readonly revocationURL?: string;
  /** Absent where there is no logout. */
  readonly logoutURL?: string;
  /** What a refresh sends beside the refresh token. Absent where there are none. @throws TypeError when something is missing. */
  refreshParameters?(deviceID: string | undefined): Record<string, string>;
  authorizationParams(options: SocialNetworkAuthenticateOptions): object;
  loadRecord(
    client: NetworkClient,
    accessToken: string,
    login: CurrentLogin | undefined,
  ): Promise<LoadedRecord>;
}
