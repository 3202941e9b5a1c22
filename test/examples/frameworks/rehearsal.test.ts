import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { rehearse, startSandbox } from '../../../sandbox/lib/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { rehearsed } from '../../support/rehearsal.js';
import { serve } from '../../support/server.js';
import { freePort, RunningApp } from '../app.js';
import { EXAMPLES, FRAMEWORKS, NETWORKS, prepareExamples, SECRET, sandboxNetworks } from './harness.js';

const PATIENCE = 1_600;

describe('a rehearsal of the example for', function () {
  this.timeout(60_000);
  const open = closesAfterEach();
  before(prepareExamples);

  for (const [index, { title, load, sessionless }] of FRAMEWORKS.entries()) {
    const { name } = NETWORKS[index % NETWORKS.length] as (typeof NETWORKS)[number];
    it(`${title} finds nothing wrong with ${name}`, async () => {
      const sandbox = open(await startSandbox());
      let listener: RequestListener = (_req, res) => res.end();
      const server = open(await serve((req, res) => listener(req, res)));
      const own = { baseURL: server.url, timeout: PATIENCE / 2 };
      const pairs = Object.entries(sandboxNetworks(sandbox)).map(([network, options]) => [
        network,
        { ...options, ...own },
      ]);
      const listening = await load({ networks: Object.fromEntries(pairs), secret: SECRET, report: () => {} });
      listener = listening.listener;
      const session = !sessionless;
      const { checks } = await rehearse(`${server.url}/api/auth/signin/${name}`, {
        patience: PATIENCE,
        session,
      });
      await listening.close?.();
      expect(checks.filter(({ passed }) => passed === false)).to.deep.equal([]);
      expect(checks).to.have.length(30);
      const early = checks.find((check) => check.name === 'somebody else signed in');
      expect(early?.passed).to.equal(session || undefined);
    });
  }

  it('Express finds nothing wrong, started as its README says', async () => {
    const PORT = String(await freePort());
    const app = await RunningApp.start({ PORT }, join(EXAMPLES, 'express', 'server.js'));
    await rehearsed(`${app.url}/api/auth/signin/microblog-1-0`).finally(() => app.stop());
  });
});
