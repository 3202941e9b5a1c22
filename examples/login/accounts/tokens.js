// @ts-check
// Encrypts tokens with AES-256-GCM: a copy of the database is not enough to act as your users.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** @typedef {{ provider: string, identifier: string }} Key Of a login. Its tokens cannot be decrypted in another row */
/** @typedef {{ accessToken: string, refreshToken?: string | undefined, deviceID?: string | undefined, expiresAt?: number | undefined }} Tokens */

const { TOKEN_KEY, DATABASE_URL, DATABASE_FILE } = process.env;
if (!TOKEN_KEY && (DATABASE_URL || DATABASE_FILE)) throw new Error('Set TOKEN_KEY: openssl rand -base64 32');
const key = TOKEN_KEY ? Buffer.from(TOKEN_KEY, 'base64') : randomBytes(32);
if (key.length !== 32) throw new Error('TOKEN_KEY has not 32 bytes: openssl rand -base64 32');

/** @param {Tokens} tokens @param {Key} login */
export function encrypt(tokens, { provider, identifier }) {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${provider} ${identifier}`));
  const text = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
}

/** @param {string} encrypted @param {Key} login @returns {Tokens} @throws Error for another key, or another login */
export function decrypt(encrypted, { provider, identifier }) {
  const bytes = Buffer.from(encrypted, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(`${provider} ${identifier}`)).setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8'));
}
