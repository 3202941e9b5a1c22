import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import { missingIn } from '../spelling.js';
import { DEFAULT_LIFETIME, type LoginStore } from './pending-logins.js';

/** Options of `cookieLogins`. */
export interface CookieLoginsOptions {
  /**
   * One secret or several, each of at least 32 characters, the same in all processes. The first encrypts, all decrypt. To rotate, add the new secret
   * at the end everywhere, then put it first, then drop the old one once its logins have expired.
   *
   * @default a key derived from the client secret of each strategy
   */
  secrets?: string | readonly string[] | undefined;
  /** Milliseconds that a user may take, at most a day. @default 600_000 */
  lifetime?: number | undefined;
  /** Pending logins of one browser; the oldest is dropped first. @default 8 */
  limit?: number | undefined;
  /** Prefix of the cookies' names. Keeps two applications on one host apart. @default 'login' */
  name?: string | undefined;
  /** See {@link LoginStore.claim}. Redis: `async (id, expiresAt) => (await redis.set(id, '1', { NX: true, PXAT: expiresAt })) === 'OK'`. */
  claim?: LoginStore['claim'] | undefined;
}

const SHORTEST_SECRET = 32;
const LONGEST_LIFETIME = 86_400_000;
/** What the keys of pending logins are for; no other key of the same secret is the same. */
const PURPOSE = 'passport-social-networks pending login';

const HOW_TO_MAKE_A_SECRET =
  "Make a secret with: node -p \"require('crypto').randomBytes(32).toString('base64url')\"";

/** The line for a client without a secret that could make the key. */
export const STORE_WITH_SECRET = `store: cookieLogins({ secrets: process.env.LOGIN_SECRET }). ${HOW_TO_MAKE_A_SECRET}`;

export function readOptions(options: CookieLoginsOptions) {
  const { lifetime = DEFAULT_LIFETIME, limit = 8, name = 'login', claim } = options;
  const known = ['secrets', 'lifetime', 'limit', 'name', 'claim'];
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown !== undefined) {
    throw mistake(`there is no option ${unknown}. Its options are ${known.join(', ')}`);
  }
  if (!Number.isInteger(limit) || limit < 1) throw mistake('limit must be a whole number of at least 1');
  if (typeof lifetime !== 'number' || !(lifetime > 0 && lifetime <= LONGEST_LIFETIME)) {
    throw mistake('lifetime must be a positive number of milliseconds, at most a day');
  }
  // It was meant as seconds.
  if (lifetime < 60_000) {
    process.emitWarning(
      `cookieLogins: lifetime is ${lifetime} milliseconds, and hardly a user logs in that fast. For ${lifetime} seconds, give ${lifetime * 1_000}.`,
    );
  }
  if (claim !== undefined && typeof claim !== 'function') throw mistake('claim must be a function');
  if (typeof name !== 'string' || !/^(?!__Host-)[\w.-]+(?<!\.x)$/.test(name)) {
    throw mistake(
      'name must be a string of letters, digits, ".", "-" and "_", without __Host- before and .x behind',
    );
  }
  const keys = 'secrets' in options ? readSecrets(options.secrets).map((secret) => keyFrom(secret)) : [];
  return { lifetime, limit, name, claim, keys };
}

function readSecrets(secrets: unknown): string[] {
  // Array.from turns holes, which `every` would skip, into undefined.
  const list: unknown[] = Array.isArray(secrets) ? Array.from(secrets as unknown[]) : [secrets];
  const isLong = (one: unknown) => typeof one === 'string' && one.trim().length >= SHORTEST_SECRET;
  if (list.length > 0 && list.every(isLong)) {
    const missing = (list as string[]).map(missingIn).find((problem) => problem !== undefined);
    if (missing === undefined) return list as string[];
    throw mistake(`one of the secrets ${missing}`);
  }
  const isUnset = secrets === undefined ? ' It is undefined: is the environment variable set?' : '';
  throw mistake(
    `secrets must be a string of at least ${SHORTEST_SECRET} characters, or several.${isUnset} ${HOW_TO_MAKE_A_SECRET}`,
  );
}

/** A key that no inspection shows. @param owner - Strategy and client ID, if it is a client secret. @see RFC 5869 */
export function keyFrom(secret: string, ...owner: string[]): KeyObject {
  // A digest, because the info of HKDF has at most 1,024 bytes.
  const bound = hash('sha256', JSON.stringify([PURPOSE, ...owner]), 'base64url');
  const info = owner.length === 0 ? PURPOSE : bound;
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', info, 32)));
}

export function mistake(problem: string): TypeError {
  return new TypeError(`cookieLogins: ${problem}.`);
}
