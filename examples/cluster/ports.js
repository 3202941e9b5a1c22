// @ts-check
import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

/**
 * Below the ephemeral range. An outgoing connection could otherwise take a port before it is used, or an instance's port while
 * the instance is down.
 */
const PORTS = { from: 10_000, to: 32_768 };

/** Finds distinct free ports. @param {number} count */
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
 * Waits until a server listens on the port.
 *
 * @param {number} port
 * @param {import('node:child_process').ChildProcess} server
 */
export async function waitForPort(port, server) {
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
