import { ADDRESSES } from './addresses.mjs';
import { ANSWERS } from './answers.mjs';
import { BROWSERS } from './browsers.mjs';
import { CALLBACK_PARAMETERS } from './callback-parameters.mjs';
import { CODES } from './codes.mjs';
import { CONNECTIONS } from './connections.mjs';
import { ENDINGS } from './endings.mjs';
import { OAUTH1 } from './oauth1.mjs';
import { PENDING_LOGINS } from './pending-logins.mjs';
import { SECRETS } from './secrets.mjs';
import { SESSIONS } from './sessions.mjs';

/** Groups in the order of the table: the ordinary login, then callbacks, transport, OAuth 1.0a, secrets and identity. */
const GROUPS = ['l', 'C', 'T', 'O', 'S'];

/** Every question, sorted by its number. @type {readonly import('./rule.mjs').Rule[]} */
export const RULES = [
  ...PENDING_LOGINS,
  ...CALLBACK_PARAMETERS,
  ...CODES,
  ...BROWSERS,
  ...SESSIONS,
  ...ADDRESSES,
  ...ANSWERS,
  ...CONNECTIONS,
  ...ENDINGS,
  ...OAUTH1,
  ...SECRETS,
].sort((one, other) => rank(one.id) - rank(other.id));

/** @param {string} id */
function rank(id) {
  return GROUPS.indexOf(id.charAt(0)) * 1_000 + Number(id.match(/\d+/)?.[0] ?? 0);
}
