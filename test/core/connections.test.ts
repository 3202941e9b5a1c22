import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { mock } from 'node:test';
import { createServer as createTLSServer } from 'node:tls';
import { expect } from 'chai';
import { sharedAgent } from '../../lib/core/connections.js';
import { ShortVideoStrategy } from '../../lib/index.js';
import { privateAuthority } from '../guides/tls-front.js';
import { TOKEN_ANSWER } from '../short-video/network.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { start } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { serveRaw } from '../support/raw-server.js';
import { realSockets } from '../support/real-sockets.js';
import { network, serve } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { getRequest, transport } from '../support/transport.js';

import https = require('node:https');
import tls = require('node:tls');

const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

describe('connections', () => {
  realSockets();
  const close = closesAfterEach();

  /** A server that answers with the number of the connection and of the request on it. */
  async function counting() {
    const sockets: Socket[] = [];
    let connections = 0;
    let connect: (socket: Socket) => void = () => {};
    const connected = new Promise<Socket>((resolve) => {
      connect = resolve;
    });
    const server = close(
      await serveRaw(
        (socket) => {
          const connection = sockets.push(socket);
          let request = 1;
          socket.write(answer(`connection ${connection}, request ${request}`));
          socket.on('data', () => {
            request += 1;
            socket.write(answer(`connection ${connection}, request ${request}`));
          });
        },
        (socket) => {
          connections += 1;
          connect(socket);
        },
      ),
    );
    const ask = async () => (await transport().send(getRequest(`${server.url}/`))).text;
    return { sockets, ask, url: server.url, connected, connections: () => connections };
  }

  it('requests one after another share a connection', async () => {
    const { ask } = await counting();
    expect(await ask()).to.equal('connection 1, request 1');
    expect(await ask()).to.equal('connection 1, request 2');
    expect(await ask()).to.equal('connection 1, request 3');
  });

  it('an answer that nobody asked for is never taken for the answer to the next request', async function () {
    // A free connection is closed after four seconds anyway.
    this.timeout(2_000);
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

  it('a connection that was opened beforehand carries the next request, and the ones after it', async () => {
    const { sockets, ask, url } = await counting();
    transport().prepare(url);
    transport().prepare(url);
    expect(await ask()).to.equal('connection 1, request 1');
    transport().prepare(url);
    expect(await ask()).to.equal('connection 1, request 2');
    expect(sockets).to.have.length(1);
  });

  it('an answer on a connection that was opened beforehand is nobody’s', async function () {
    this.timeout(2_000);
    const { sockets, ask, url, connected } = await counting();
    transport().prepare(url);
    const early = await connected;
    const closed = new Promise<void>((resolve) => early.once('close', () => resolve()));
    early.write(answer('somebody else'));
    await closed;
    expect(await ask()).to.equal('connection 1, request 1');
    expect(sockets).to.have.length(1);
  });

  it('a connection that was opened beforehand and has closed meanwhile carries nothing', async () => {
    const { ask, url, connected } = await counting();
    transport().prepare(url);
    const early = await connected;
    const closed = new Promise<void>((resolve) => early.once('close', () => resolve()));
    early.end();
    await closed;
    expect(await ask()).to.equal('connection 1, request 1');
  });

  it('a connection that was opened beforehand is, once used, like any other: nothing is left to strike a later request', async () => {
    const listeners = async (isPrepared: boolean) => {
      const { ask, url } = await counting();
      if (isPrepared) transport().prepare(url);
      await ask();
      await new Promise((resolve) => setImmediate(resolve));
      const { host } = new URL(url);
      const [socket] = sharedAgent(new URL(url)).freeSockets[host] ?? [];
      return ['timeout', 'error', 'data', 'end'].map((event) => socket?.listenerCount(event));
    };
    const ordinary = await listeners(false);
    expect(ordinary).to.not.include(undefined);
    expect(await listeners(true)).to.deep.equal(ordinary);
  });

  it('T1: a connection that is opened beforehand asks for the host by its name', async () => {
    let tell: (name: string) => void = () => {};
    const asked = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const server = createTLSServer({
      SNICallback: (name, done) => {
        tell(name);
        done(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close({ close: async () => void server.close() });
    transport().prepare(`https://localhost:${(server.address() as AddressInfo).port}/`);
    expect(await asked).to.equal('localhost');
  });

  it('what happens to a connection happens in the context of the request that uses it', async () => {
    const context = new AsyncLocalStorage<string>();
    const server = close(
      await serveRaw((socket) => {
        socket.write(answer('first'));
        socket.on('data', () => socket.destroy());
      }),
    );
    const seen: unknown[] = [];
    const note = () => void seen.push(context.getStore());
    subscribe('http.client.request.error', note);
    try {
      const ask = () => transport().send(getRequest(`${server.url}/`));
      await context.run('one', ask);
      await context.run('two', () => rejectionOf(ask()));
    } finally {
      unsubscribe('http.client.request.error', note);
    }
    expect(seen).to.deep.equal(['two']);
  });

  it('T1: a request under another host’s name, which needs another certificate, gets a connection of its own', async () => {
    const { ask, url, connections } = await counting();
    const elsewhere = transport({ customHeaders: { host: 'n.example' } });
    const askElsewhere = async () => (await elsewhere.send(getRequest(`${url}/`))).text;
    expect(await ask()).to.equal('connection 1, request 1');
    expect(await askElsewhere()).to.equal('connection 2, request 1');
    expect(await ask()).to.equal('connection 1, request 2');
    expect(await askElsewhere()).to.equal('connection 2, request 2');
    expect(connections()).to.equal(2);
  });

  it('with a Host header of the application’s own, no connection is opened beforehand', async () => {
    const { sockets, ask, url } = await counting();
    transport({ customHeaders: { Host: 'n.example' } }).prepare(url);
    expect(await ask()).to.equal('connection 1, request 1');
    expect(sockets).to.have.length(1);
  });

  it('a connection opened beforehand goes on with the TLS session of an earlier one', async () => {
    const authority = privateAuthority(['IP:127.0.0.1']);
    const isResumed: boolean[] = [];
    const server = https.createServer({ key: authority.key, cert: authority.cert }, (_request, response) =>
      response.setHeader('connection', 'close').end('{}'),
    );
    server.on('secureConnection', (socket) => isResumed.push(socket.isSessionReused()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ca = readFileSync(authority.file);
    const { connect } = tls;
    const trusting = mock.method(tls, 'connect', (options: tls.ConnectionOptions) =>
      connect({ ...options, ca }),
    );
    try {
      for (let login = 0; login < 2; login += 1) {
        transport().prepare(url);
        await transport().send(getRequest(url));
      }
      expect(isResumed).to.deep.equal([false, true]);
      expect(trusting.mock.callCount()).to.equal(2);
    } finally {
      trusting.mock.restore();
      server.close();
      authority.remove();
    }
  });

  it('a connection that fails at once beforehand is an error of nothing', () => {
    const url = 'https://127.0.0.1:9/';
    const connect = mock.method(tls, 'connect', () => {
      throw new Error('no sockets today');
    });
    try {
      expect(() => transport().prepare(url)).to.not.throw();
      expect(connect.mock.callCount()).to.equal(1);
    } finally {
      connect.mock.restore();
    }
  });

  it('a connection that cannot be opened beforehand is an error of the request, and of nothing else', async () => {
    const gone = await serve(() => {});
    await gone.close();
    transport().prepare(gone.url);
    transport().prepare('https://127.0.0.1:9/');
    transport().prepare(`http://[::1]:${gone.port}/`);
    const error = await rejectionOf(transport().send(getRequest(gone.url)));
    expect(error).to.include({ name: 'UnreachableError', code: 'connection_failed' });
    await rejectionOf(transport().send(getRequest(`http://[::1]:${gone.port}/`)));
  });

  it('an application’s own agent opens its connections itself', async () => {
    const { sockets, ask, url } = await counting();
    const agent = new Agent({ keepAlive: true });
    transport({ agent }).prepare(url);
    expect(await ask()).to.equal('connection 1, request 1');
    expect(sockets).to.have.length(1);
    agent.destroy();
  });

  it('where the profile may be left out, no connection is opened for it', async () => {
    const { connections, url } = await counting();
    const tokens = close(await network(() => ({ body: TOKEN_ANSWER })));
    const app = close(
      await loginApp(
        new ShortVideoStrategy(
          {
            clientID: 'CLIENT',
            clientSecret: 'CLIENT-SECRET',
            authorizationURL: `${tokens.url}/authorize`,
            tokenURL: `${tokens.url}/token`,
            profileURL: `${url}/profile`,
            skipUserProfile: async () => true,
          },
          (_token, _refresh, _profile, done) => done(null, { id: 'nobody knows' }),
        ),
      ),
    );
    const browser = new Browser();
    const { searchParams } = new URL(await start(browser, app, 'short-video'));
    const query = new URLSearchParams({ code: 'CODE', state: searchParams.get('state') ?? '' });
    const page = await browser.get(`${app.url}/api/auth/callback/short-video?${query.toString()}`);
    expect(page.json.user).to.deep.equal({ id: 'nobody knows' });
    expect(connections()).to.equal(0);
  });

  it('the profile’s connection is opened while the token is on its way', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const profiles = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: { user: { open_id: 'PERSON' } }, error: { code: 'ok' } }));
    });
    profiles.on('connection', () => arrive());
    await new Promise<void>((resolve) => profiles.listen(0, '127.0.0.1', resolve));
    close({ close: async () => profiles.close().closeAllConnections() });
    const { port } = profiles.address() as AddressInfo;
    // Answers only when somebody has connected to the other host.
    const tokens = close(
      await network(async () => {
        await arrived;
        return { body: { ...TOKEN_ANSWER, open_id: 'PERSON' } };
      }),
    );
    const strategy = new ShortVideoStrategy(
      {
        clientID: 'CLIENT',
        clientSecret: 'CLIENT-SECRET',
        authorizationURL: `${tokens.url}/authorize`,
        tokenURL: `${tokens.url}/token`,
        profileURL: `http://127.0.0.1:${port}/profile`,
      },
      (_token, _refresh, { id }, done) => done(null, { id }),
    );
    const app = close(await loginApp(strategy));
    const browser = new Browser();
    const { searchParams } = new URL(await start(browser, app, 'short-video'));
    const query = new URLSearchParams({ code: 'CODE', state: searchParams.get('state') ?? '' });
    const page = await browser.get(`${app.url}/api/auth/callback/short-video?${query.toString()}`);
    expect(page.json.user).to.deep.equal({ id: 'PERSON' });
  });
});
