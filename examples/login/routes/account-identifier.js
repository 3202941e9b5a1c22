// @ts-check
import { Refusal } from '../refusal.js';

/**
 * Reads the identifier of an account from a request; the database refuses everything else with an error of its own.
 *
 * @param {unknown} text
 * @throws {Refusal} when it is none
 */
export function accountIdentifier(text) {
  if (typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw new Refusal(404, 'unknown_account', 'You have no such account here. See your linked accounts.');
}
