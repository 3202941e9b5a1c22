import { type Client, confidential } from '../core/clients.js';
import type { Appearance } from '../core/network.js';

/** Scopes of both protocols: in words, which are ours; whether VK ID has it; its bit in a mask of the classic protocol, which has no others. */
export const SCOPES: Readonly<Record<string, readonly [words: string, isOfVkId: boolean, bit?: number]>> = {
  'vkid.personal_info': ['Your name, picture, sex and birthday', true],
  email: ['Your e-mail address', true, 4194304],
  phone: ['Your phone number', true],
  notify: ['Send you notifications', false, 1],
  friends: ['Your friends', true, 2],
  photos: ['Your photos', true, 4],
  audio: ['Your music', false, 8],
  video: ['Your videos', true, 16],
  stories: ['Your stories', true],
  pages: ['Your wiki pages', false, 32],
  link: ["A link to the application in your page's menu", false, 256],
  status: ['Your status', false, 1024],
  notes: ['Your notes', true, 2048],
  messages: ['Your messages', false, 4096],
  wall: ['Your wall', false, 8192],
  ads: ['Your advertising accounts', false, 32768],
  offline: ['Stay connected until you revoke the access', false, 65536],
  docs: ['Your documents', true, 131072],
  groups: ['Your communities', true, 262144],
  notifications: ['Your notifications', true, 524288],
  stats: ['Statistics of your communities and applications', true, 1048576],
  market: ['Your goods', true, 134217728],
};

/** VK ID, whose least scope is the personal information. */
export const APPEARANCE: Appearance = {
  brand: 'VK',
  always: [],
  scopes: Object.fromEntries(Object.entries(SCOPES).map(([name, [words]]) => [name, words])),
  state: ({ deactivated }) => (deactivated === undefined ? undefined : `${deactivated} at VK`),
};

/** The classic protocol hands over the profile without any scope. */
export const CLASSIC_APPEARANCE: Appearance = {
  ...APPEARANCE,
  always: ['Your user ID, name and picture, and what your public profile shows'],
};

/** Client of the classic protocol. Client identifiers of this network are integers. */
export const SOCIAL_NETWORK = {
  id: '51000001',
  secret: 'socialNetworkSandbox',
};

/** Client of VK ID. The protected key is never sent; a confidential application may add the service token. */
export const VK_ID = {
  id: '51000002',
  secret: 'vkIdSandboxProtected',
  serviceToken: 'vk-id-sandbox-service-token',
};

const VK_ID_TRIAL = {
  authorization: { scope: 'vkid.personal_info email phone' },
  challenge: 'base64url',
  withoutSecret: true,
  profile: { method: 'post' },
} as const;

export const CLIENTS = [
  {
    title: 'social-network, classic: only for applications that have it',
    strategy: 'SocialNetworkStrategy',
    version: '2.0',
    kind: 'confidential',
    trial: {
      authorization: { scope: 'email', v: '5.126' },
      profile: { method: 'get', query: { fields: 'photo_100', v: '5.126' } },
    },
    options: (url) => ({
      ...confidential(SOCIAL_NETWORK),
      authorizationURL: `${url}/social-network/authorize`,
      tokenURL: `${url}/social-network/access_token`,
      profileURL: `${url}/social-network/method/users.get`,
    }),
  },
  {
    title: 'social-network, VK ID',
    strategy: 'SocialNetworkStrategy',
    version: '2.1',
    kind: 'public',
    trial: VK_ID_TRIAL,
    options: vkIdOptions,
  },
  {
    title: 'social-network, VK ID with a service token',
    strategy: 'SocialNetworkStrategy',
    version: '2.1',
    kind: 'confidential',
    trial: VK_ID_TRIAL,
    options: (url) => ({ ...vkIdOptions(url), serviceToken: VK_ID.serviceToken }),
  },
] as const satisfies readonly Client[];

function vkIdOptions(url: string) {
  return {
    ...confidential(VK_ID),
    version: '2.1' as const,
    authorizationURL: `${url}/vk-id/authorize`,
    tokenURL: `${url}/vk-id/oauth2/auth`,
    profileURL: `${url}/vk-id/oauth2/user_info`,
    lookupURL: `${url}/social-network/method/users.get`,
    revocationURL: `${url}/vk-id/oauth2/revoke`,
    logoutURL: `${url}/vk-id/oauth2/logout`,
  };
}
