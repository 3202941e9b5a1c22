import { words } from '../core/checks.js';
import type { Appearance, Client } from '../core/network.js';

/** Scopes of the classic protocol, with their bits in a mask. It has no others. */
export const BITS: ReadonlyMap<string, bigint> = new Map([
  ['notify', 1n],
  ['friends', 2n],
  ['photos', 4n],
  ['audio', 8n],
  ['video', 16n],
  ['pages', 32n],
  ['link', 256n],
  ['status', 1024n],
  ['notes', 2048n],
  ['messages', 4096n],
  ['wall', 8192n],
  ['ads', 32768n],
  ['offline', 65536n],
  ['docs', 131072n],
  ['groups', 262144n],
  ['notifications', 524288n],
  ['stats', 1048576n],
  ['email', 4194304n],
  ['market', 134217728n],
]);

/** VK ID, whose least scope is the personal information. */
export const APPEARANCE: Appearance = {
  brand: 'VK',
  scopes: words`vkid.personal_info email phone friends photos video stories notes docs groups notifications stats market`,
  state: ({ deactivated }) => (deactivated === undefined ? undefined : `${deactivated} at VK`),
};

/** The classic protocol hands over the profile without any scope. */
export const CLASSIC_APPEARANCE: Appearance = {
  ...APPEARANCE,
  always: ['Your user ID, name and picture, and what your public profile shows'],
  scopes: [...BITS.keys()],
};

/** Client of the classic protocol. Client identifiers of this network are integers. */
export const SOCIAL_NETWORK = { clientID: '51000001', clientSecret: 'socialNetworkSandbox' };

/** Client of VK ID. The protected key is never sent; a confidential application may add the service token. */
export const VK_ID = { clientID: '51000002', clientSecret: 'vkIdSandboxProtected' };
export const SERVICE_TOKEN = 'vk-id-sandbox-service-token';

const VK_ID_TRIAL = {
  authorization: { scope: 'vkid.personal_info email phone' },
  challenge: 'base64url',
  withoutSecret: true,
} as const;

export const CLIENTS = [
  {
    title: 'social-network, classic: only for applications that have it',
    version: '2.0',
    kind: 'confidential',
    trial: {
      authorization: { scope: 'email', v: '5.126' },
      profileQuery: { fields: 'photo_100', v: '5.126' },
    },
    options: (url) => ({
      ...SOCIAL_NETWORK,
      authorizationURL: `${url}/social-network/authorize`,
      tokenURL: `${url}/social-network/access_token`,
      profileURL: `${url}/social-network/method/users.get`,
    }),
  },
  {
    title: 'social-network, VK ID',
    version: '2.1',
    kind: 'public',
    trial: { ...VK_ID_TRIAL, oneTap: true },
    options: vkIdOptions,
  },
  {
    title: 'social-network, VK ID with a service token',
    version: '2.1',
    kind: 'confidential',
    trial: VK_ID_TRIAL,
    options: (url) => ({ ...vkIdOptions(url), serviceToken: SERVICE_TOKEN }),
  },
] as const satisfies readonly Client[];

function vkIdOptions(url: string) {
  return {
    ...VK_ID,
    version: '2.1' as const,
    authorizationURL: `${url}/vk-id/authorize`,
    tokenURL: `${url}/vk-id/oauth2/auth`,
    profileURL: `${url}/vk-id/oauth2/user_info`,
    lookupURL: `${url}/social-network/method/users.get`,
    revocationURL: `${url}/vk-id/oauth2/revoke`,
    logoutURL: `${url}/vk-id/oauth2/logout`,
  };
}
