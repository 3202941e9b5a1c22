import type { Appearance } from '../network.js';

/** Scopes of both protocols. The words are ours. */
const SCOPES = {
  'vkid.personal_info': 'Your name, picture, sex and birthday',
  email: 'Your e-mail address',
  phone: 'Your phone number',
  notify: 'Send you notifications',
  friends: 'Your friends',
  photos: 'Your photos',
  audio: 'Your music',
  video: 'Your videos',
  stories: 'Your stories',
  pages: 'Your wiki pages',
  link: "A link to the application in your page's menu",
  status: 'Your status',
  notes: 'Your notes',
  messages: 'Your messages',
  wall: 'Your wall',
  ads: 'Your advertising accounts',
  offline: 'Stay connected until you revoke the access',
  docs: 'Your documents',
  groups: 'Your communities',
  notifications: 'Your notifications',
  stats: 'Statistics of your communities and applications',
  market: 'Your goods',
} as const;

/** VK ID, whose least scope is the personal information. */
export const APPEARANCE: Appearance = {
  brand: 'VK',
  always: [],
  scopes: SCOPES,
  state: ({ deactivated }) => (deactivated === undefined ? undefined : `${deactivated} at VK`),
};

/** The classic protocol hands over the profile without any scope. */
export const CLASSIC_APPEARANCE: Appearance = {
  ...APPEARANCE,
  always: ['Your user ID, name and picture, and what your public profile shows'],
};
