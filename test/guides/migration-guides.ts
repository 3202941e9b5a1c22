import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';

/** A migration guide for users of another package. */
export interface Guide {
  readonly peer: string;
  /** Undeclared names in the documented example -> environment variable with the sandbox's value. */
  readonly constants: Readonly<Record<string, string>>;
  /** Route that starts a login -> expected user. */
  readonly logins: Readonly<Record<string, object>>;
  /** The strategies that replace it, with the options that the guide's tables assume. */
  readonly strategies: (sandbox: Sandbox) => readonly (readonly [unknown, object])[];
}

const PICTURES = ['union_id', 'avatar_url', 'avatar_url_100', 'avatar_large_url'];
const PROFILE = ['display_name', 'username', 'bio_description', 'profile_deep_link', 'is_verified'];
const STATS = ['follower_count', 'following_count', 'likes_count'];

export const GUIDES: readonly Guide[] = [
  {
    peer: 'passport-twitter',
    constants: {
      TWITTER_CONSUMER_KEY: 'MICROBLOG_1_0_CLIENT_ID',
      TWITTER_CONSUMER_SECRET: 'MICROBLOG_1_0_CLIENT_SECRET',
    },
    logins: { '/auth/twitter': { twitterId: '2244994945' } },
    strategies: (sandbox) => [
      [MicroblogStrategy, { ...sandbox.options('microblog', { version: '1.0' }), includeEmail: true }],
    ],
  },
  {
    peer: 'superfaceai-passport-twitter-oauth2',
    constants: { TWITTER_CLIENT_ID: 'MICROBLOG_CLIENT_ID', TWITTER_CLIENT_SECRET: 'MICROBLOG_CLIENT_SECRET' },
    logins: { '/auth/twitter': { twitterId: '2244994945' } },
    strategies: (sandbox) => [[MicroblogStrategy, { ...sandbox.options('microblog'), includeEmail: true }]],
  },
  {
    peer: 'passport-tiktok-auth',
    constants: {
      TIKTOK_CLIENT_ID: 'SHORT_VIDEO_CLIENT_ID',
      TIKTOK_CLIENT_SECRET: 'SHORT_VIDEO_CLIENT_SECRET',
    },
    logins: { '/auth/tiktok': { tiktokId: '723f24d7-e717-40f8-a2b6-cb8464cd23b4' } },
    strategies: (sandbox) => [
      [
        ShortVideoStrategy,
        { ...sandbox.options('short-video'), profileFields: [...PICTURES, ...PROFILE, ...STATS] },
      ],
    ],
  },
  {
    peer: 'passport-vkontakte',
    constants: {
      VKONTAKTE_APP_ID: 'SOCIAL_NETWORK_CLASSIC_CLIENT_ID',
      VKONTAKTE_APP_SECRET: 'SOCIAL_NETWORK_CLASSIC_CLIENT_SECRET',
    },
    // A number, as the other package stores it.
    logins: { '/auth/vkontakte': { vkontakteId: 1000000001 } },
    strategies: (sandbox) => [
      [
        SocialNetworkStrategy,
        {
          ...sandbox.options('social-network'),
          includeEmail: true,
          profileFields: ['screen_name', 'sex', 'photo_200', 'nickname', 'city', 'bdate'],
        },
      ],
    ],
  },
  {
    peer: 'auth-js',
    constants: {
      AUTH_SECRET: 'SESSION_SECRET',
      AUTH_TIKTOK_ID: 'SHORT_VIDEO_CLIENT_ID',
      AUTH_TIKTOK_SECRET: 'SHORT_VIDEO_CLIENT_SECRET',
      TWITTER_CLIENT_ID: 'MICROBLOG_CLIENT_ID',
      TWITTER_CLIENT_SECRET: 'MICROBLOG_CLIENT_SECRET',
      VK_CLIENT_ID: 'SOCIAL_NETWORK_CLASSIC_CLIENT_ID',
      VK_CLIENT_SECRET: 'SOCIAL_NETWORK_CLASSIC_CLIENT_SECRET',
    },
    logins: {
      '/auth/signin/tiktok': {
        provider: 'tiktok',
        providerAccountId: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
        email: null,
      },
      '/auth/signin/twitter': { provider: 'twitter', providerAccountId: '2244994945', email: null },
      '/auth/signin/vk': { provider: 'vk', providerAccountId: '1000000001', email: 'alice@example.com' },
    },
    strategies: (sandbox) => [
      [ShortVideoStrategy, sandbox.options('short-video')],
      [MicroblogStrategy, { ...sandbox.options('microblog'), includeEmail: true }],
      [SocialNetworkStrategy, { ...sandbox.options('social-network'), includeEmail: true }],
    ],
  },
];
