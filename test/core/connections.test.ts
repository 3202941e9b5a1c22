import type { Socket } from 'node:net';
import { expect } from 'chai';
import { closesAfterEach } from '../support/cleanup.js';
import { serveRaw } from '../support/raw-server.js';
import { realSockets } from '../support/real-sockets.js';
import { getRequest, transport } from '../support/transport.js';

const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

describe('connections', () => {
  realSockets();
  const close = closesAfterEach();

  /** A server that answers with the number of the connection and of the request on it. */
  async function counting() {
    const sockets: Socket[] = [];
    const server = close(
      await serveRaw((socket) => {
        const connection = sockets.push(socket);
        let request = 1;
        socket.write(answer(`connection ${connection}, request ${request}`));
        socket.on('data', () => {
          request += 1;
          socket.write(answer(`connection ${connection}, request ${request}`));
        });
      }),
    );
    const ask = async () => (await transport().send(getRequest(`${server.url}/`))).text;
    return { sockets, ask };
  }

  it('requests one after another share a connection', async () => {
    const { ask } = await counting();
    expect(await ask()).to.equal('connection 1, request 1');
    expect(await ask()).to.equal('connection 1, request 2');
    expect(await ask()).to.equal('connection 1, request 3');
  });

  it('an answer that nobody asked for is never taken for the answer to the next request', async () => {
    const { sockets, ask } = await counting();
    expect(await ask()).to.equal('connection 1, request 1');
    const [first] = sockets;
    const closed = new Promise<void>((resolve) => first?.once('close', () => resolve()));
    first?.write(answer('somebody else'));
    await closed;
    expect(await ask()).to.equal('connection 2, request 1');
  });

  it('an answer that comes right behind another one is never taken for the answer to the next request', async () => {
    let connections = 0;
    const server = close(
      await serveRaw((socket) => {
        connections += 1;
        const own = `connection ${connections}`;
        socket.write(answer(own) + answer('somebody else'));
      }),
    );
    const ask = async () => (await transport().send(getRequest(`${server.url}/`))).text;
    expect([await ask(), await ask()]).to.deep.equal(['connection 1', 'connection 2']);
  });
});
