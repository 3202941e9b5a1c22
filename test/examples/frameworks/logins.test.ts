import { expect } from 'chai';
import { cookieLogins, type LoginStore } from 'passport-social-networks';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { type ExampleApp, type Framework, SECRET, startExample } from './example-app.js';
import { allow, callbackOf, deny, start } from './example-journey.js';
import { FRAMEWORKS, titleOf } from './frameworks.js';
import { LoginMatrix } from './login-matrix.js';
import { compileNest } from './nest.js';
import { accountOf, NETWORKS, sandboxNetworks } from './networks.js';

/** Stores for pending logins: the example's default, or cookies. */
const STORES: readonly {
  title: string;
  fits: (framework: Framework) => boolean;
  store?: () => LoginStore;
}[] = [
  { title: 'session', fits: ({ sessions }) => sessions !== undefined },
  { title: 'cookies', fits: () => true, store: () => cookieLogins({ secrets: SECRET }) },
];

describe('the framework examples', () => {
  const matrix = new LoginMatrix(
    NETWORKS.map(({ name }) => name),
    STORES.map(({ title }) => title),
  );
  let sandbox: Sandbox;

  before(async function () {
    this.timeout(60_000);
    compileNest();
    sandbox = await startSandbox();
  });

  after(() => sandbox?.close());

  for (const framework of FRAMEWORKS) {
    for (const { title, fits, store } of STORES) {
      if (!fits(framework)) {
        matrix.leaveOut(titleOf(framework), title);
        continue;
      }
      matrix.expect(titleOf(framework), title);
      describe(`${titleOf(framework)}, pending logins in the ${title}`, () => {
        let app: ExampleApp;

        before(async function () {
          this.timeout(30_000);
          app = await startExample(framework, {
            networks: sandboxNetworks(sandbox),
            ...(store && { store: store() }),
          });
        });

        after(() => app?.close());

        beforeEach(() => {
          app.reports.length = 0;
        });

        for (const network of NETWORKS) {
          const { name, tokenRequest } = network;

          it(`logs a user in through ${name}`, async () => {
            const browser = new Browser();
            const page = await browser.get(await callbackOf(browser, app, name, 'anna'));
            expect(await framework.accountAfter(browser, app, page)).to.deep.equal(
              accountOf(network, sandbox, 'anna'),
            );
            expect(page.headers['cache-control']).to.contain('no-store');
            expect(page.headers['referrer-policy']).to.equal('no-referrer');
            expect(app.reports).to.deep.equal([]);
            matrix.passed(titleOf(framework), title, name);
          });

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

          for (const [order, first, second] of [
            ['the order they began', 'alice', 'max'],
            ['reverse order', 'max', 'alice'],
          ] as const) {
            it(`finishes two ${name} logins in two tabs, in ${order}`, async () => {
              const browser = new Browser();
              const callbacks = new Map<string, string>();
              for (const person of ['alice', 'max'])
                callbacks.set(person, await callbackOf(browser, app, name, person));
              for (const person of [first, second]) {
                const page = await browser.get(callbacks.get(person) ?? '');
                expect(await framework.accountAfter(browser, app, page)).to.deep.equal(
                  accountOf(network, sandbox, person),
                );
              }
              const replay = await browser.get(callbacks.get('alice') ?? '');
              expect(replay.status).to.equal(403);
              expect(replay.json.code).to.equal('used_login');
            });
          }

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
  }

  describe('all together', () => {
    it('log users in through every network, with every store', () => {
      console.log(matrix.text());
      expect(matrix.missing()).to.deep.equal([]);
    });
  });
});
