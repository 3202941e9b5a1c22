// @ts-check

/** @typedef {import('passport-social-networks/sandbox').SandboxPerson} SandboxPerson */

/** Identifiers of neighbours differ beyond 2^53 only: one that is rounded on its way is somebody else's. */
const MICROBLOG_BASE = 1_823_456_789_012_340_000n;

/**
 * Those who log in.
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
 * Who somebody is at a network.
 *
 * @param {SandboxPerson} person
 * @param {string} network The strategy's name, which begins with the network's
 */
export function identifierOf({ openId, microblogId, socialNetworkId }, network) {
  if (network.startsWith('short-video')) return openId;
  return network.startsWith('microblog') ? microblogId : String(socialNetworkId);
}
