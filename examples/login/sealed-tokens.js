// @ts-check

/** @typedef {import('./networks/network.js').Tokens} Tokens */
/** @typedef {'accessToken' | 'refreshToken' | 'oauthToken' | 'oauthTokenSecret'} TokenName */
/** @typedef {Record<TokenName, string | null>} SealedTokens */
/** @typedef {{ provider: string, identifier: string }} Owner */

/** @type {readonly TokenName[]} */
const NAMES = ['accessToken', 'refreshToken', 'oauthToken', 'oauthTokenSecret'];

/**
 * Tokens as the database keeps them.
 *
 * @param {import('./encryption.js').Vault} vault
 * @param {Owner} owner
 * @param {Tokens} tokens
 * @returns {Promise<SealedTokens>}
 */
export async function sealTokens(vault, owner, tokens) {
  const entries = NAMES.map(async (name) => {
    const token = tokens[name];
    return [name, token === undefined ? null : await vault.seal(token, placeOf(owner, name))];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Tokens as the networks know them.
 *
 * @param {import('./encryption.js').Vault} vault
 * @param {Owner & SealedTokens & { deviceID: string | null }} account
 * @returns {Promise<Tokens>}
 */
export async function openTokens(vault, account) {
  const kept = NAMES.filter((name) => account[name] !== null);
  const entries = kept.map(async (name) => [
    name,
    await vault.open(account[name] ?? '', placeOf(account, name)),
  ]);
  const { deviceID } = account;
  return { ...Object.fromEntries(await Promise.all(entries)), ...(deviceID !== null && { deviceID }) };
}

/** @param {Owner} owner @param {TokenName} name */
const placeOf = ({ provider, identifier }, name) => JSON.stringify([provider, identifier, name]);
