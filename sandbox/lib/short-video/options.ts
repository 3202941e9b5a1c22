import { words } from '../core/checks.js';
import type { Appearance, Client } from '../core/network.js';

const PORTABLE = ['all', 'activity', 'directmessages', 'postsandprofile'];

/** Every documented scope. @see https://developers.tiktok.com/doc/tiktok-api-scopes (read 2026-11) */
export const APPEARANCE: Appearance = {
  brand: 'TikTok',
  scopes: [
    ...words`user.info.basic user.info.profile user.info.stats video.list video.publish video.upload`,
    ...PORTABLE.flatMap((what) => [`portability.${what}.single`, `portability.${what}.ongoing`]),
    ...words`research.adlib.basic research.data.basic research.data.u18eu research.data.vra`,
    ...words`local.product.manage local.shop.manage local.voucher.manage`,
  ],
};

/** The network calls them client key and client secret. Keys of its own sandbox start with `sb`. */
export const SHORT_VIDEO = {
  clientID: 'sbawsandboxkey0001',
  clientSecret: 'short-video-sandbox-client-secret',
};

export const CLIENTS = [
  {
    title: 'short-video',
    kind: 'confidential',
    trial: {
      identifier: 'client_key',
      authorization: { scope: 'user.info.basic,user.info.profile,user.info.stats' },
      challenge: 'hex',
      profileQuery: { fields: 'open_id,union_id,display_name,avatar_url,username,follower_count' },
    },
    options: (url) => ({
      ...SHORT_VIDEO,
      authorizationURL: `${url}/short-video/v2/auth/authorize/`,
      tokenURL: `${url}/short-video/v2/oauth/token/`,
      profileURL: `${url}/short-video/v2/user/info/`,
      revocationURL: `${url}/short-video/v2/oauth/revoke/`,
    }),
  },
] as const satisfies readonly Client[];
