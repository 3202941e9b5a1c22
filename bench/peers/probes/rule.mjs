import { told } from '../browser.mjs';

/**
 * One question, asked of every subject.
 *
 * @typedef {import('../world.mjs').World} World
 * @typedef {import('../verdicts.mjs').Verdict} Verdict
 * @typedef {{
 *   readonly id: string,
 *   readonly question: string,
 *   readonly unless?: (world: World) => string | undefined,
 *   ask(world: World): Promise<Verdict>,
 * }} Rule `unless` says why the question makes no sense for a subject.
 */

/** @param {World} world */
export const oauth2Only = ({ oauth1 }) => (oauth1 ? 'OAuth 1.0a has no such thing' : undefined);

/** @param {World} world */
export const oauth1Only = ({ oauth1 }) => (oauth1 ? undefined : 'a rule of OAuth 1.0a');

/** @param {World} world */
export const withProfile = ({ facts }) =>
  facts.paths.profile ? undefined : 'it makes no profile request of its own';

/**
 * Whether a request was turned away: neither logged in, nor sent on to the network, nor passed on to it. @returns What happened
 * instead; `undefined` when it was turned away.
 *
 * @param {import('../browser.mjs').Answer} answer
 * @param {number} calls Requests that the network got meanwhile.
 */
export function slip(answer, calls) {
  if (answer.outcome === 'success') return told(answer);
  if (calls > 0) return `${calls} request(s) reached the network; ${told(answer)}`;
  if (answer.outcome === 'redirect') return told(answer);
  return undefined;
}

/** Whether an answer says that the login did not succeed; nothing else, such as an unknown page, does. @param {import('../browser.mjs').Answer} answer */
export function refused({ outcome }) {
  return outcome === 'failure' || outcome === 'error';
}

/** How many requests the network got while something was done. @template T @param {World} world @param {() => Promise<T>} act */
export async function counting(world, act) {
  const before = world.network.calls.length;
  const result = await act();
  return { result, calls: world.network.calls.length - before };
}
