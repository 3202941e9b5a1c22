import { Agent } from 'node:http';
import { expect } from 'chai';
import { UnreachableError } from '../../lib/core/errors.js';
import { closesAfterEach } from '../support/cleanup.js';
import { serveRaw } from '../support/raw-server.js';
import { realSockets } from '../support/real-sockets.js';
import { network, serve } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { getRequest, transport } from '../support/transport.js';

describe('transport: no answer', () => {
  realSockets();
  const close = closesAfterEach();
  const failureOf = async (url: string, options = {}) => {
    const error = await rejectionOf(transport(options).send(getRequest(url, { step: 'token' })));
    expect(error).to.be.instanceOf(UnreachableError);
    return error as UnreachableError;
  };

  it('S7: a port that nobody listens on is connection_failed with status 502', async () => {
    const server = await serve(() => {});
    await server.close();
    const error = await failureOf(server.url);
    expect(error).to.include({ code: 'connection_failed', status: 502, step: 'token', provider: 'network' });
    expect(error.message).to.equal(
      `network, token: no usable answer from 127.0.0.1:${server.port}: connect ECONNREFUSED 127.0.0.1:${server.port}.`,
    );
    expect(error.cause).to.include({ code: 'ECONNREFUSED' });
  });

  it('a host that does not exist is connection_failed, and says to check the name', async () => {
    const lookup = (_host: string, _options: object, done: (error: Error) => void) =>
      done(Object.assign(new Error('getaddrinfo ENOTFOUND n.example'), { code: 'ENOTFOUND' }));
    const error = await failureOf('http://n.example/token', { agent: new Agent({ lookup } as object) });
    expect(error.code).to.equal('connection_failed');
    expect(error.message).to.equal(
      'network, token: no usable answer from n.example: getaddrinfo ENOTFOUND n.example. Check the host name and DNS; behind a proxy pass the option agent.',
    );
  });

  it('a server that does not speak TLS is tls_failed, and says what to do', async () => {
    const server = close(await network(() => ({})));
    const error = await failureOf(server.url.replace('http:', 'https:'));
    expect(error.code).to.equal('tls_failed');
    expect(error.message).to.include('name it in NODE_EXTRA_CA_CERTS or in the option agent');
  });

  it('a connection that is reset is connection_failed', async () => {
    const server = close(await serveRaw((socket) => socket.resetAndDestroy()));
    expect((await failureOf(server.url)).code).to.equal('connection_failed');
  });

  it('what is no HTTP is connection_failed, and nothing of it is kept', async () => {
    const server = close(await serveRaw((socket) => socket.end('SSH-2.0-secret-0123456789\r\n\r\n')));
    const error = await failureOf(server.url);
    expect(error.code).to.equal('connection_failed');
    expect(JSON.stringify([error.message, error.cause, Object.values(error)])).to.not.include('secret');
  });

  it('an answer that switches to another protocol is connection_failed', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
    const server = close(await serveRaw((socket) => socket.write(head)));
    const error = await failureOf(server.url);
    expect(error.code).to.equal('connection_failed');
    expect(error.message).to.include('the answer switches to another protocol');
  });

  it('S1: the password of a proxy in an agent’s error is not shown', async () => {
    const agent = new Agent();
    Object.assign(agent, {
      createConnection() {
        throw new Error('cannot reach http://user:proxy-password-0123@proxy.example:8080');
      },
    });
    const error = await failureOf('http://n.example/', { agent });
    expect(error.code).to.equal('connection_failed');
    expect(`${error.stack}${String(error.cause)}`).to.not.include('proxy-password-0123');
  });

  it('S1: a secret of the request in an agent’s error is not shown', async () => {
    const agent = new Agent();
    Object.assign(agent, {
      createConnection() {
        throw new Error('refused: token-0123456789');
      },
    });
    const request = getRequest('http://n.example/', { secrets: () => ['token-0123456789'] });
    const error = (await rejectionOf(transport({ agent }).send(request))) as UnreachableError;
    expect(error.message).to.include('refused: [redacted]');
    expect(String(error.cause)).to.not.include('token-0123456789');
  });
});

describe('transport: deadline', () => {
  realSockets();
  const close = closesAfterEach();
  const timeoutOf = async (url: string) =>
    (await rejectionOf(transport({ timeout: 40 }).send(getRequest(url)))) as UnreachableError;

  it('T5: a server that never answers is a timeout with status 504 that names the option', async () => {
    const server = close(await serve(() => {}));
    const error = await timeoutOf(server.url);
    expect(error).to.be.instanceOf(UnreachableError);
    expect(error).to.include({ code: 'timeout', status: 504, statusCode: 504 });
    expect(error.message).to.equal(
      `network, profile: no usable answer from 127.0.0.1:${server.port}: no complete answer in time. The deadline is the option timeout, now 40 milliseconds.`,
    );
  });

  it('T5: a server that drips its body, or its headers, for ever is a timeout', async () => {
    const starts = ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 'HTTP/1.1 200 OK\r\nX-Long: '];
    const drops = ['1\r\na\r\n', 'a'];
    for (const [index, begin] of starts.entries()) {
      const server = close(
        await serveRaw((socket) => {
          socket.write(begin);
          const drip = setInterval(() => socket.write(drops[index] ?? ''), 5);
          socket.on('close', () => clearInterval(drip));
        }),
      );
      expect((await timeoutOf(server.url)).code).to.equal('timeout');
    }
  });

  it('T5: after the deadline the connection is given up', async () => {
    let closed = 0;
    const done = new Promise<void>((resolve) => {
      serveRaw((socket) => {
        socket.on('close', () => {
          closed += 1;
          resolve();
        });
      }).then(
        async (server) => {
          close(server);
          await timeoutOf(server.url);
        },
        () => resolve(),
      );
    });
    await done;
    expect(closed).to.equal(1);
  });
});
