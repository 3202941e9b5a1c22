import { once } from 'node:events';
import { Agent } from 'node:http';
import { type Duplex, Duplex as Stream } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { serve } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

/** A network in a thread of its own, so that it responds while this thread is busy. */
const NETWORK = `
const { parentPort } = require('node:worker_threads');
const server = require('node:http').createServer((request, response) => {
  setTimeout(() => response.end(JSON.stringify({ text: 'x'.repeat(Number(request.url.slice(1))) })), 50);
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('the deadline of a request', () => {
  realSockets();
  const close = closesAfterEach();

  for (const [size, title] of [
    [10, 'a response'],
    [500_000, 'a response of many packets'],
  ] as const) {
    it(`T17: ${title} that arrived before the deadline counts, even if the process was busy until after it`, async () => {
      const network = new Worker(NETWORK, { eval: true });
      close({ close: () => network.terminate() });
      const [port] = (await once(network, 'message')) as [number];
      const client = networkClient({ timeout: 500 });
      // The connection is there already: the stall must fall between the request and its response.
      await client.requestJSON(getRequest(`http://127.0.0.1:${port}/1`));
      const response = client.requestJSON(getRequest(`http://127.0.0.1:${port}/${size}`));
      await new Promise((resolve) => setTimeout(resolve, 20));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
      expect((await response).body.text).to.have.length(size);
    });
  }

  for (const [turns, outcome] of [
    [20, 'counts'],
    [40, 'is too late'],
  ] as const) {
    it(`T17: a response that is read in ${turns} turns of the event loop after the deadline ${outcome}`, async () => {
      let isWritten: () => void = () => {};
      const written = new Promise<void>((resolve) => {
        isWritten = resolve;
      });
      class Socket extends Stream {
        private readonly parts = [
          `HTTP/1.1 200 OK\r\nContent-Length: ${turns}\r\n\r\n`,
          ...Array.from({ length: turns }, () => 'x'),
        ];

        override _read(): void {}
        override _write(_chunk: unknown, _encoding: string, done: () => void): void {
          done();
          isWritten();
          setImmediate(() => this.pushNext());
        }
        private pushNext(): void {
          this.push(this.parts.shift());
          if (this.parts.length > 0) setImmediate(() => this.pushNext());
        }
      }
      class SlowAgent extends Agent {
        override createConnection(): Duplex {
          return new Socket();
        }
      }
      const client = networkClient({ timeout: 50, agent: new SlowAgent() });
      const sending = client.request(getRequest('http://127.0.0.1:9/')).catch((error: unknown) => error);
      await written;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      const received = await sending;
      if (outcome === 'counts') expect(received).to.include({ text: 'x'.repeat(turns) });
      else expect(received).to.include({ code: 'timeout' });
    });
  }

  it('T5: a deadline that passes before the request can be sent ends it', async () => {
    let requests = 0;
    const server = close(
      await serve((_request, response) => {
        requests += 1;
        if (requests === 1) response.end('{}');
      }),
    );
    const client = networkClient({ timeout: 500 });
    // An idle connection is read first, and the process is busy meanwhile.
    await client.request(getRequest(`${server.url}/`));
    // From here on timers run before the connection has been read.
    await new Promise(setImmediate);
    const sending = rejectionOf(client.request(getRequest(`${server.url}/`)));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    expect(await sending).to.include({ code: 'timeout' });
  });

  it('T14: an agent whose socket throws when it is destroyed at the deadline ends the request, not the process', async () => {
    class Socket extends Stream {
      override _read(): void {}
      override _write(_chunk: unknown, _encoding: string, done: () => void): void {
        done();
      }
      override destroy(): never {
        throw new Error('destroyed with the-secret-of-the-test');
      }
    }
    class BrokenAgent extends Agent {
      override createConnection(): Duplex {
        return new Socket();
      }
    }
    const client = networkClient({
      timeout: 20,
      agent: new BrokenAgent(),
      secrets: ['the-secret-of-the-test'],
    });
    const error = await rejectionOf(client.request(getRequest('http://127.0.0.1:9/')));
    expect(error).to.be.instanceOf(UnreachableError).and.include({ code: 'timeout' });
  });
});
