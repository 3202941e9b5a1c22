import diagnostics = require('node:diagnostics_channel');

import { expect } from 'chai';
import { type RequestReport, requestChannel } from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { getRequest, transport } from '../support/transport.js';

describe('diagnostics', () => {
  realSockets();
  const close = closesAfterEach();
  const reports: RequestReport[] = [];
  const listener = (report: unknown) => reports.push(report as RequestReport);
  beforeEach(() => {
    reports.length = 0;
    diagnostics.subscribe(requestChannel, listener);
  });
  afterEach(() => diagnostics.unsubscribe(requestChannel, listener));

  it('a request is reported once, with where it went and how it ended', async () => {
    const { url, port } = close(await network(() => ({ body: { id: '1' } })));
    await transport().send(getRequest(`${url}/people?access_token=SECRET`));
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

  it('a request that is made again is reported each time', async () => {
    const statuses = [503, 200];
    const { url } = close(await network(() => ({ status: statuses.shift() ?? 500, body: {} })));
    await transport().send(getRequest(url, { retries: 2 }));
    expect(reports.map(({ status, outcome }) => [status, outcome])).to.deep.equal([
      [503, 'retried'],
      [200, 'succeeded'],
    ]);
  });

  it('a request without an answer is reported with the code of its error, and no status', async () => {
    const silent = close(await network(() => new Promise<never>(() => {})));
    await rejectionOf(transport({ timeout: 30 }).send(getRequest(silent.url)));
    const moved = close(
      await network(() => ({ status: 302, headers: { location: 'https://evil.example/' } })),
    );
    await rejectionOf(transport().send(getRequest(moved.url)));
    expect(reports.map(({ status, outcome }) => [status, outcome])).to.deep.equal([
      [undefined, 'timeout'],
      [302, 'redirected'],
    ]);
  });

  it('what the reader of an answer throws is its outcome', async () => {
    const { url } = close(await network(() => ({ body: {} })));
    const sending = transport().send(getRequest(url), () => {
      throw new Error('of the application’s own');
    });
    await rejectionOf(sending);
    expect(reports.map(({ outcome }) => outcome)).to.deep.equal(['refused']);
  });

  it('a listener that throws ends no request', async () => {
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
      expect((await transport().send(getRequest(url))).status).to.equal(200);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      diagnostics.unsubscribe(requestChannel, failing);
      for (const one of before) process.on('uncaughtException', one);
    }
    expect(thrown.map((error) => (error as Error).message)).to.deep.equal(['a listener’s mistake']);
  });
});
