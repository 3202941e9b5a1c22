// @ts-check
import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf, StartError } from './start-error.js';

/** The folder in which the app keeps its embedded database and the secrets that it made itself. */
export class DataFolder {
  /** @param {string} path Of a folder that exists */
  constructor(path) {
    this.path = path;
  }

  /**
   * Opens the folder, and creates it where there is none, for nobody but its owner.
   *
   * @param {string} path
   * @throws {StartError} when there cannot be such a folder
   */
  static async open(path) {
    try {
      await mkdir(path, { recursive: true });
      await chmod(path, 0o700);
      return new DataFolder(await realpath(path));
    } catch (error) {
      throw new StartError(
        `The data folder ${path} cannot be used (${reasonOf(error)}). Name another one in DATA_FOLDER.`,
      );
    }
  }

  /**
   * A secret that was kept earlier.
   *
   * @param {string} name
   * @returns {Promise<string | undefined>}
   */
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
   * Keeps a secret, unless another process was faster.
   *
   * @param {string} name
   * @param {string} secret
   * @returns {Promise<string>} The secret that is kept now
   */
  async keepSecret(name, secret) {
    const path = join(this.path, name);
    const draft = `${path}.${randomUUID()}`;
    // A link appears with its whole content or not at all, even when the process is killed right here.
    await writeFile(draft, secret, { mode: 0o600, flag: 'wx' });
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
    return (await this.readSecret(name)) ?? secret;
  }

  /**
   * Makes this process the only one that uses the folder: two embedded databases over the same files would ruin them.
   *
   * The lock is a socket, because the system itself ends it with the process, however that ends.
   *
   * @throws {StartError} when another process has the lock
   */
  async lock() {
    const name = `login-example-${createHash('sha256').update(this.path).digest('hex').slice(0, 24)}`;
    const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
    if (await takeLock(path)) return;
    if (await isAnswered(path)) {
      throw new StartError(
        `Another process uses the data folder ${this.path}. Stop it, or name another folder in DATA_FOLDER.`,
      );
    }
    // Left behind by a process that was killed.
    await rm(path, { force: true });
    if (!(await takeLock(path))) {
      throw new StartError(
        `The data folder ${this.path} cannot be locked. Remove ${path}, or name another folder in DATA_FOLDER.`,
      );
    }
  }
}

/** @param {string} path @returns {Promise<boolean>} */
function takeLock(path) {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(false));
    server.listen(path, () => resolve(true)).unref();
    // Whoever comes next finds nothing, rather than a socket that nobody answers.
    server.once('listening', () => process.once('exit', () => rmSync(path, { force: true })));
  });
}

/** @param {string} path @returns {Promise<boolean>} */
function isAnswered(path) {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
