import {
  type Profile,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type VkIdParams,
  type VkIdProfile,
} from '../../../lib/index.js';
import type { Ending } from '../../support/login-app.js';
import { keyedLogins } from '../../support/logins.js';
import { playing } from '../../support/played.js';

/** The default token response; its ID is a number. */
export const TOKENS = {
  access_token: 'ACCESS-TOKEN',
  refresh_token: 'REFRESH-TOKEN',
  token_type: 'Bearer',
  expires_in: 3600,
  user_id: 1234567890,
  scope: 'vkid.personal_info',
};

/** The default user; the ID is a string. */
export const USER = { user_id: '1234567890', first_name: 'Ivan', last_name: 'Ivanov' };

export type VkIdStrategy = SocialNetworkStrategy<SocialNetworkProfile, '2.1'>;

const verify = async (
  token: string,
  refreshToken: string | undefined,
  params: VkIdParams,
  profile: Profile<VkIdProfile>,
) => ({ token, refreshToken, params, profile });

/** A strategy for which each user is what verify gets. */
export function vkIdStrategy(options: object): VkIdStrategy {
  const own = { clientID: 'CLIENT-ID', version: '2.1', store: keyedLogins(), passParamsToCallback: true };
  return new SocialNetworkStrategy<SocialNetworkProfile, '2.1'>(
    { ...own, ...options } as never,
    verify as never,
  );
}

/** What verify got in a login. @throws The error, or the reason, if it ended in another way. */
export function verifiedIn({ user, error, failure }: Ending) {
  if (user) return user as Awaited<ReturnType<typeof verify>>;
  throw error ?? new Error(JSON.stringify(failure));
}

export const { loggingIn } = playing({
  make: vkIdStrategy,
  options: {},
  urls: {
    authorizationURL: '/authorize',
    tokenURL: '/oauth2/auth',
    profileURL: '/oauth2/user_info',
    lookupURL: '/method/users.get',
    revocationURL: '/oauth2/revoke',
    logoutURL: '/oauth2/logout',
  },
  replies: {
    '/oauth2/auth': ({ form }) => ({ body: { ...TOKENS, state: form.get('state') } }),
    '/oauth2/user_info': { body: { user: USER } },
    '/method/users.get': { body: { response: [{ id: 1234567890, screen_name: 'ivan_i' }] } },
    '/oauth2/revoke': { body: { response: 1 } },
    '/oauth2/logout': { body: { response: 1 } },
  },
  callback: { code: 'THE-CODE', device_id: 'DEVICE' },
});
