// @ts-check
import { RequestError } from '../request-error.js';

/**
 * Reads an account's ID from a request. The database would reject other strings with its own error.
 *
 * @param {unknown} text
 * @throws {RequestError} if it is not an ID
 */
export function accountIdentifier(text) {
  if (typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw new RequestError(404, 'unknown_account', 'You have no such account. See your linked accounts.');
}
