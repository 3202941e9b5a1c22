import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { sharedAgents } from '../../../lib/core/http/client.js';
import type { NetworkClient } from '../../../lib/core/http/index.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets, resolving } from '../../support/real-sockets.js';
import { serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';
import { privateAuthority } from '../../support/tls-front.js';

import https = require('node:https');
import tls = require('node:tls');

/** A network, and a proxy that plays it. For each message, it sends somebody else's response on all connections, and counts that. */
const STRAY = new URL(
  `data:text/javascript,${encodeURIComponent(`
import { once } from 'node:events';
import { createServer as createHTTPServer } from 'node:http';
import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
const response = (text) => 'HTTP/1.1 200 OK\\r\\nContent-Length: ' + text.length + '\\r\\n\\r\\n' + text;
const connections = [];
const serve = (socket) => {
  connections.push(socket.on('error', () => {}).on('data', () => socket.write(response('own response'))));
};
const server = createServer(serve);
const proxy = createHTTPServer().on('connect', (_request, socket) => {
  socket.write('HTTP/1.1 200 OK\\r\\n\\r\\n');
  serve(socket);
});
parentPort.on('message', () => {
  for (const socket of connections) if (socket.writable) socket.write(response('somebody else'));
  Atomics.add(workerData, 0, 1);
  Atomics.notify(workerData, 0);
});
await Promise.all([server, proxy].map((one) => once(one.listen(0, '127.0.0.1'), 'listening')));
parentPort.postMessage([server, proxy].map((one) => one.address().port));`)}`,
);

/** A server that accepts no connection for as many milliseconds as the message says, and then responds to each. */
const SLOW = new URL(
  `data:text/javascript,${encodeURIComponent(`
import { once } from 'node:events';
import { createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';
const server = createServer((socket) => {
  socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nslow'));
});
await once(server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }), 'listening');
parentPort.on('message', (pause) => {
  parentPort.postMessage('busy');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
});
parentPort.postMessage(server.address().port);`)}`,
);

const response = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

describe('connections', () => {
  const close = realSockets();

  const ask = async (url: string, client = networkClient()) =>
    (await client.request(getRequest(`${url}/`))).text;

  /** A server that responds with the number of the connection and of the request on it. */
  async function counting() {
    const sockets: Socket[] = [];
    const opened: Socket[] = [];
    const opening = new EventEmitter();
    const connected = once(opening, 'connection') as Promise<[Socket]>;
    const respond = (socket: Socket) => {
      const connection = sockets.push(socket);
      let request = 0;
      const next = () => {
        request += 1;
        socket.write(response(`connection ${connection}, request ${request}`));
      };
      next();
      socket.on('data', next);
    };
    const { url } = close(
      await serveRaw(respond, (socket) => {
        opened.push(socket);
        opening.emit('connection', socket);
      }),
    );
    return { ask: () => ask(url), url, connected, connections: () => opened.length };
  }

  const inner = new Agent({ keepAlive: true });
  /** Gives its requests to another agent. */
  const hiding = {
    keepAlive: true,
    addRequest: (...given: unknown[]) => Reflect.apply(Reflect.get(inner, 'addRequest'), inner, given),
  };
  const AGENTS: Readonly<Record<string, (proxy?: number) => Agent | undefined>> = {
    'a proxy’s agent': (proxy) => new HttpsProxyAgent(`http://127.0.0.1:${proxy}`, { keepAlive: true }),
    'the default agent': () => undefined,
    'an agent that keeps connections': () => new Agent({ keepAlive: true }),
    'an agent with one connection': () => new Agent({ keepAlive: true, maxSockets: 1 }),
    'an agent that lists its connections in another form': () =>
      ({ ...hiding, sockets: [{}, new Set()], freeSockets: [1] }) as unknown as Agent,
    'an agent that fails to list its connections': () => {
      const failing = { get: () => expect.fail('no list') };
      const lists = { sockets: failing, freeSockets: failing, requests: failing };
      return Object.create(hiding, lists) as Agent;
    },
    'an agent that hides its connections in another one': () => hiding as unknown as Agent,
  };
  for (const [kind, agentOf] of Object.entries(AGENTS)) {
    it(`T16: with ${kind}, a response that arrives while the process is busy is never taken for the response to the next request`, async () => {
      const sent = new Int32Array(new SharedArrayBuffer(4));
      const network = new Worker(STRAY, { workerData: sent });
      close({ close: () => network.terminate() });
      const [[port, proxy]] = (await once(network, 'message')) as [[number, number]];
      const client = networkClient({ agent: agentOf(proxy) });
      const ask = async () => (await client.request(getRequest(`http://127.0.0.1:${port}/`))).text;
      for (let login = 0; login < 10; login += 1) {
        expect(await Promise.all([ask(), ask()])).to.deep.equal(['own response', 'own response']);
        network.postMessage('send');
        Atomics.wait(sent, 0, login);
      }
    });
  }

  it('consecutive requests share a connection of an application’s agent', async () => {
    const { url } = await counting();
    const agent = new Agent({ keepAlive: true });
    close({ close: () => agent.destroy() });
    for (const request of [1, 2])
      expect(await ask(url, networkClient({ agent }))).to.equal(`connection 1, request ${request}`);
  });

  it('T16: with an agent that lists no connection, or one for which a request waits, none is used again', async () => {
    const { url } = await counting();
    const hiding = networkClient({ agent: AGENTS['an agent that hides its connections in another one']?.() });
    for (const connection of [1, 2])
      expect(await ask(url, hiding)).to.equal(`connection ${connection}, request 1`);
    const single = networkClient({ agent: AGENTS['an agent with one connection']?.() });
    const texts = await Promise.all([ask(url, single), ask(url, single)]);
    expect(texts).to.deep.equal(['connection 3, request 1', 'connection 4, request 1']);
  });

  it('an idle connection is closed after four seconds', async () => {
    const { ask: again } = await counting();
    await again();
    const agent = sharedAgents['http:'];
    const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    expect(idle.map((socket) => (socket as Socket).timeout)).to.include(4_000);
  });

  it('an address of a host has three seconds for its connection, not the quarter of a second that Node gives it', async () => {
    const network = new Worker(SLOW);
    close({ close: () => network.terminate() });
    const [port] = (await once(network, 'message')) as [number];
    network.postMessage(500);
    await once(network, 'message');
    // The system accepts two connections for the server, and the next one tries again after a second.
    for (let number = 0; number < 2; number += 1) {
      const waiting = connect(port, '127.0.0.1').on('error', () => {});
      close({ close: () => void waiting.destroy() });
      await once(waiting, 'connect');
    }
    const lookups = close(resolving('127.0.0.1', '127.0.0.2'));
    // The server speaks no TLS: a failure to do so means that the connection was made.
    const secure = rejectionOf(ask(`https://two-addresses.example:${port}`));
    expect(await ask(`http://two-addresses.example:${port}`)).to.equal('slow');
    expect(await secure).to.include({ code: 'tls_failed' });
    expect(lookups.count()).to.equal(2);
  });

  async function listenersAfter(requests: number) {
    const { ask: again, url } = await counting();
    for (let request = 0; request < requests; request += 1) await again();
    await new Promise((resolve) => setImmediate(resolve));
    const { host } = new URL(url);
    const { freeSockets } = sharedAgents['http:'];
    const name = Object.keys(freeSockets).find((one) => one.startsWith(host)) ?? '';
    const [socket] = freeSockets[name] ?? [];
    const count = (event: string) => [event, socket?.listenerCount(event)];
    const counts = ['timeout', 'error', 'data', 'end', 'close'].map(count);
    return Object.fromEntries(counts) as Record<string, number | undefined>;
  }

  it('a connection has as many listeners after twenty requests as after one', async () => {
    const first = await listenersAfter(1);
    expect(Object.values(first)).to.not.include(undefined);
    expect(await listenersAfter(20)).to.deep.equal(first);
  });

  it('an error of a connection is reported in the async context of the request that uses it', async () => {
    const context = new AsyncLocalStorage<string>();
    const server = close(
      await serveRaw((socket) => {
        socket.write(response('first'));
        socket.on('data', () => socket.destroy());
      }),
    );
    const seen: unknown[] = [];
    const note = () => void seen.push(context.getStore());
    subscribe('http.client.request.error', note);
    try {
      await context.run('one', () => ask(server.url));
      await context.run('two', () => rejectionOf(ask(server.url)));
    } finally {
      unsubscribe('http.client.request.error', note);
    }
    expect(seen).to.deep.equal(['two']);
  });
});

describe('TLS connections', () => {
  const close = realSockets();

  /** A TLS server that is trusted as long as it runs. */
  async function trustedServer(names: readonly string[], listener: RequestListener) {
    const authority = privateAuthority(names);
    const server = https.createServer({ key: authority.key, cert: authority.cert }, listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ca = readFileSync(authority.file);
    const { connect: original } = tls;
    const connect = mock.method(tls, 'connect', (options: tls.ConnectionOptions) =>
      original({ ...options, ca }),
    );
    close({
      close() {
        connect.mock.restore();
        server.close().closeAllConnections();
        authority.close();
      },
    });
    return { server, connect, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  }

  it('T1: a request with another Host header, which needs another certificate, gets its own connection', async () => {
    const sockets: Socket[] = [];
    const { server, url } = await trustedServer(['IP:127.0.0.1', 'DNS:n.example'], (request, res) => {
      if (!sockets.includes(request.socket)) sockets.push(request.socket);
      res.end(`connection ${sockets.indexOf(request.socket) + 1}`);
    });
    const serverNames: unknown[] = [];
    server.on('secureConnection', (socket) => serverNames.push(socket.servername));
    const elsewhere = networkClient({ customHeaders: { host: 'n.example' } });
    const textFrom = async (client: NetworkClient) => (await client.request(getRequest(url))).text;
    for (let time = 0; time < 2; time += 1) {
      expect(await textFrom(networkClient())).to.equal('connection 1');
      expect(await textFrom(elsewhere)).to.equal('connection 2');
    }
    expect(serverNames).to.deep.equal([false, 'n.example']);
    const stranger = networkClient({ customHeaders: { host: 'other.example' } });
    expect(await rejectionOf(textFrom(stranger))).to.include({ code: 'tls_failed' });
  });
});
