// @ts-check
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { reasonOf, StartError } from './errors.js';

/** The folder for the embedded database and the secrets that the app generated. */
export class DataFolder {
  /** @param {string} path An existing folder */
  constructor(path) {
    this.path = path;
  }

  /**
   * Opens the folder, creating it if necessary. Only its owner has access.
   *
   * @param {string} path
   * @throws {StartError} if the folder cannot be used
   */
  static async open(path) {
    try {
      await mkdir(path, { recursive: true });
      await chmod(path, 0o700);
      return new DataFolder(await realpath(path));
    } catch (error) {
      throw new StartError(
        `The data folder ${path} cannot be used (${reasonOf(error)}). Set DATA_FOLDER to another folder.`,
      );
    }
  }

  /** Reads a stored secret. @param {string} name @returns {Promise<string | undefined>} */
  async readSecret(name) {
    try {
      return await readFile(join(this.path, name), 'utf8');
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
      throw new StartError(
        `The file ${join(this.path, name)} cannot be read (${reasonOf(error)}). Make it readable for this user.`,
      );
    }
  }

  /**
   * Stores a secret, unless another process was faster.
   *
   * @param {string} name
   * @param {string} secret
   * @returns {Promise<string>} The secret that is stored now
   */
  async storeSecret(name, secret) {
    const path = join(this.path, name);
    const draft = `${path}.${randomUUID()}`;
    // Linking is atomic: even if the process is killed here, the file is complete or absent.
    await writeFile(draft, secret, { mode: 0o600, flag: 'wx' });
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
    return (await this.readSecret(name)) ?? secret;
  }

  /** Reads a secret, and generates it once. @param {string} name */
  async ownSecret(name) {
    return (await this.readSecret(name)) ?? this.storeSecret(name, randomBytes(32).toString('base64'));
  }

  /** The socket lies in the folder, because processes may have different temporary folders. */
  lockPath() {
    if (process.platform === 'win32') {
      return `\\\\.\\pipe\\login-example-${createHash('sha256').update(this.path).digest('hex')}`;
    }
    const path = join(this.path, 'lock');
    // The system limits a socket's path to about 100 bytes.
    return path.length < 100 ? path : relative(process.cwd(), path);
  }

  /**
   * Locks the folder for this process, because two embedded databases would corrupt the same files.
   *
   * The lock is a socket, which the system releases however the process ends.
   *
   * @throws {StartError} if another process holds the lock
   */
  async lock() {
    const path = this.lockPath();
    if (await acquireLock(path)) return;
    if (await isLocked(path)) {
      throw new StartError(
        `Another process uses the data folder ${this.path}. Stop it, or set DATA_FOLDER to another folder.`,
      );
    }
    // A process that was killed left the socket behind.
    await rm(path, { force: true });
    if (!(await acquireLock(path))) {
      throw new StartError(
        `The data folder ${this.path} cannot be locked. Remove ${path}, or set DATA_FOLDER to another folder.`,
      );
    }
  }
}

/** @param {string} path @returns {Promise<boolean>} */
function acquireLock(path) {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(false));
    server.listen(path, () => resolve(true)).unref();
    // Remove the socket on exit, so that the next process finds no stale one.
    server.once('listening', () => process.once('exit', () => rmSync(path, { force: true })));
  });
}

/** @param {string} path @returns {Promise<boolean>} */
function isLocked(path) {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
