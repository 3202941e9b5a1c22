import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { expect } from 'chai';
import { clock } from '../../../lib/core/application-code.js';
import type { ProviderError } from '../../../lib/core/errors/index.js';
import { retryAfterSeconds } from '../../../lib/core/errors/index.js';
import type { NetworkRequest } from '../../../lib/core/http/index.js';
import { fakeClock, heldTimers } from '../../support/clock.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

describe('retries', () => {
  const close = realSockets();

  const timers = heldTimers();
  // Pauses are recorded, not waited for.
  let pauses: number[] = [];
  beforeEach(() => {
    pauses = [];
    mock.method(clock, 'delay', async (milliseconds: number) => void pauses.push(milliseconds));
  });

  /** Sends a request to a network that replies in turn; the last reply is repeated. */
  async function sendTo(replies: readonly Reply[], changes: Partial<NetworkRequest>, options = {}) {
    let count = 0;
    const server = close(
      await network(() => {
        count += 1;
        return replies[Math.min(count, replies.length) - 1] ?? {};
      }),
    );
    const response = await networkClient(options)
      .request(getRequest(server.url, changes))
      .catch((error: ProviderError) => error);
    const [status, text] = 'text' in response ? [response.status, response.text] : [response.networkStatus];
    return { status, text, count };
  }

  const POST = { method: 'POST', form: { code: 'c' } };
  for (const status of [502, 503, 504]) {
    it(`T15: a GET that gets a ${status} is repeated twice at most, a POST never`, async () => {
      expect(await sendTo([{ status }], { retries: 2 })).to.include({ status, count: 3 });
      expect(await sendTo([{ status }], { ...POST, retries: 2 })).to.include({ status, count: 1 });
    });
  }

  it('T15: a GET is not repeated with other statuses, nor unless the request says so', async () => {
    for (const status of [200, 400, 401, 404, 429, 500, 501]) {
      expect((await sendTo([{ status }], { retries: 2 })).count).to.equal(1);
    }
    expect((await sendTo([{ status: 503 }], {})).count).to.equal(1);
  });

  it('T15: the pauses grow, and are spread by a quarter', async () => {
    await sendTo([{ status: 503 }], { retries: 2 });
    expect(pauses).to.have.length(2);
    expect(pauses[0]).to.be.within(200, 250);
    expect(pauses[1]).to.be.within(400, 500);
  });

  it('T15: Retry-After sets the pause; more than two seconds, or than the deadline leaves, are not waited for', async () => {
    const busyFor = (seconds: string) => ({ status: 503, headers: { 'retry-after': seconds } });
    const ending = await sendTo([busyFor('1'), { body: 'here' }], { retries: 2 });
    expect(ending).to.deep.equal({ status: 200, text: 'here', count: 2 });
    expect(pauses).to.have.length(1);
    expect(pauses.pop()).to.be.within(1_000, 1_250);
    for (const [reply, options] of [
      [busyFor('3'), {}],
      [busyFor('2'), { timeout: 1_999 }],
    ] as const) {
      expect(await sendTo([reply], { retries: 2 }, options)).to.include({ status: 503, count: 1 });
      expect(pauses).to.deep.equal([]);
    }
  });

  it('T15: a GET whose connection breaks is repeated, a POST is not', async () => {
    for (const [method, expected] of [
      ['GET', 3],
      ['POST', 1],
    ] as const) {
      let count = 0;
      const breaking = (socket: Socket) => {
        count += 1;
        socket.resetAndDestroy();
      };
      const { url } = close(await serveRaw(breaking));
      const error = await rejectionOf(networkClient().request(getRequest(url, { method, retries: 2 })));
      expect(error).to.include({ code: 'connection_failed' });
      expect([method, count]).to.deep.equal([method, expected]);
    }
  });

  it('T15: redirects, timeouts and responses that are too large are not retried', async () => {
    for (const [code, reply] of [
      ['redirected', { status: 302, headers: { location: 'https://n.example/' } }],
      ['timeout', new Promise<never>(() => {})],
      ['response_too_large', { body: 'x'.repeat(1_048_577) }],
    ] as const) {
      const respond = () => {
        if (code === 'timeout') timers.pass();
        return reply;
      };
      const server = close(await network(respond));
      const sending = networkClient().request(getRequest(server.url, { retries: 2 }));
      expect(await rejectionOf(sending)).to.include({ code });
      expect(server.requests).to.have.length(1);
    }
  });
});

describe('Retry-After', () => {
  const clock = fakeClock();
  const read = (value?: string) => retryAfterSeconds(value === undefined ? {} : { 'retry-after': value });

  it('is read as seconds, or as a date from now that is never negative; anything else is undefined', () => {
    expect([read('0'), read('7'), read('120')]).to.deep.equal([0, 7, 120]);
    const now = clock.stop();
    expect(read(new Date(now + 30_000).toUTCString())).to.be.within(29, 30);
    expect(read(new Date(now - 30_000).toUTCString())).to.equal(0);
    for (const value of [undefined, '', 'soon', '-1x', '99999999999 seconds'])
      expect(read(value)).to.equal(undefined);
  });
});
