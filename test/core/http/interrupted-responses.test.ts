import type { Socket } from 'node:net';
import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

const START = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

describe('interrupted responses', () => {
  realSockets();
  const close = closesAfterEach();

  async function failureOf(respond: (socket: Socket) => void, changes = {}, options = {}) {
    let count = 0;
    const { url } = close(
      await serveRaw((socket) => {
        count += 1;
        respond(socket);
      }),
    );
    const error = await rejectionOf(networkClient(options).request(getRequest(url, changes)));
    expect(error).to.be.instanceOf(UnreachableError);
    return { error: error as UnreachableError, count };
  }

  const cuts: Readonly<Record<string, (socket: Socket) => void>> = {
    'before its announced length': (socket) => socket.end(`${START}Content-Length: 20\r\n\r\n{"id":`),
    'between two chunks': (socket) => socket.end(`${START}Transfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n`),
    'within a chunk': (socket) => socket.end(`${START}Transfer-Encoding: chunked\r\n\r\n9\r\n{"id":`),
    'by a reset after its length': (socket) => {
      socket.write(`${START}Content-Length: 20\r\n\r\n{"id":`, () => {
        setTimeout(() => socket.resetAndDestroy(), 20);
      });
    },
    'by a reset within its chunks': (socket) => {
      socket.write(`${START}Transfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n`, () => {
        setTimeout(() => socket.resetAndDestroy(), 20);
      });
    },
  };
  for (const [title, respond] of Object.entries(cuts)) {
    it(`T7: a response that is cut ${title} is response_cut_short`, async () => {
      const { error } = await failureOf(respond);
      expect([error.code, error.status]).to.deep.equal(['response_cut_short', 502]);
      expect(error.message).to.include('the response was cut short');
    });
  }

  it('T7: a GET with retries is repeated after a response that was cut short', async () => {
    const { error, count } = await failureOf(cuts['before its announced length'] ?? (() => {}), {
      retries: 1,
    });
    expect([error.code, count]).to.deep.equal(['response_cut_short', 2]);
  });

  it('T7: a response that switches to another protocol is connection_failed at once', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const { error } = await failureOf((socket) => socket.write(switching), {}, { timeout: 9_000 });
    expect([error.code, error.status]).to.deep.equal(['connection_failed', 502]);
    expect(error.message).to.include('the response switches to another protocol');
  });

  it('T7: a body in a hundred thousand chunks of one byte is read completely', async () => {
    const body = Array.from({ length: 100_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join(
      '',
    );
    const { url } = close(
      await serveRaw((socket) => {
        const chunks = Array.from(body, (letter) => `1\r\n${letter}\r\n`).join('');
        socket.end(`${START}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
      }),
    );
    const { text, wellFormed } = await networkClient().request(getRequest(url));
    expect(wellFormed).to.equal(true);
    expect(text === body).to.equal(true);
  });

  it('T15: a reset is reported as such if there is no time left for a retry', async () => {
    const { error, count } = await failureOf(
      (socket) => socket.resetAndDestroy(),
      { retries: 2 },
      { timeout: 190 },
    );
    expect([error.code, error.status, count]).to.deep.equal(['connection_failed', 502, 1]);
    expect(error.message).to.not.include('timeout');
    expect(error.cause).to.include({ code: 'ECONNRESET' });
  });
});
