import { type Client, confidential } from '../core/clients.js';
import type { Appearance } from '../core/network.js';

/** @see https://developers.tiktok.com/doc/tiktok-api-scopes (read 2026-11) */
const PORTABLE = {
  all: 'all your data',
  activity: 'your activity',
  directmessages: 'your direct messages',
  postsandprofile: 'your posts and your profile',
};

/** Every documented scope. The words are ours. */
export const APPEARANCE: Appearance = {
  brand: 'TikTok',
  always: [],
  scopes: {
    'user.info.basic': 'Your user ID, display name and picture',
    'user.info.profile': 'Your handle, description, profile link and verification badge',
    'user.info.stats': 'Your numbers of followers, likes and videos',
    'video.list': 'Your public videos',
    'video.publish': 'To publish in your name',
    'video.upload': 'To upload drafts to your account',
    ...Object.fromEntries(
      Object.entries(PORTABLE).flatMap(([name, what]) => [
        [`portability.${name}.single`, `A copy of ${what}, once`],
        [`portability.${name}.ongoing`, `Copies of ${what}, again and again`],
      ]),
    ),
    'research.adlib.basic': 'Public commercial data, for research',
    'research.data.basic': 'Public data, for research',
    'research.data.u18eu': 'Public data of people under 18 in Europe, for research',
    'research.data.vra': 'Data for vetted researchers',
    'local.product.manage': 'To manage your product listing',
    'local.shop.manage': 'To manage your shops',
    'local.voucher.manage': 'To redeem your vouchers',
  },
};

/** The network calls them client key and client secret. Keys of its own sandbox start with `sb`. */
export const SHORT_VIDEO = {
  id: 'sbawsandboxkey0001',
  secret: 'short-video-sandbox-client-secret',
};

export const CLIENTS = [
  {
    title: 'short-video',
    strategy: 'ShortVideoStrategy',
    kind: 'confidential',
    trial: {
      identifier: 'client_key',
      authorization: { scope: 'user.info.basic,user.info.profile,user.info.stats' },
      challenge: 'hex',
      profile: {
        method: 'get',
        query: { fields: 'open_id,union_id,display_name,avatar_url,username,follower_count' },
      },
    },
    options: (url) => ({
      ...confidential(SHORT_VIDEO),
      authorizationURL: `${url}/short-video/v2/auth/authorize/`,
      tokenURL: `${url}/short-video/v2/oauth/token/`,
      profileURL: `${url}/short-video/v2/user/info/`,
      revocationURL: `${url}/short-video/v2/oauth/revoke/`,
    }),
  },
] as const satisfies readonly Client[];
