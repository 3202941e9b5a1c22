// @ts-check

/** @typedef {import('passport-social-networks-sandbox').Sandbox} Sandbox */
/** @typedef {import('passport-social-networks-sandbox').SandboxPerson} SandboxPerson */
/** @typedef {{ url: string, options: Record<string, object> }} SharedSandbox What an instance needs to know, as JSON; options by strategy */

/** Beyond 2^53, so that an ID rounded along the way belongs to another user. */
const MICROBLOG_BASE = 1_823_456_789_012_340_000n;

/** The sandbox's users. @type {readonly SandboxPerson[]} */
export const PEOPLE = Array.from({ length: 500 }, (_, index) => ({
  id: `person-${index}`,
  displayName: `Person ${index}`,
  givenName: 'Person',
  familyName: String(index),
  handle: `person_${index}`,
  openId: `open-id-of-person-${index}`,
  microblogId: String(MICROBLOG_BASE + BigInt(index)),
  socialNetworkId: 1_000_000 + index,
  email: `person-${index}@example.com`,
  picture: 'large',
}));

/** A user's ID at a network. @param {SandboxPerson} person @param {string} strategy Its name starts with the network's */
export function identifierOf({ openId, microblogId, socialNetworkId }, strategy) {
  if (strategy.startsWith('short-video')) return openId;
  return strategy.startsWith('microblog') ? microblogId : String(socialNetworkId);
}

/** Describes a running sandbox to the instances. @param {Pick<Sandbox, 'url' | 'options'>} sandbox @returns {SharedSandbox} */
export function shareSandbox({ url, options }) {
  return {
    url,
    options: {
      'short-video': options('short-video'),
      microblog: options('microblog'),
      'microblog-1-0': options('microblog', { version: '1.0' }),
      'social-network': options('social-network'),
      'social-network-vk-id': options('social-network', { version: '2.1' }),
    },
  };
}
