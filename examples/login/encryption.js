// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { encryptionKeys } from './database/schema.js';
import { StartError } from './errors.js';
import { readKey } from './settings.js';

/** @typedef {import('./database/open.js').Database} Database */
/** @typedef {import('./data-folder.js').DataFolder} DataFolder */
/** @typedef {import('./networks/network.js').Tokens} Tokens */
/** @typedef {'accessToken' | 'refreshToken' | 'oauthToken' | 'oauthTokenSecret'} TokenName */
/** @typedef {Record<TokenName, string | null>} EncryptedTokens */
/** @typedef {{ network: string, identifier: string }} Owner */

const FILE = 'encryption-key';
const PURPOSE = 'tokens';
const ALGORITHM = { alg: 'dir', enc: 'A256GCM' };

/** Encrypts strings with one key and binds each to a context: a token copied to another account's row cannot be decrypted. */
export class Cipher {
  /** @param {Uint8Array} key 32 bytes */
  constructor(key) {
    this.key = key;
    // Stored with each encrypted string, so that keys can be rotated later.
    this.keyID = createHash('sha256').update(key).digest('base64url').slice(0, 8);
  }

  /**
   * @param {string} text
   * @param {string} context Identifies the place of storage; decryption needs the same context
   * @returns {Promise<string>} A compact JWE
   */
  encrypt(text, context) {
    return new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ ...ALGORITHM, kid: this.keyID, sub: context })
      .encrypt(this.key);
  }

  /**
   * @param {string} encrypted
   * @param {string} context
   * @throws {Error} if the key or context differs, or the string was altered
   */
  async decrypt(encrypted, context) {
    const { plaintext, protectedHeader } = await compactDecrypt(encrypted, this.key, {
      keyManagementAlgorithms: [ALGORITHM.alg],
      contentEncryptionAlgorithms: [ALGORITHM.enc],
    });
    if (protectedHeader.sub !== context) throw new Error('An encrypted token belongs to another account.');
    return new TextDecoder().decode(plaintext);
  }
}

/**
 * Creates the cipher with the key of the settings, or with a key that is generated once and stored in the data folder.
 *
 * @param {Database} database
 * @param {import('./settings.js').Settings} settings
 * @param {DataFolder} folder
 * @throws {StartError} if the tokens in the database were encrypted with another key
 */
export async function loadCipher(database, settings, folder) {
  const existingKey = settings.encryptionKey ?? (await storedKey(folder));
  const isNewDatabase = (await findKeyCheck(database)) === undefined;
  if (!existingKey && !isNewDatabase) throw wrongKey(folder);
  const cipher = new Cipher(existingKey ?? (await newKey(folder)));
  if (isNewDatabase) {
    const keyCheck = await cipher.encrypt(PURPOSE, PURPOSE);
    await database.insert(encryptionKeys).values({ purpose: PURPOSE, keyCheck }).onConflictDoNothing();
  }
  // Read it back: another process may have been faster and used another key.
  await cipher.decrypt((await findKeyCheck(database)) ?? '', PURPOSE).catch(() => {
    throw wrongKey(folder);
  });
  return cipher;
}

/** @param {Database} database */
async function findKeyCheck(database) {
  const [row] = await database.select().from(encryptionKeys).where(eq(encryptionKeys.purpose, PURPOSE));
  return row?.keyCheck;
}

/** @param {DataFolder} folder */
async function storedKey(folder) {
  const text = await folder.readSecret(FILE);
  return text === undefined ? undefined : readKey(text, `The file ${FILE} in ${folder.path}`);
}

/** @param {DataFolder} folder */
async function newKey(folder) {
  return readKey(await folder.storeSecret(FILE, randomBytes(32).toString('base64')), FILE);
}

/** @param {DataFolder} folder */
function wrongKey(folder) {
  return new StartError(
    `The tokens in the database were encrypted with another key. Set ENCRYPTION_KEY to that key, or put it back into ${folder.path}/${FILE}.`,
  );
}

/** @type {readonly TokenName[]} */
const NAMES = ['accessToken', 'refreshToken', 'oauthToken', 'oauthTokenSecret'];

/**
 * Encrypts tokens for the database.
 *
 * @param {Cipher} cipher
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
 * @param {Cipher} cipher
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
