// @ts-check
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/**
 * Below those that systems give to outgoing connections: such a connection could take a port between its choice and its use,
 * or that of an instance while it is away.
 */
const PORTS = { from: 10_000, to: 32_768 };

/** Ports that are free, all different. @param {number} count */
export async function freePorts(count) {
  /** @type {Set<number>} */
  const ports = new Set();
  while (ports.size < count) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

/**
 * Waits until somebody listens.
 *
 * @param {number} port
 * @param {import('node:child_process').ChildProcess} server Who is to listen
 */
export async function isListening(port, server) {
  while (!(await isOpen(port))) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} ended before it listened.`);
    await pause(50);
  }
}

/** @param {number} milliseconds @returns {Promise<void>} */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** @param {number} port @returns {Promise<boolean>} */
function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
