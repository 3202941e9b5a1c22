import type { Appearance } from '../network.js';

/** The words are ours. */
export const APPEARANCE: Appearance = {
  brand: 'X',
  always: [],
  scopes: {
    'users.read': 'Profiles that you can see, and your own',
    'users.email': 'Your e-mail address',
    'tweet.read': 'Posts that you can see, also of protected accounts',
    'tweet.write': 'Post and repost for you',
    'tweet.moderate.write': 'Hide and unhide replies to your posts',
    'follows.read': 'Whom you follow, and who follows you',
    'follows.write': 'Follow and unfollow people for you',
    'offline.access': 'Stay connected until you revoke the access',
    'space.read': 'Spaces that you can see',
    'mute.read': 'Whom you muted',
    'mute.write': 'Mute and unmute accounts for you',
    'like.read': 'Posts that you liked',
    'like.write': 'Like and unlike posts for you',
    'list.read': 'Your lists, also private ones',
    'list.write': 'Create and change lists for you',
    'block.read': 'Whom you blocked',
    'block.write': 'Block and unblock accounts for you',
    'bookmark.read': 'Your bookmarks',
    'bookmark.write': 'Add and remove bookmarks for you',
    'dm.read': 'Your direct messages',
    'dm.write': 'Send direct messages for you',
    'media.write': 'Upload media for you',
    'broadcast.read': 'Your live broadcasts',
    'broadcast.write': 'Start and change live broadcasts for you',
    'timeline.read': 'Your timeline',
  },
};

/** OAuth 1.0a has no scopes: the application's settings at the network decide. */
export const OAUTH1_APPEARANCE: Appearance = {
  brand: 'X',
  always: [
    'Your user ID and handle',
    'Your name, picture, description and location',
    'Your e-mail address, if the application may ask for it',
    'Access that does not expire until you revoke it',
  ],
  scopes: {},
};
