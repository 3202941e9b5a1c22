import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestServer } from './server.js';

/**
 * Starts a server that calls `respond` with the raw socket when the first bytes of a request arrive.
 *
 * @param connected - Called with each new connection.
 */
export async function serveRaw(
  respond: (socket: Socket) => void,
  connected: (socket: Socket) => void = () => {},
): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    socket.once('data', () => respond(socket));
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
