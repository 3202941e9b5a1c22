// @ts-check
// Users and their logins. The key of a login is provider and identifier: names and addresses pass to other people.
import { randomUUID } from 'node:crypto';
import { query } from './database.js';
import { revoke } from './networks.js';
import { refreshTime, withTokens } from './refresh.js';
import { encrypt } from './tokens.js';

/** @typedef {import('./tokens.js').Key} Key */
/** @typedef {import('./networks.js').Login} Login */
/** @typedef {{ id: string, name: string }} User */
/** @typedef {Key & { loginAt: number }} SessionLogin The login that began a session, and when */
/** @typedef {Key & { user_id: string, profile: import('./networks.js').LoginProfile, hasTokens: boolean }} LinkedLogin */

/** Finds the user of a session. A session ends with its login, also if that is linked again, and when the user signs out everywhere. @param {string} id @param {SessionLogin} login @returns {Promise<User | undefined>} */
export async function findSessionUser(id, { provider, identifier, loginAt }) {
  const statement = `select id, name from users join logins on user_id = id
    where id = ? and provider = ? and identifier = ? and signed_out_at < ? and linked_at <= ?`;
  return (await query(statement, id, provider, identifier, loginAt, loginAt))[0];
}

/** The user of a login. @param {Key} login @returns {Promise<string | undefined>} The user's ID */
export async function ownerOf({ provider, identifier }) {
  const statement = 'select user_id as owner from logins where provider = ? and identifier = ?';
  return /** @type {{ owner: string }[]} */ (await query(statement, provider, identifier))[0]?.owner;
}

/** The logins of a user. @param {string} userID @returns {Promise<LinkedLogin[]>} */
export async function loginsOf(userID) {
  /** @type {(Key & { user_id: string, profile: string, tokens: string | null })[]} */
  const rows = await query('select * from logins where user_id = ? order by provider, identifier', userID);
  return rows.map(({ tokens, profile, ...login }) => ({
    ...login,
    profile: JSON.parse(profile),
    hasTokens: tokens !== null,
  }));
}

/** Finds the user of a login, or creates one. @param {Login} login @returns {Promise<string>} The user's ID */
export async function findOrCreate(login) {
  const spare = randomUUID();
  await query('insert into users (id, name) values (?, ?)', spare, login.profile.name);
  const owner = (await save(login, spare)) ?? spare;
  if (owner !== spare) await query('delete from users where id = ?', spare);
  return owner;
}

/** Links a login to a user. @param {string} userID @param {Login} login @returns Whether it is the user's */
export const link = async (userID, login) =>
  (await save(login, userID, 'where logins.user_id = excluded.user_id')) === userID;

/** Moves a login. The caller must have proof that both users are one person. A user without logins is deleted. @param {Key} login @param {string} from @param {string} to @returns Whether it is moved */
export async function move({ provider, identifier }, from, to) {
  const statement =
    'update logins set user_id = ?, linked_at = ? where provider = ? and identifier = ? and user_id = ? returning provider';
  const moved = await query(statement, to, Date.now(), provider, identifier, from);
  const unused = 'delete from users where id = ? and not exists (select 1 from logins where user_id = ?)';
  await query(unused, from, from);
  return moved.length === 1;
}

/** Unlinks a login, but not a user's last one: nobody could log in again. @param {string} userID @param {Key} login @returns Whether it is unlinked */
export async function unlink(userID, { provider, identifier }) {
  const statement = `delete from logins where user_id = ? and provider = ? and identifier = ?
    and 1 < (select count(*) from logins as all_logins where all_logins.user_id = logins.user_id) returning provider`;
  return (await query(statement, userID, provider, identifier)).length === 1;
}

/** Ends all sessions of a user. @param {string} userID */
export const signOutEverywhere = (userID) =>
  query('update users set signed_out_at = ? where id = ?', Date.now(), userID);

/** Deletes a user in any case. @param {string} userID @returns {Promise<string[]>} The networks that may still have tokens */
export async function deleteUser(userID) {
  const logins = await loginsOf(userID);
  const results = await Promise.allSettled(logins.map(revokeTokens));
  await query('delete from users where id = ?', userID); // and the logins
  return logins.flatMap(({ provider }, index) => (results[index]?.status === 'rejected' ? [provider] : []));
}

/** Ends the tokens of a login at its network. @param {Key} login */
export const revokeTokens = (login) => withTokens(login, (tokens) => revoke(login, tokens));

/** A login that is known keeps its user: the primary key decides, also between two requests at once. A refresh under way loses its lock, and does not replace these tokens. @param {Login} login @param {string} userID @param {string} [condition] Keeps the tokens of a login that fails it */
async function save(login, userID, condition = '') {
  const statement = `insert into logins (provider, identifier, profile, tokens, refresh_at, linked_at, user_id) values (?, ?, ?, ?, ?, ?, ?)
    on conflict (provider, identifier) do update set profile = excluded.profile, tokens = excluded.tokens,
    refresh_at = excluded.refresh_at, locked_until = 0 ${condition} returning user_id as owner`;
  const { provider, identifier, profile, tokens } = login;
  const values = [provider, identifier, JSON.stringify(profile), encrypt(tokens, login), refreshTime(tokens)];
  return /** @type {{ owner: string }[]} */ (await query(statement, ...values, Date.now(), userID))[0]?.owner;
}
