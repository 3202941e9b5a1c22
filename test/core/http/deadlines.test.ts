import { EventEmitter, once } from 'node:events';
import { Agent } from 'node:http';
import { type Duplex, Duplex as Stream } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, serve, serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

/** A network in a thread of its own, so that it responds while this thread is busy. It counts its responses. */
const NETWORK = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:http').createServer((request, response) => {
  parentPort.postMessage(request.url);
  parentPort.once('message', () => {
    response.end(JSON.stringify({ text: 'x'.repeat(Number(request.url.slice(1))) }), () => {
      Atomics.add(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('the deadline of a request', () => {
  realSockets();
  const close = closesAfterEach();

  const timeoutOf = async (url: string) =>
    (await rejectionOf(networkClient({ timeout: 40 }).request(getRequest(url)))) as UnreachableError;

  it('T5: a server that never responds is a timeout with status 504 that names the option', async () => {
    const server = close(await serve(() => {}));
    const error = await timeoutOf(server.url);
    const facts = { code: 'timeout', status: 504, statusCode: 504 };
    expect(error).to.be.instanceOf(UnreachableError).and.include(facts);
    expect(error.message).to.equal(
      `network, profile: no usable response from 127.0.0.1:${server.port}: no complete response in time. The deadline is the option timeout, now 40 milliseconds.`,
    );
  });

  it('T5: a body or headers that arrive one byte at a time, without end, are a timeout', async () => {
    for (const [begin, drop] of [
      ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n'],
      ['HTTP/1.1 200 OK\r\nX-Long: ', 'a'],
    ] as const) {
      const server = close(
        await serveRaw((socket) => {
          socket.write(begin);
          const drip = setInterval(() => socket.write(drop), 5);
          socket.on('close', () => clearInterval(drip));
        }),
      );
      expect((await timeoutOf(server.url)).code).to.equal('timeout');
    }
  });

  it('T5: after the deadline the connection is closed', async () => {
    const closed: Promise<unknown>[] = [];
    const server = close(await serveRaw((socket) => closed.push(once(socket, 'close'))));
    await timeoutOf(server.url);
    expect(await Promise.all(closed)).to.have.length(1);
  });

  it('T5: each request has its own deadline, whatever others do', async () => {
    const server = close(await network(({ path }) => (path === '/ok' ? {} : new Promise<never>(() => {}))));
    const ended: string[] = [];
    const send = async (name: string) => {
      const begun = performance.now();
      const sending = networkClient({ timeout: 1_000 }).request(getRequest(`${server.url}/${name}`));
      const error = name === 'ok' ? await sending : await rejectionOf(sending);
      ended.push(name);
      return { error, duration: performance.now() - begun };
    };
    const sent = [];
    for (const name of ['one', 'two', 'ok', 'three']) {
      sent.push(send(name));
      await sleep(20);
    }
    const [one, two, ok, three] = await Promise.all(sent);
    expect(ended).to.deep.equal(['ok', 'one', 'two', 'three']);
    expect(ok?.error).to.include({ status: 200 });
    for (const late of [one, two, three]) {
      expect(late?.error).to.include({ code: 'timeout' });
      expect(late?.duration).to.be.at.least(980);
    }
  });

  it('a request has one timer, and leaves none behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const agent = new Agent();
    let during = 0;
    const server = close(
      await network(({ path }) => {
        during = timers();
        return { status: path === '/ok' ? 200 : 302, headers: { location: '/' } };
      }),
    );
    const before = timers();
    await networkClient({ agent }).request(getRequest(`${server.url}/ok`));
    expect([during, timers()]).to.deep.equal([before + 1, before]);
    await rejectionOf(networkClient({ agent }).request(getRequest(`${server.url}/moved`)));
    expect([during, timers()]).to.deep.equal([before + 1, before]);
  });

  for (const [size, title] of [
    [10, 'a response'],
    [500_000, 'a response of many packets'],
  ] as const) {
    it(`T17: ${title} that arrived before the deadline counts, even if the process was busy until after it`, async () => {
      const responses = new Int32Array(new SharedArrayBuffer(4));
      const thread = new Worker(NETWORK, { eval: true, workerData: responses });
      close({ close: () => thread.terminate() });
      const [port] = (await once(thread, 'message')) as [number];
      const asked = once(thread, 'message');
      const response = networkClient({ timeout: 500 }).requestJSON(
        getRequest(`http://127.0.0.1:${port}/${size}`),
      );
      await asked;
      thread.postMessage('respond');
      Atomics.wait(responses, 0, 0);
      Atomics.wait(responses, 0, 1, 600);
      expect((await response).body.text).to.have.length(size);
    });
  }

  for (const [turns, outcome] of [
    [20, 'counts'],
    [40, 'is too late'],
  ] as const) {
    it(`T17: a response that is read in ${turns} turns of the event loop after the deadline ${outcome}`, async () => {
      const writing = new EventEmitter();
      const written = once(writing, 'written');
      class Socket extends Stream {
        private readonly parts = [
          `HTTP/1.1 200 OK\r\nContent-Length: ${turns}\r\n\r\n`,
          ...Array.from({ length: turns }, () => 'x'),
        ];

        override _read(): void {}
        override _write(_chunk: unknown, _encoding: string, done: () => void): void {
          done();
          writing.emit('written');
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
