import diagnostics = require('node:diagnostics_channel');

import { expect } from 'chai';
import { type RequestReport, requestChannel } from '../../lib/index.js';
import { logIn } from '../support/journey.js';
import { backendRequests, type Contract } from './harness.js';

/** Tests of the request reports of a login, for every network. */
export function reports({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;
  const heard: RequestReport[] = [];
  const listener = (report: unknown) => heard.push(report as RequestReport);
  beforeEach(() => {
    heard.length = 0;
    diagnostics.subscribe(requestChannel, listener);
  });
  afterEach(() => diagnostics.unsubscribe(requestChannel, listener));

  it('each request of a login is reported, without any secret', async () => {
    const world = await sandbox();
    expect((await logIn(await app(strategy(world)), provider)).status).to.equal(200);
    expect(heard).to.have.length(backendRequests(world).length);
    for (const { duration, ...report } of heard) {
      expect(duration).to.be.a('number');
      expect(Object.keys(report).sort()).to.deep.equal([
        'host',
        'method',
        'outcome',
        'provider',
        'status',
        'step',
      ]);
      expect(report).to.include({
        provider,
        status: 200,
        outcome: 'succeeded',
        host: new URL(world.url).host,
      });
    }
  });

  for (const [kind, outcome] of [
    ['rate-limit', 'rate_limited'],
    ['reset', 'connection_failed'],
    ['redirect', 'redirected'],
  ] as const) {
    it(`${kind} at the profile request is reported as ${outcome}`, async () => {
      const world = await sandbox();
      const server = await app(strategy(world));
      await logIn(server, provider);
      world.fault({ endpoint: backendRequests(world).at(-1) ?? '', fault: { kind } });
      await logIn(server, provider);
      expect(heard.map((report) => report.outcome)).to.include(outcome);
    });
  }
}
