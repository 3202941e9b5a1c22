import type { Appearance } from '../network.js';

/** The words are ours; the scopes are those of `SHORT_VIDEO_SCOPES`. */
export const APPEARANCE: Appearance = {
  brand: 'TikTok',
  always: [],
  scopes: {
    'user.info.basic': 'Your user ID, display name and picture',
    'user.info.profile': 'Your handle, description, profile link and verification badge',
    'user.info.stats': 'Your numbers of followers, likes and videos',
    'video.list': 'Your public videos',
  },
};
