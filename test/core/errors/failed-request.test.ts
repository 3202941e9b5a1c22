import { Agent } from 'node:http';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { UnreachableError } from '../../../lib/core/errors/index.js';
import { Transaction } from '../../../lib/core/http/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, serve, serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

import dns = require('node:dns');

const CONNECT_HINT =
  'Check that this machine may connect to that host and port: a firewall, a proxy (option agent) or IPv6 without a route is the usual cause.';

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
      `network, token: no usable response from 127.0.0.1:${server.port}: ECONNREFUSED 127.0.0.1:${server.port}. ${CONNECT_HINT}`,
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

  it('a host with several addresses that all fail says which ones, and why', async () => {
    const server = await serve(() => {});
    await server.close();
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '::ffff:127.0.0.2', family: 6 },
    ];
    const lookup = mock.method(dns, 'lookup', (...given: unknown[]) =>
      (given.at(-1) as (error: null, found: typeof addresses) => void)(null, addresses),
    );
    close({ close: () => lookup.mock.restore() });
    const error = await failureOf(`http://several.example:${server.port}/`);
    const reasons = `ECONNREFUSED 127.0.0.1:${server.port}, ECONNREFUSED ::ffff:127.0.0.2:${server.port}`;
    expect(error.message).to.equal(
      `network, token: no usable response from several.example:${server.port}: ${reasons}. ${CONNECT_HINT}`,
    );
    expect(error).to.include({ code: 'connection_failed', retryable: true });
    expect(error.cause).to.include({ message: reasons, code: 'ECONNREFUSED' });
  });

  it('a server without TLS is tls_failed, and the error says what to do; a reset is connection_failed', async () => {
    const { url } = close(await network(() => ({})));
    const error = await failureOf(url.replace('http:', 'https:'));
    expect(error.code).to.equal('tls_failed');
    expect(error.message).to.include('check the address and its port, and for a proxy');
    const resetting = close(await serveRaw((socket) => socket.resetAndDestroy()));
    const reset = await failureOf(resetting.url);
    expect(reset).to.include({ code: 'connection_failed', retryable: true });
    expect(reset.message).to.include('ECONNRESET. Try again later.');
  });

  it('a response that is not HTTP is connection_failed, and the error quotes nothing of it', async () => {
    const server = close(await serveRaw((socket) => socket.end('SSH-2.0-secret-0123456789\r\n\r\n')));
    const error = await failureOf(server.url);
    expect(error.code).to.equal('connection_failed');
    expect(JSON.stringify([error.message, error.cause, Object.values(error)])).to.not.include('secret');
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
  const FAILED = 'network, profile: no usable response from n.example: the agent failed.';
  const AGAIN =
    'Try again later. If it stays so, look at the option agent, and for a proxy or a firewall in between.';
  const shown = (error: unknown) => inspect(error, { depth: 9, showHidden: true });

  for (const message of [
    'tunnel through http://user:pr%xy@pass/word@proxy.example:8080/ failed',
    "407 for 'Basic cHJveHktdXNlcjpwcm94eS1wYXNzd29yZA=='",
    "{ auth: 'proxy-user:proxy-password' }",
  ]) {
    it(`S1, S10: ${message} is neither in the message nor in the cause, also of an agent that is set later`, async () => {
      const failure = await agentFailure(new Error(message));
      expect(failure).to.include({ code: 'connection_failed', message: `${FAILED} ${AGAIN}` });
      expect(failure.cause).to.include({ message: 'the agent failed' }).and.not.have.property('code');
      const client = networkClient();
      client.agent = failingAgent(new Error(message));
      const later = (await rejectionOf(client.request(getRequest('http://n.example/')))) as Error;
      expect(later.message).to.equal(`${FAILED} ${AGAIN}`);
      for (const error of [failure, later]) expect(shown(error)).to.not.match(/proxy-|proxy\.|cHJveHk/);
    });
  }

  it('S1: a code that is no system error code is neither in the message nor in the cause', async () => {
    const codes = ['the-secret-0123456789', 'user:password', 'Ebad secret', '', 'A'.repeat(60), 5, ['EPIPE']];
    for (const code of codes) {
      const failure = await agentFailure(Object.assign(new Error('refused'), { code }));
      expect(failure.message).to.equal(`${FAILED} ${AGAIN}`);
      expect(failure.cause).to.be.instanceOf(Error).and.not.have.property('code');
    }
  });

  it('a system error code is in the message and in the cause; a TLS error keeps its hint', async () => {
    const failure = await agentFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(failure.message).to.equal(`${FAILED.replace('the agent failed', 'ECONNREFUSED')} ${CONNECT_HINT}`);
    expect(failure.cause).to.include({ message: 'ECONNREFUSED', code: 'ECONNREFUSED' });
    for (const [code, hint] of [
      [
        'SELF_SIGNED_CERT_IN_CHAIN',
        'If the network or a proxy uses a private certificate authority, name it in',
      ],
      ['CERT_HAS_EXPIRED', "Compare this machine's clock"],
      ['CERT_NOT_YET_VALID', "Compare this machine's clock"],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'Another server answers in place of the host'],
    ] as const) {
      const { code: kind, message } = await agentFailure(Object.assign(new Error('x'), { code }));
      expect(kind).to.equal('tls_failed');
      expect(message).to.include(`n.example: ${code}. ${hint}`);
    }
    for (const [code, meaning] of [
      ['EPROTO', 'tls_failed'],
      ['EPROTOTYPE', 'connection_failed'],
      ['XCERT_A', 'connection_failed'],
    ] as const) {
      expect((await agentFailure(Object.assign(new Error('x'), { code }))).code, code).to.equal(meaning);
    }
  });

  it('S1, S10: a code that repeats a secret, other properties and the cause of the error are left out', async () => {
    const repeating = Object.assign(new Error('x'), { code: 'THE_TOKEN_0123456789' });
    expect(shown(await agentFailure(repeating, ['the_token_0123456789']))).to.not.include('TOKEN');
    const error = Object.assign(new Error('refused', { cause: new Error('cause-0123456789') }), {
      options: { auth: 'property-0123456789' },
    });
    expect(shown(await agentFailure(error))).to.not.include('0123456789');
  });

  it('the reason of a response that was cut short stays, with an agent too', async () => {
    const cut = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc';
    const server = await serveRaw((socket) => socket.end(cut));
    try {
      const failure = await rejectionOf(
        networkClient({ agent: new Agent() }).request(getRequest(server.url)),
      );
      expect(failure).to.include({ code: 'response_cut_short' });
      expect((failure as Error).message).to.include('the response was cut short');
    } finally {
      await server.close();
    }
  });
});
