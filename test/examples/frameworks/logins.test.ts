import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { withParameters } from '../../support/journey.js';
import { collectsWarnings } from '../../support/warnings.js';
import { type ExampleApp, startExample } from './example-app.js';
import { allow, callbackOf, deny, start } from './example-journey.js';
import { FRAMEWORKS, titleOf } from './frameworks.js';
import { compileNest } from './nest.js';
import { accountOf, NETWORKS, type Network, sandboxNetworks } from './networks.js';

/** One network of each protocol. */
const PROTOCOLS = NETWORKS.filter(({ name }) => name.startsWith('microblog'));

const EIGHT_TABS = [
  ['in the order they began', [0, 1, 2, 3, 4, 5, 6, 7]],
  ['in reverse order', [7, 6, 5, 4, 3, 2, 1, 0]],
  ['in any order', [3, 0, 7, 1, 6, 2, 5, 4]],
] as const;

describe('the framework examples', () => {
  collectsWarnings();
  let sandbox: Sandbox;

  before(async function () {
    this.timeout(60_000);
    compileNest();
    sandbox = await startSandbox();
  });

  after(() => sandbox?.close());

  for (const framework of FRAMEWORKS) {
    describe(titleOf(framework), () => {
      let app: ExampleApp;

      before(async function () {
        this.timeout(30_000);
        app = await startExample(framework, { networks: sandboxNetworks(sandbox) });
      });

      after(() => app?.close());

      beforeEach(() => {
        app.reports.length = 0;
      });

      for (const network of NETWORKS) {
        it(`logs a user in through ${network.name}`, async () => {
          const browser = new Browser();
          const page = await browser.get(await callbackOf(browser, app, network.name, 'anna'));
          expect(await framework.accountAfter(browser, app, page)).to.deep.equal(
            accountOf(network, sandbox, 'anna'),
          );
          expect(page.headers['cache-control']).to.contain('no-store');
          expect(page.headers['referrer-policy']).to.equal('no-referrer');
          expect(app.reports).to.deep.equal([]);
        });
      }

      for (const [order, sequence] of EIGHT_TABS) {
        it(`C3: eight tabs finish their logins ${order}, with forged callbacks between them`, async () => {
          const browser = new Browser();
          const tabs: { network: Network; person: string; callback: string }[] = [];
          for (let tab = 0; tab < sequence.length; tab += 1) {
            const network = NETWORKS[tab % NETWORKS.length] as Network;
            const person = ['alice', 'anna', 'max'][tab % 3] ?? '';
            const callback = await callbackOf(browser, app, network.name, person);
            tabs.push({ network, person, callback });
          }
          for (const index of sequence) {
            const { network, person, callback } = tabs[index] as (typeof tabs)[number];
            const key = network.name === 'microblog-1.0' ? 'oauth_token' : 'state';
            const forged = await browser.get(withParameters(callback, { [key]: 'forged' }));
            expect([forged.status, forged.json.code]).to.deep.equal([403, 'unknown_login']);
            const page = await browser.get(callback);
            expect(await framework.accountAfter(browser, app, page)).to.deep.equal(
              accountOf(network, sandbox, person),
            );
            const replay = await browser.get(callback);
            expect([replay.status, replay.json.code]).to.deep.equal([403, 'used_login']);
          }
          expect(browser.cookieHeader(app.url)).to.not.contain('login.');
          expect(app.reports).to.deep.equal([]);
        });
      }

      for (const network of PROTOCOLS) {
        const { name, tokenRequest } = network;

        it(`responds with status, code and message when the user declines at ${name}`, async () => {
          const browser = new Browser();
          const page = await browser.get(await deny(browser, await start(browser, app, name)));
          expect(page.status).to.equal(401);
          expect(page.json).to.deep.equal({
            message: 'The user declined the login at the network.',
            code: 'access_denied',
          });
          expect(app.reports).to.deep.equal([]);
        });

        it(`responds to a fault of ${name} with its status, logs the message, and logs the next user in`, async () => {
          const browser = new Browser();
          for (const [fault, status, code] of [
            ['reset', 502, 'connection_failed'],
            ['rate-limit', 503, 'rate_limited'],
          ] as const) {
            sandbox.fault({ ...tokenRequest, fault: { kind: fault }, times: 1 });
            const page = await browser.get(await callbackOf(browser, app, name));
            expect(page.status).to.equal(status);
            expect(page.json).to.deep.equal({
              message: 'The login could not be finished. Please try again.',
              code,
            });
            expect(app.reports.splice(0)[0]?.message).to.match(new RegExp(`^${name}, token: `));
          }
          const page = await browser.get(await allow(browser, await start(browser, app, name)));
          expect(await framework.accountAfter(browser, app, page)).to.deep.equal(
            accountOf(network, sandbox, 'alice'),
          );
        });
      }
    });
  }
});
