// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();
/** @type {Set<string>} */
const folders = new Set();

// Clean up however this process ends.
process.once('exit', () => {
  for (const child of running) child.kill('SIGINT');
  for (const folder of folders) removeFolder(folder);
});

/**
 * Ensures that a child process ends with this one.
 *
 * @template {ChildProcess} T
 * @param {T} child
 * @returns {T}
 */
export function trackProcess(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Starts a server without root privileges; PostgreSQL refuses to run as root.
 *
 * @param {string} program
 * @param {readonly string[]} options
 * @param {string} folder Its working directory, from {@link makeFolder}
 * @param {'ignore' | 'inherit'} [errors] Handling of its standard error
 */
export function runServer(program, options, folder, errors = 'ignore') {
  const settings = { ...unprivilegedAccount(), cwd: folder };
  return trackProcess(spawn(program, options, { ...settings, stdio: ['ignore', 'ignore', errors] }));
}

/**
 * Ends a process and waits for its exit.
 *
 * @param {ChildProcess | undefined} child
 * @param {NodeJS.Signals} signal
 */
export async function end(child, signal = 'SIGINT') {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** Creates a folder for a server's files. @param {string} name Prefix of the folder's name */
export function makeFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  folders.add(folder);
  const account = unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** @param {string} folder */
export function removeFolder(folder) {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** The account that servers run as when this process is root. */
export function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return undefined;
  const number = (/** @type {string} */ option) =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}
