import { EventEmitter, once } from 'node:events';
import { Agent } from 'node:http';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { heldTimers } from '../../support/clock.js';
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

const agentWith = (socket: Duplex) => Object.assign(new Agent(), { createConnection: () => socket });

describe('the deadline of a request', () => {
  const close = realSockets();

  const timeoutOf = async (url: string) =>
    (await rejectionOf(networkClient({ timeout: 40 }).request(getRequest(url)))) as UnreachableError;

  it('T5: a server that never responds is a timeout with status 504 that names the option', async () => {
    const server = close(await serve(() => {}));
    const error = await timeoutOf(server.url);
    const facts = { code: 'timeout', status: 504, statusCode: 504, retryable: true };
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

  it('a request that fails leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const server = close(await network(() => ({ status: 302, headers: { location: '/' } })));
    const before = timers();
    await rejectionOf(networkClient({ agent: new Agent() }).request(getRequest(server.url)));
    expect(timers()).to.equal(before);
  });

  it('T14: an agent whose socket throws when it is destroyed at the deadline ends the request, not the process', async () => {
    class Socket extends Duplex {
      override _read(): void {}
      override _write(_chunk: unknown, _encoding: string, done: () => void): void {
        done();
      }
      override destroy(): never {
        throw new Error('destroyed with the-secret-of-the-test');
      }
    }
    const secrets = ['the-secret-of-the-test'];
    const client = networkClient({ timeout: 20, agent: agentWith(new Socket()), secrets });
    const error = await rejectionOf(client.request(getRequest('http://127.0.0.1:9/')));
    expect(error).to.be.instanceOf(UnreachableError).and.include({ code: 'timeout' });
  });
});

describe('a deadline that passes', () => {
  const close = realSockets();
  const timers = heldTimers();

  it('T5: closes the connection', async () => {
    const closed: Promise<unknown>[] = [];
    const server = close(
      await serveRaw((socket) => {
        closed.push(once(socket, 'close'));
        timers.pass();
      }),
    );
    const error = await rejectionOf(networkClient().request(getRequest(server.url)));
    expect(error).to.include({ code: 'timeout' });
    expect(await Promise.all(closed)).to.have.length(1);
  });

  it('T5: is that of one request, whatever others do', async () => {
    const arrivals = new EventEmitter();
    const server = close(
      await network(({ path }) => {
        arrivals.emit(path);
        return path === '/ok' ? {} : new Promise<never>(() => {});
      }),
    );
    const ended: string[] = [];
    const sent = new Map<string, Promise<unknown>>();
    for (const name of ['one', 'two', 'ok', 'three']) {
      const arrived = once(arrivals, `/${name}`);
      const sending = networkClient().request(getRequest(`${server.url}/${name}`));
      const ending = name === 'ok' ? sending : rejectionOf(sending);
      sent.set(
        name,
        ending.finally(() => ended.push(name)),
      );
      await arrived;
    }
    expect(await sent.get('ok')).to.include({ status: 200 });
    for (const name of ['one', 'two', 'three']) {
      timers.pass(1);
      expect(await sent.get(name)).to.include({ code: 'timeout' });
    }
    expect(ended).to.deep.equal(['ok', 'one', 'two', 'three']);
  });

  it('T17: a response of many packets that arrived before the deadline counts, even if the process was busy until after it', async () => {
    const responses = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(NETWORK, { eval: true, workerData: responses });
    close({ close: () => thread.terminate() });
    const [port] = (await once(thread, 'message')) as [number];
    const asked = once(thread, 'message');
    const response = networkClient().requestJSON(getRequest(`http://127.0.0.1:${port}/500000`));
    await asked;
    thread.postMessage('respond');
    Atomics.wait(responses, 0, 0);
    timers.pass();
    expect((await response).body.text).to.have.length(500_000);
  });

  for (const [turns, outcome] of [
    [20, 'counts'],
    [40, 'is too late'],
  ] as const) {
    it(`T17: a response that is read in ${turns} turns of the event loop after the deadline ${outcome}`, async () => {
      const writing = new EventEmitter();
      const written = once(writing, 'written');
      class Socket extends Duplex {
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
      const client = networkClient({ agent: agentWith(new Socket()) });
      const sending = client.request(getRequest('http://127.0.0.1:9/')).catch((error: unknown) => error);
      await written;
      timers.pass();
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
    const client = networkClient();
    await client.request(getRequest(`${server.url}/`));
    // An idle connection is read first.
    const sending = rejectionOf(client.request(getRequest(`${server.url}/`)));
    timers.pass();
    expect(await sending).to.include({ code: 'timeout' });
  });
});
