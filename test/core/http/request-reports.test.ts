import diagnostics = require('node:diagnostics_channel');

import { expect } from 'chai';
import { MalformedError, type RequestReport, requestChannel } from '../../../lib/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

describe('reports of requests', () => {
  realSockets();
  const close = closesAfterEach();
  const reports: RequestReport[] = [];
  const listener = (report: unknown) => reports.push(report as RequestReport);
  beforeEach(() => {
    reports.length = 0;
    diagnostics.subscribe(requestChannel, listener);
  });
  afterEach(() => diagnostics.unsubscribe(requestChannel, listener));

  it('a request is reported once, with its host and outcome', async () => {
    const { url, port } = close(await network(() => ({ body: { id: '1' } })));
    await networkClient().request(getRequest(`${url}/people?access_token=SECRET`));
    expect(reports).to.have.length(1);
    const [{ duration, ...report } = { duration: -1 }] = reports;
    expect(report).to.deep.equal({
      provider: 'network',
      step: 'profile',
      method: 'GET',
      host: `127.0.0.1:${port}`,
      status: 200,
      outcome: 'succeeded',
    });
    expect(duration).to.be.at.least(0);
  });

  it('each attempt of a repeated request is reported', async () => {
    const statuses = [503, 200];
    const { url } = close(await network(() => ({ status: statuses.shift() ?? 500, body: {} })));
    await networkClient().request(getRequest(url, { retries: 2 }));
    expect(reports.map(({ status, outcome }) => [status, outcome])).to.deep.equal([
      [503, 'retried'],
      [200, 'succeeded'],
    ]);
  });

  it('a failed request is reported with the code of its error, and without a response there is no status', async () => {
    const silent = close(await network(() => new Promise<never>(() => {})));
    await rejectionOf(networkClient({ timeout: 30 }).request(getRequest(silent.url)));
    const moved = close(
      await network(() => ({ status: 302, headers: { location: 'https://evil.example/' } })),
    );
    await rejectionOf(networkClient().request(getRequest(moved.url)));
    expect(reports.map(({ status, outcome }) => [status, outcome])).to.deep.equal([
      [undefined, 'timeout'],
      [302, 'redirected'],
    ]);
  });

  it('a response that is no success is reported with the code of its error', async () => {
    const replies: Reply[] = [
      { status: 400, body: { error: 'x' } },
      { status: 429, body: 'Slow down' },
      { body: '<html>' },
      { body: { a: 1 } },
    ];
    const { url } = close(await network(() => replies.shift() ?? {}));
    const validate = () => {
      throw new MalformedError({ provider: 'network', step: 'token', code: 'token_missing', message: 'x' });
    };
    for (let count = 0; count < 4; count += 1) {
      await rejectionOf(networkClient().requestJSON(getRequest(url, { validate })));
    }
    expect(reports.map(({ status, outcome }) => [status, outcome])).to.deep.equal([
      [400, 'refused'],
      [429, 'rate_limited'],
      [200, 'unreadable_response'],
      [200, 'token_missing'],
    ]);
  });

  it('an application’s own error for an error response is reported as refused', async () => {
    const { url } = close(await network(() => ({ status: 400, body: {} })));
    const own = new RangeError('own');
    const request = getRequest(url, { parseErrorResponse: () => own });
    expect(await rejectionOf(networkClient().request(request))).to.equal(own);
    expect(reports.map(({ status, outcome }) => [status, outcome])).to.deep.equal([[400, 'refused']]);
  });

  it('a listener that throws does not fail the request', async () => {
    const { url } = close(await network(() => ({ body: {} })));
    const thrown: unknown[] = [];
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => thrown.push(error));
    const failing = () => {
      throw new Error('a listener’s mistake');
    };
    diagnostics.subscribe(requestChannel, failing);
    try {
      expect((await networkClient().request(getRequest(url))).status).to.equal(200);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      diagnostics.unsubscribe(requestChannel, failing);
      for (const one of before) process.on('uncaughtException', one);
    }
    expect(thrown.map((error) => (error as Error).message)).to.deep.equal(['a listener’s mistake']);
  });
});
