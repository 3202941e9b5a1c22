/** Sessions in a folder, for an application of several processes. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import session from 'express-session';

/** Milliseconds until an answer of the store arrives, as from another machine. Two requests sent at once have both read by then. */
const DISTANCE = 100;

/** @typedef {import('express-session').SessionData} SessionData */

export class SharedSessions extends session.Store {
  #folder;

  /** @param {string} folder */
  constructor(folder) {
    super();
    this.#folder = folder;
  }

  /** @param {string} id @param {(error: unknown, session?: SessionData | null) => void} done */
  get(id, done) {
    this.#read(id).then(
      (found) => done(null, found),
      (error) => done(error),
    );
  }

  /** @param {string} id @param {SessionData} data @param {(error?: unknown) => void} [done] */
  set(id, data, done) {
    this.#write(id, JSON.stringify(data)).then(
      () => done?.(),
      (error) => done?.(error),
    );
  }

  /** @param {string} id @param {(error?: unknown) => void} [done] */
  destroy(id, done) {
    rm(this.#fileOf(id), { force: true }).then(
      () => done?.(),
      (error) => done?.(error),
    );
  }

  /** @param {string} id @returns {Promise<SessionData | null>} */
  async #read(id) {
    const text = await readFile(this.#fileOf(id), 'utf8').catch(() => 'null');
    await delay(DISTANCE);
    return JSON.parse(text);
  }

  /** @param {string} id @param {string} text */
  async #write(id, text) {
    const file = this.#fileOf(id);
    // The other process never reads half a session.
    const draft = `${file}.${process.pid}.${performance.now()}`;
    await writeFile(draft, text);
    await rename(draft, file);
  }

  /** @param {string} id */
  #fileOf(id) {
    return join(this.#folder, `session-${encodeURIComponent(id)}`);
  }
}

/**
 * Marks something as used, for all processes that share a folder.
 *
 * @param {string} folder
 * @returns {(id: string) => Promise<boolean>} Whether it was unused.
 */
export function claimIn(folder) {
  return async (id) => {
    try {
      await writeFile(join(folder, `claim-${encodeURIComponent(id)}`), '', { flag: 'wx' });
      return true;
    } catch {
      return false;
    }
  };
}
