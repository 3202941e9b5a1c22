// @ts-check
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Ports that are free, all different. @param {number} count */
export async function freePorts(count) {
  // All are held until the last is found, so that none comes twice.
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const ports = servers.map(
    (server) => /** @type {import('node:net').AddressInfo} */ (server.address()).port,
  );
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
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
function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
