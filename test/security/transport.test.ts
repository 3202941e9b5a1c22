import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { subjectOf } from '../../lib/check/subject.js';
import type { UnreachableError } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { network } from '../support/server.js';
import { type Endpoint, hostileScene, type Meddling, raw } from './hostile-network.js';

const STEPS: Readonly<Record<Endpoint, string>> = {
  requestTokenURL: 'request token',
  accessTokenURL: 'token',
  tokenURL: 'token',
  profileURL: 'profile',
};
const never = () => new Promise<never>(() => {});

/** One gigabyte as many gzip members, because a single one takes seconds to compress. */
const MEMBER = gzipSync(Buffer.alloc(16 * 1_048_576));
const BOMB = Buffer.concat(Array.from({ length: 64 }, () => MEMBER));

describeEach('a network that misbehaves', (contract) => {
  /** Runs one login per endpoint with its reply replaced. @returns Each error with its number of requests. */
  async function failures(how: Meddling, options: object = {}) {
    const { endpoints } = await hostileScene(contract);
    return Promise.all(
      endpoints.map(async (endpoint) => {
        const scene = await hostileScene(contract, options);
        scene.meddle(endpoint, how);
        const page = await scene.attempt();
        expect(scene.app.endings).to.have.length(1);
        const { error } = scene.app.endings[0] as { error: UnreachableError };
        expect(page.json).to.include({ error: 'UnreachableError', code: error.code });
        expect([page.status, error.step]).to.deep.equal([error.status, STEPS[endpoint]]);
        return { error, requests: scene.seenAt(endpoint).length };
      }),
    );
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`T4: a ${status} at any endpoint is an error that names only the other host, and is not followed`, async () => {
      const other = contract.closing(await network(() => ({ body: {} })));
      const location = `${other.url}/elsewhere?with=a-secret`;
      for (const { error, requests } of await failures(() => ({ status, headers: { location } }))) {
        expect(error.code).to.equal('redirected');
        expect(error.message).to.include(`HTTP ${status} redirects to 127.0.0.1:${other.port}, and`);
        expect(error.message).to.not.include('a-secret').and.not.include('elsewhere');
        expect(requests).to.equal(1);
      }
      expect(other.requests).to.deep.equal([]);
    });
  }

  it('T1: a network whose certificate no trusted authority has signed gets no request', async () => {
    const world = await contract.sandbox({ https: true });
    const server = await contract.app(contract.strategy(world));
    const { provider } = contract.subject;
    const browser = new Browser();
    const started = await browser.get(`${server.url}/login/${provider}`);
    const state = new URL(started.location || server.url).searchParams.get('state');
    const response = `${server.url}/api/auth/callback/${provider}?code=a-code&state=${state}&device_id=a-device`;
    // OAuth 1.0a sends its first request before the redirect.
    const page = started.location === '' ? started : await browser.get(response);
    expect([page.status, page.json.code]).to.deep.equal([502, 'tls_failed']);
    expect(world.requests()).to.deep.equal([]);
  });

  // Milliseconds; long enough for the sandbox's own responses.
  const timeout = 300;

  it('T5: the deadline of a request is ten seconds unless the option timeout sets another', async () => {
    const world = await contract.sandbox();
    const deadlineOf = (options: object) => subjectOf(contract.strategy(world, options))?.timeout;
    expect([deadlineOf({}), deadlineOf({ timeout })]).to.deep.equal([10_000, timeout]);
  });

  it('T5: a network that never responds ends the login at the deadline, which is the option timeout', async () => {
    for (const { error } of await failures(never, { timeout })) {
      expect([error.code, error.status]).to.deep.equal(['timeout', 504]);
      expect(error.message).to.include('The deadline is the option timeout, now 300 milliseconds.');
    }
  });

  it('T5: a network that sends one byte at a time, in headers or body, ends the login at the deadline', async () => {
    const heads = ['HTTP/1.1 200 OK\r\nX-Slow: ', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'];
    const dripping = heads.map((head): Meddling => {
      return (_honest, { socket }) => {
        socket.write(head);
        const drip = setInterval(() => socket.write('x'), 20);
        socket.on('close', () => clearInterval(drip));
        return never();
      };
    });
    const found = await Promise.all(dripping.map((how) => failures(how, { timeout })));
    for (const { error } of found.flat()) {
      expect([error.code, error.status]).to.deep.equal(['timeout', 504]);
    }
  });

  const large = Buffer.alloc(2 * 1_048_576, 'x');
  const largeResponses: Readonly<Record<string, Meddling>> = {
    'two megabytes': () => ({ body: large }),
    'two megabytes without a Content-Length': raw(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n`),
        large,
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    ),
    'two megabytes, announced but never sent': (_honest, { socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2097152\r\n\r\n');
      return never();
    },
    'two megabytes in two kilobytes of gzip': () => ({
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(large),
    }),
    'a gigabyte in a megabyte of gzip': () => ({ headers: { 'content-encoding': 'gzip' }, body: BOMB }),
  };
  for (const [title, how] of Object.entries(largeResponses)) {
    it(`T6: a response of ${title} is too large and is not kept in memory`, async () => {
      const before = process.memoryUsage().arrayBuffers;
      for (const { error } of await failures(how)) {
        expect([error.code, error.status]).to.deep.equal(['response_too_large', 502]);
      }
      expect(process.memoryUsage().arrayBuffers - before).to.be.below(64 * 1_048_576);
    });
  }
});
