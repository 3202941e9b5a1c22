import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { Transaction } from '../../../lib/core/http/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, serve, serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

describe('requests without a usable response', () => {
  realSockets();
  const close = closesAfterEach();
  const failureOf = async (url: string, options = {}) => {
    const error = await rejectionOf(networkClient(options).request(getRequest(url, { step: 'token' })));
    expect(error).to.be.instanceOf(UnreachableError);
    return error as UnreachableError;
  };

  it('S7: a closed port is connection_failed with status 502', async () => {
    const server = await serve(() => {});
    await server.close();
    const error = await failureOf(server.url);
    expect(error).to.include({ code: 'connection_failed', status: 502, step: 'token', provider: 'network' });
    expect(error.message).to.equal(
      `network, token: no usable response from 127.0.0.1:${server.port}: connect ECONNREFUSED 127.0.0.1:${server.port}.`,
    );
    expect(error.cause).to.include({ code: 'ECONNREFUSED' });
  });

  it('an unknown host is connection_failed, and the error says to check its name', async () => {
    const lookup = (_host: string, _options: object, done: (error: Error) => void) =>
      done(Object.assign(new Error('getaddrinfo ENOTFOUND n.example'), { code: 'ENOTFOUND' }));
    const error = await failureOf('http://n.example/token', { agent: new Agent({ lookup } as object) });
    expect(error.code).to.equal('connection_failed');
    expect(error.message).to.equal(
      'network, token: no usable response from n.example: ENOTFOUND. Check the host name and DNS; behind a proxy pass the option agent.',
    );
  });

  it('a server without TLS is tls_failed, and the error says what to do', async () => {
    const server = close(await network(() => ({})));
    const error = await failureOf(server.url.replace('http:', 'https:'));
    expect(error.code).to.equal('tls_failed');
    expect(error.message).to.include('name it in NODE_EXTRA_CA_CERTS or in the option agent');
  });

  it('a connection that is reset is connection_failed', async () => {
    const server = close(await serveRaw((socket) => socket.resetAndDestroy()));
    expect((await failureOf(server.url)).code).to.equal('connection_failed');
  });

  it('a response that is not HTTP is connection_failed, and the error quotes nothing of it', async () => {
    const server = close(await serveRaw((socket) => socket.end('SSH-2.0-secret-0123456789\r\n\r\n')));
    const error = await failureOf(server.url);
    expect(error.code).to.equal('connection_failed');
    expect(JSON.stringify([error.message, error.cause, Object.values(error)])).to.not.include('secret');
  });

  it('S1: a proxy’s password in an agent’s error is not shown', async () => {
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
});

describe('the deadline of a request', () => {
  realSockets();
  const close = closesAfterEach();
  const timeoutOf = async (url: string) =>
    (await rejectionOf(networkClient({ timeout: 40 }).request(getRequest(url)))) as UnreachableError;

  it('T5: a server that never responds is a timeout with status 504 that names the option', async () => {
    const server = close(await serve(() => {}));
    const error = await timeoutOf(server.url);
    expect(error).to.be.instanceOf(UnreachableError);
    expect(error).to.include({ code: 'timeout', status: 504, statusCode: 504 });
    expect(error.message).to.equal(
      `network, profile: no usable response from 127.0.0.1:${server.port}: no complete response in time. The deadline is the option timeout, now 40 milliseconds.`,
    );
  });

  it('T5: a body or headers that arrive one byte at a time, without end, are a timeout', async () => {
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

  it('T5: after the deadline the connection is closed', async () => {
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

  it('T5, T14: an agent that throws when a request is aborted affects nothing else', async () => {
    const agent = Object.assign(new Agent(), {
      addRequest: (request: object) =>
        Object.assign(request, {
          destroy() {
            throw new Error('the agent has a bug');
          },
        }),
    });
    const server = close(await serve(() => {}));
    const thrown: unknown[] = [];
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => thrown.push(error));
    try {
      const errors = await Promise.all([
        rejectionOf(networkClient({ agent, timeout: 40 }).request(getRequest(server.url))),
        timeoutOf(server.url),
      ]);
      expect(errors.map((error) => (error as UnreachableError).code)).to.deep.equal(['timeout', 'timeout']);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      for (const one of before) process.on('uncaughtException', one);
    }
    expect(thrown).to.deep.equal([]);
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
});

/** An agent that fails before it connects, as a proxy's may. */
function failingAgent(error: Error): Agent {
  return Object.assign(new Agent(), {
    createConnection() {
      throw error;
    },
  });
}

async function agentFailure(error: Error, secrets: readonly string[] = []): Promise<UnreachableError> {
  const sending = networkClient({ agent: failingAgent(error) }).request(
    getRequest('http://n.example/', { transaction: new Transaction(...secrets) }),
  );
  const failure = await rejectionOf(sending);
  expect(failure).to.be.instanceOf(UnreachableError);
  return failure as UnreachableError;
}

describe('errors of agents', () => {
  realSockets();

  it('S10: the message of an application’s agent is neither in the message nor in the cause', async () => {
    for (const message of [
      'tunnel through http://user:pr%xy@pass/word@proxy.example:8080/ failed',
      "407 for 'Basic cHJveHktdXNlcjpwcm94eS1wYXNzd29yZA=='",
      "{ auth: 'proxy-user:proxy-password' }",
    ]) {
      const failure = await agentFailure(new Error(message));
      expect(failure).to.include({
        code: 'connection_failed',
        message: 'network, profile: no usable response from n.example: the agent failed.',
      });
      expect(failure.cause).to.include({ message: 'the agent failed' }).and.not.have.property('code');
    }
  });

  it('S10: the same is true of an agent that is set later', async () => {
    const client = networkClient();
    client.useAgent(failingAgent(new Error('proxy-user:proxy-password')));
    const failure = (await rejectionOf(client.request(getRequest('http://n.example/')))) as Error;
    expect(failure.message).to.equal(
      'network, profile: no usable response from n.example: the agent failed.',
    );
    expect(inspect(failure, { depth: 9, showHidden: true })).to.not.include('proxy-');
  });

  it('S1: a code that is no system error code is neither in the message nor in the cause', async () => {
    const codes = ['the-secret-0123456789', 'user:password', 'Ebad secret', '', 'A'.repeat(60), 5, ['EPIPE']];
    for (const code of codes) {
      const failure = await agentFailure(Object.assign(new Error('refused'), { code }));
      expect(failure.message).to.equal(
        'network, profile: no usable response from n.example: the agent failed.',
      );
      expect(failure.cause).to.be.instanceOf(Error).and.not.have.property('code');
    }
  });

  it('a system error code is in the message and in the cause', async () => {
    const failure = await agentFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(failure.message).to.equal('network, profile: no usable response from n.example: ECONNREFUSED.');
    expect(failure.cause).to.include({ message: 'ECONNREFUSED', code: 'ECONNREFUSED' });
  });

  it('an agent’s TLS error keeps its hint', async () => {
    const failure = await agentFailure(Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }));
    expect(failure.code).to.equal('tls_failed');
    expect(failure.message).to.include('n.example: CERT_HAS_EXPIRED. If the network or a proxy uses');
  });

  it('S10: a code that repeats a secret of the request is left out', async () => {
    const failure = await agentFailure(Object.assign(new Error('x'), { code: 'THE_TOKEN_0123456789' }), [
      'the_token_0123456789',
    ]);
    expect(inspect(failure, { depth: 9, showHidden: true })).to.not.include('TOKEN');
  });

  it('S1: other properties of an agent’s error, and its cause, are left out', async () => {
    const error = Object.assign(new Error('refused', { cause: new Error('cause-0123456789') }), {
      options: { auth: 'property-0123456789' },
    });
    const shown = inspect(await agentFailure(error), { depth: 9, showHidden: true });
    expect(shown).to.not.include('0123456789');
  });

  it('the reason of a response that was cut short stays, with an agent too', async () => {
    const server = await serveRaw((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc');
    });
    try {
      const sending = networkClient({ agent: new Agent() }).request(getRequest(server.url));
      const failure = (await rejectionOf(sending)) as UnreachableError;
      expect(failure.code).to.equal('response_cut_short');
      expect(failure.message).to.include('the response was cut short');
    } finally {
      await server.close();
    }
  });
});
