import type { JSONResponse, NetworkRequest } from '../core/http/index.js';
import type {
  CurrentLogin,
  OAuth2AuthenticateOptions,
  OAuth2Network,
  OAuth2Settings,
} from '../core/oauth2/index.js';
import type { Profile } from '../core/profile.js';

/** What `passport.authenticate('social-network', options)` accepts beyond Passport's own. */
export interface SocialNetworkAuthenticateOptions extends OAuth2AuthenticateOptions {
  /** Layout of the login page; phones always get `mobile`. */
  display?: 'page' | 'popup' | 'mobile' | undefined;
  /** `true` asks for permission even if it was given before. */
  revoke?: boolean | undefined;
  /** VK ID: whether and what to ask; several are joined. */
  prompt?: VkIdPrompt | readonly VkIdPrompt[] | undefined;
  /** VK ID: which account to log in with. Must be enabled for the application. */
  provider?: 'vkid' | 'ok_ru' | 'mail_ru' | undefined;
  /** VK ID: language of the login page, as the network's number: 0 Russian, 3 English, 6 German, ... */
  langId?: number | undefined;
  /** VK ID: colours of the login page. */
  scheme?: 'light' | 'dark' | undefined;
}

/** `none` asks nothing, and fails if something has to be asked. */
export type VkIdPrompt = 'none' | 'login' | 'consent' | 'select_account';

/** Sends a profile request with the access token of the login. */
export type RequestProfile = (
  request: Pick<NetworkRequest, 'url'> & Partial<NetworkRequest>,
) => Promise<JSONResponse>;

/** One of the network's protocols, with its options read. */
export interface Protocol {
  readonly settings: OAuth2Settings;
  readonly network: OAuth2Network;
  /** Absent if tokens cannot be revoked. */
  readonly revocationURL?: string;
  /** Absent if there is no logout. */
  readonly logoutURL?: string;
  /** What a refresh sends beside the refresh token; absent if there are no refresh tokens. @throws TypeError if something is missing */
  refreshParameters?(deviceID: string | undefined): Record<string, string>;
  authorizationParams(options: SocialNetworkAuthenticateOptions): object;
  /**
   * @param accessToken - For a request that needs it in the form.
   * @param scopes - The granted ones.
   */
  loadProfile(
    request: RequestProfile,
    accessToken: string,
    login: CurrentLogin | undefined,
    scopes: readonly string[],
  ): Promise<Profile<unknown>>;
}
