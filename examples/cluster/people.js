// @ts-check

/** @typedef {import('passport-social-networks-sandbox').SandboxPerson} SandboxPerson */

/** Beyond 2^53, so that an ID rounded along the way belongs to another user. */
const MICROBLOG_BASE = 1_823_456_789_012_340_000n;

/**
 * The sandbox's users.
 *
 * @type {readonly SandboxPerson[]}
 */
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

/**
 * A user's ID at a network.
 *
 * @param {SandboxPerson} person
 * @param {string} network The strategy's name, which starts with the network's
 */
export function identifierOf({ openId, microblogId, socialNetworkId }, network) {
  if (network.startsWith('short-video')) return openId;
  return network.startsWith('microblog') ? microblogId : String(socialNetworkId);
}
