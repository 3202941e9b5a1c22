// @ts-check

/** @typedef {import('./networks/network.js').Tokens} Tokens */
/** @typedef {'accessToken' | 'refreshToken' | 'oauthToken' | 'oauthTokenSecret'} TokenName */
/** @typedef {Record<TokenName, string | null>} EncryptedTokens */
/** @typedef {{ network: string, identifier: string }} Owner */

/** @type {readonly TokenName[]} */
const NAMES = ['accessToken', 'refreshToken', 'oauthToken', 'oauthTokenSecret'];

/**
 * Encrypts tokens for the database.
 *
 * @param {import('./encryption.js').Cipher} cipher
 * @param {Owner} owner
 * @param {Tokens} tokens
 * @returns {Promise<EncryptedTokens>}
 */
export async function encryptTokens(cipher, owner, tokens) {
  const entries = NAMES.map(async (name) => {
    const token = tokens[name];
    return [name, token === undefined ? null : await cipher.encrypt(token, contextOf(owner, name))];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Decrypts an account's tokens.
 *
 * @param {import('./encryption.js').Cipher} cipher
 * @param {Owner & EncryptedTokens & { deviceID: string | null }} account
 * @returns {Promise<Tokens>}
 */
export async function decryptTokens(cipher, account) {
  const present = NAMES.filter((name) => account[name] !== null);
  const entries = present.map(async (name) => [
    name,
    await cipher.decrypt(account[name] ?? '', contextOf(account, name)),
  ]);
  const { deviceID } = account;
  return { ...Object.fromEntries(await Promise.all(entries)), ...(deviceID !== null && { deviceID }) };
}

/** @param {Owner} owner @param {TokenName} name */
const contextOf = ({ network, identifier }, name) => JSON.stringify([network, identifier, name]);
