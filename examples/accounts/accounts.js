// @ts-check
// Users and their logins. The key of a login is provider and identifier: names and addresses pass to other people.
import { randomUUID } from 'node:crypto';
import { query } from './database.js';
import { revoke } from './networks.js';
import { refreshTime, withTokens } from './refresh.js';
import { encrypt } from './tokens.js';

/** @typedef {import('./networks.js').Login} Login */

/** @param {string} id @returns {Promise<{ id: string, name: string } | undefined>} */
export const findUser = async (id) => (await query('select id, name from users where id = ?', id))[0];

/** @param {string} userID @returns {Promise<import('./tokens.js').Key[]>} */
export const loginsOf = (userID) =>
  query('select provider, identifier from logins where user_id = ?', userID);

/** Finds the user of a login, or creates one. @param {Login} login @returns {Promise<string>} The user's ID */
export async function findOrCreate(login) {
  const spare = randomUUID();
  await query('insert into users (id, name) values (?, ?)', spare, login.name);
  const owner = (await save(login, spare)) ?? spare;
  if (owner !== spare) await query('delete from users where id = ?', spare);
  return owner;
}

/** Links a login to a user. @param {string} userID @param {Login} login @returns Whether it is the user's */
export const link = async (userID, login) =>
  (await save(login, userID, 'where logins.user_id = excluded.user_id')) === userID;

/** Deletes a user in any case. @param {string} userID @returns {Promise<string[]>} The networks that may still have tokens */
export async function deleteUser(userID) {
  const logins = await loginsOf(userID);
  const revoking = logins.map((login) => withTokens(login, (tokens) => revoke(login.provider, tokens)));
  const results = await Promise.allSettled(revoking);
  await query('delete from users where id = ?', userID); // and the logins
  return logins.flatMap(({ provider }, index) => (results[index]?.status === 'rejected' ? [provider] : []));
}

/** A login that is known keeps its user: the primary key decides, also between two requests at once. A refresh under way loses its lock, and does not replace these tokens. @param {Login} login @param {string} userID @param {string} [condition] Keeps the tokens of a login that fails it */
async function save(login, userID, condition = '') {
  const statement = `insert into logins (provider, identifier, tokens, refresh_at, user_id) values (?, ?, ?, ?, ?)
    on conflict (provider, identifier) do update set tokens = excluded.tokens, refresh_at = excluded.refresh_at,
    locked_until = 0 ${condition} returning user_id as owner`;
  const { provider, identifier, tokens } = login;
  const values = [provider, identifier, encrypt(tokens, login), refreshTime(tokens), userID];
  return /** @type {{ owner: string }[]} */ (await query(statement, ...values))[0]?.owner;
}
