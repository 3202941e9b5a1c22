// @ts-check
// The background job. A refresh token works once, so of all processes one caller at a time has the tokens of a login.
import { RefusedError } from 'passport-social-networks';
import { query } from './database.js';
import { refresh } from './networks.js';
import { decrypt, encrypt } from './tokens.js';

/** @typedef {import('./tokens.js').Tokens} Tokens */
/** @typedef {import('./tokens.js').Key} Key */
/** @typedef {{ tokens: string | null, refresh_at: number | null }} Row */

/** Ten minutes before the access token expires, or never. @param {Tokens} tokens */
export const refreshTime = ({ refreshToken, expiresAt }) =>
  refreshToken && expiresAt ? expiresAt - 600_000 : null;

/** Refreshes tokens that are due. What fails is due again in the next run. */
export async function refreshDue() {
  /** @type {Key[]} */
  const due = await query('select provider, identifier from logins where refresh_at < ?', Date.now());
  for (const login of due)
    await withTokens(login, async (tokens, { refresh_at: refreshAt }) => {
      // Otherwise another process was faster.
      if (refreshAt && refreshAt < Date.now()) return refresh(login, tokens);
    }).catch(console.error);
}

/** Locks a login, passes on its tokens, and stores those that come back. @param {Key} login @param {(tokens: Tokens, row: Row) => Promise<Tokens | void>} use */
export async function withTokens(login, use) {
  const key = /** @type {const} */ ([login.provider, login.identifier]);
  const where = 'where provider = ? and identifier = ? and locked_until';
  const lock = Date.now() + 60_000; // Longer than any request takes. It ends by itself if this process is killed.
  const locking = `update logins set locked_until = ? ${where} < ? returning tokens, refresh_at`;
  /** @type {Row[]} */
  const [row] = await query(locking, lock, ...key, Date.now());
  if (!row) throw new Error(`The tokens of a login with ${login.provider} are in use.`);
  let { tokens, refresh_at: refreshAt } = row;
  try {
    const renewed = tokens && (await use(decrypt(tokens, login), row));
    if (renewed) [tokens, refreshAt] = [encrypt(renewed, login), refreshTime(renewed)];
  } catch (error) {
    // The user has to log in again.
    if (error instanceof RefusedError && error.tokenSpent) [tokens, refreshAt] = [null, null];
    throw error;
  } finally {
    const unlocking = `update logins set tokens = ?, refresh_at = ?, locked_until = 0 ${where} = ?`;
    await query(unlocking, tokens, refreshAt, ...key, lock);
  }
}
