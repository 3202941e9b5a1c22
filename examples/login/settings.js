// @ts-check
import { join } from 'node:path';
import { StartError } from './errors.js';

/**
 * Settings from the environment. All have defaults, so an empty environment starts the app with the sandbox.
 *
 * @typedef {object} Settings
 * @property {number} port
 * @property {string} host
 * @property {string | undefined} baseURL URL of the app for browsers, without a trailing slash
 * @property {boolean} secure Whether `baseURL` is https
 * @property {string} dataFolder
 * @property {string | undefined} databaseURL
 * @property {string | undefined} redisURL
 * @property {Uint8Array | undefined} encryptionKey 32 bytes
 * @property {string | undefined} sessionSecret
 * @property {string | undefined} loginSecret
 * @property {number | undefined} sandboxPort
 * @property {boolean} isProduction Whether NODE_ENV is production
 * @property {NodeJS.ProcessEnv} environment Contains the networks' credentials
 */

/**
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Settings}
 * @throws {StartError} for a value that cannot be used
 */
export function readSettings(environment) {
  const port = readPort('PORT', environment.PORT) ?? 3000;
  // Local by default, because the sandbox lets anyone log in as any user.
  const host = environment.HOST || '127.0.0.1';
  const isProduction = environment.NODE_ENV === 'production';
  // Without a base URL, redirect URIs follow the Host header, which anybody can send.
  const isLocal = !isProduction && host === '127.0.0.1' && port !== 0;
  const baseURL = readBaseURL(environment.BASE_URL) ?? (isLocal ? `http://${host}:${port}` : undefined);
  return {
    port,
    host,
    baseURL,
    secure: baseURL?.startsWith('https:') ?? false,
    dataFolder: environment.DATA_FOLDER || join(import.meta.dirname, 'data'),
    databaseURL: readURL('DATABASE_URL', environment.DATABASE_URL, ['postgres:', 'postgresql:']),
    redisURL: readURL('REDIS_URL', environment.REDIS_URL, ['redis:', 'rediss:']),
    encryptionKey: environment.ENCRYPTION_KEY
      ? readKey(environment.ENCRYPTION_KEY, 'ENCRYPTION_KEY')
      : undefined,
    sessionSecret: readSecret('SESSION_SECRET', environment.SESSION_SECRET),
    loginSecret: readSecret('LOGIN_SECRET', environment.LOGIN_SECRET),
    sandboxPort: readPort('SANDBOX_PORT', environment.SANDBOX_PORT),
    isProduction,
    environment,
  };
}

/** @param {string} text 32 bytes in base64 or base64url @param {string} origin Source of the key, for the error message */
export function readKey(text, origin) {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return new Uint8Array(key);
  throw new StartError(
    `${origin} is not a key of 32 bytes in base64. Generate one: node -p "crypto.randomBytes(32).toString('base64')"`,
  );
}

/** @param {string} name @param {string | undefined} value */
function readPort(name, value) {
  if (!value) return undefined;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new StartError(`${name} is not a valid port. Set it to a number from 0 (any free port) to 65535.`);
}

/** @param {string | undefined} value */
function readBaseURL(value) {
  if (!value) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url.origin;
  throw new StartError(
    'BASE_URL must be a scheme and host without a path, such as https://login.example.com',
  );
}

/** @param {string} name @param {string | undefined} value @param {string[]} schemes */
function readURL(name, value, schemes) {
  if (!value) return undefined;
  if (URL.canParse(value) && schemes.includes(new URL(value).protocol)) return value;
  throw new StartError(`${name} must be a URL that begins with ${schemes.join('// or ')}//.`);
}

/** @param {string} name @param {string | undefined} value */
function readSecret(name, value) {
  if (!value) return undefined;
  if (value.length >= 32) return value;
  throw new StartError(
    `${name} must have at least 32 characters. Generate one: node -p "crypto.randomBytes(32).toString('base64')"`,
  );
}
