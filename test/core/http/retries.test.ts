import timers = require('node:timers/promises');

import { expect } from 'chai';
import type { ProviderError, UnreachableError } from '../../../lib/core/errors/index.js';
import { retryAfterSeconds } from '../../../lib/core/http/failures.js';
import type { NetworkRequest } from '../../../lib/core/http/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { fakeClock } from '../../support/clock.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, serveRaw } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

describe('retries', () => {
  realSockets();
  const close = closesAfterEach();

  // Pauses are recorded, not waited for.
  const { setTimeout: wait } = timers;
  let pauses: number[] = [];
  beforeEach(() => {
    pauses = [];
    Object.assign(timers, { setTimeout: async (milliseconds: number) => pauses.push(milliseconds) });
  });
  afterEach(() => {
    Object.assign(timers, { setTimeout: wait });
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

  for (const status of [502, 503, 504]) {
    it(`T15: a GET that gets a ${status} is repeated twice at most`, async () => {
      const { status: last, count } = await sendTo([{ status }], { retries: 2 });
      expect([last, count]).to.deep.equal([status, 3]);
    });

    it(`T15: a POST that gets a ${status} is never repeated`, async () => {
      const { status: last, count } = await sendTo([{ status }], {
        method: 'POST',
        form: { code: 'c' },
        retries: 2,
      });
      expect([last, count]).to.deep.equal([status, 1]);
    });
  }

  it('T15: a repeated GET can succeed', async () => {
    const { status, text, count } = await sendTo([{ status: 503 }, { body: 'here' }], { retries: 2 });
    expect([status, text, count]).to.deep.equal([200, 'here', 2]);
  });

  it('T15: a GET is not repeated unless the request says so', async () => {
    expect((await sendTo([{ status: 503 }], {})).count).to.equal(1);
  });

  it('T15: other statuses are not retried', async () => {
    for (const status of [200, 400, 401, 404, 429, 500, 501]) {
      expect((await sendTo([{ status }], { retries: 2 })).count).to.equal(1);
    }
  });

  it('T15: the pauses grow, and are spread by a quarter', async () => {
    await sendTo([{ status: 503 }], { retries: 2 });
    expect(pauses).to.have.length(2);
    expect(pauses[0]).to.be.within(200, 250);
    expect(pauses[1]).to.be.within(400, 500);
  });

  it('T15: Retry-After sets the pause', async () => {
    const busy = { status: 503, headers: { 'retry-after': '1' } };
    const { count } = await sendTo([busy, { body: 'here' }], { retries: 2 });
    expect(count).to.equal(2);
    expect(pauses).to.have.length(1);
    expect(pauses[0]).to.be.within(1_000, 1_250);
  });

  it('T15: a Retry-After of more than two seconds is not waited for', async () => {
    const { status: last, count } = await sendTo([{ status: 503, headers: { 'retry-after': '3' } }], {
      retries: 2,
    });
    expect([last, count, pauses]).to.deep.equal([503, 1, []]);
  });

  it('T15: there is no retry if the pause would outlast the deadline', async () => {
    const { status: last, count } = await sendTo([{ status: 503 }], { retries: 2 }, { timeout: 199 });
    expect([last, count, pauses]).to.deep.equal([503, 1, []]);
  });

  it('T15: a GET whose connection breaks is repeated, a POST is not', async () => {
    for (const [method, expected] of [
      ['GET', 3],
      ['POST', 1],
    ] as const) {
      let count = 0;
      const server = close(
        await serveRaw((socket) => {
          count += 1;
          socket.resetAndDestroy();
        }),
      );
      const sending = networkClient().request(getRequest(server.url, { method, retries: 2 }));
      expect(((await rejectionOf(sending)) as UnreachableError).code).to.equal('connection_failed');
      expect([method, count]).to.deep.equal([method, expected]);
    }
  });

  it('T15: redirects, timeouts and responses that are too large are not retried', async () => {
    let count = 0;
    const redirecting = close(
      await network(() => {
        count += 1;
        return { status: 302, headers: { location: 'https://n.example/' } };
      }),
    );
    const silent = close(
      await network(() => {
        count += 1;
        return new Promise<never>(() => {});
      }),
    );
    const huge = close(
      await network(() => {
        count += 1;
        return { body: 'x'.repeat(1_048_577) };
      }),
    );
    const codes = [];
    for (const [url, timeout] of [
      [redirecting.url, 5_000],
      [silent.url, 30],
      [huge.url, 5_000],
    ] as const) {
      const sending = networkClient({ timeout }).request(getRequest(url, { retries: 2 }));
      codes.push(((await rejectionOf(sending)) as UnreachableError).code);
    }
    expect(codes).to.deep.equal(['redirected', 'timeout', 'response_too_large']);
    expect(count).to.equal(3);
  });
});

describe('Retry-After', () => {
  const clock = fakeClock();
  const read = (value?: string) => retryAfterSeconds(value === undefined ? {} : { 'retry-after': value });

  it('seconds are read as they are', () => {
    expect([read('0'), read('7'), read('120')]).to.deep.equal([0, 7, 120]);
  });

  it('a date is read as seconds from now, never negative', () => {
    const now = clock.stop();
    expect(read(new Date(now + 30_000).toUTCString())).to.be.within(29, 30);
    expect(read(new Date(now - 30_000).toUTCString())).to.equal(0);
  });

  it('anything else is undefined', () => {
    for (const value of [undefined, '', 'soon', '-1x', '99999999999 seconds'])
      expect(read(value)).to.equal(undefined);
  });
});
