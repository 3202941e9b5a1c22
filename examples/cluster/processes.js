// @ts-check
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const running = /** @type {Set<ChildProcess>} */ (new Set());
const folders = /** @type {Set<string>} */ (new Set());

// Clean up however this process ends.
process.once('exit', () => {
  for (const child of running) child.kill('SIGINT');
  for (const folder of folders) removeFolder(folder);
});

/** Ensures that a child process ends with this one. @template {ChildProcess} T @param {T} child @returns {T} */
function trackProcess(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Starts an instance, and waits until it accepts requests.
 *
 * @param {Readonly<Record<string, string>>} environment
 */
export async function startNode(environment) {
  // Do not pass on this machine's environment, which may contain real credentials.
  const env = { PATH: process.env.PATH, ...environment };
  const child = trackProcess(fork(join(import.meta.dirname, 'instance.js'), [], { env }));
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`An instance did not start: exit code ${code}.`);
  });
  await Promise.race([once(child, 'message'), exit]);
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

/** Ends a process and waits for its exit. @param {ChildProcess | undefined} child @param {NodeJS.Signals} signal */
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
