import { DEFAULT_LIFETIME } from './pending-login.js';

const LONGEST_LIFETIME = 86_400_000;

/** What every login store can be told. */
export interface LoginLimits {
  /** How long a person may take, in milliseconds. Default ten minutes, at most a day. */
  lifetime?: number;
  /** Most logins of one browser at once; the oldest goes first. Default 20. */
  limit?: number;
}

/** @throws TypeError that names the store and the option. */
export function readLimits(store: string, { lifetime = DEFAULT_LIFETIME, limit = 20 }: LoginLimits) {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new TypeError(`${store}: limit must be a whole number from 1 on.`);
  }
  if (typeof lifetime !== 'number' || !(lifetime > 0 && lifetime <= LONGEST_LIFETIME)) {
    throw new TypeError(`${store}: lifetime must be a positive number of milliseconds, at most a day.`);
  }
  return { lifetime, limit };
}
