import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { collectsWarnings } from '../../support/warnings.js';
import { type AnyVerify, type ExampleApp, startExample } from './example-app.js';
import { callbackOf } from './example-journey.js';
import { FRAMEWORKS, titleOf } from './frameworks.js';
import { compileNest } from './nest.js';
import { sandboxNetworks } from './networks.js';

type Done = (error: unknown, user?: object) => void;

const FIRST = { provider: 'short-video', id: 'first', displayName: 'First' };
const SECOND = { provider: 'short-video', id: 'second', displayName: 'Second' };

/** Verify functions with two outcomes; the first one counts. */
const TWICE: Readonly<Record<string, AnyVerify>> = {
  'calls done twice': (_token, _refreshToken, _profile, done: Done) => {
    done(null, FIRST);
    done(null, SECOND);
  },
  'calls done, and again later': (_token, _refreshToken, _profile, done: Done) => {
    done(null, FIRST);
    setImmediate(() => done(null, SECOND));
  },
  'calls done and throws': (_token, _refreshToken, _profile, done: Done) => {
    done(null, FIRST);
    throw new Error('too late');
  },
  'calls done and rejects': async (_token, _refreshToken, _profile, done: Done) => {
    done(null, FIRST);
    throw new Error('too late');
  },
};

/** Verify functions that fail. */
const FAILING: Readonly<Record<string, AnyVerify>> = {
  throws: (_token, _refreshToken, _profile, _done) => {
    throw new Error('the database is gone');
  },
  rejects: async (_token, _refreshToken, _profile, _done) => {
    throw new Error('the database is gone');
  },
};

describe('a verify function with a mistake', () => {
  const opened = closesAfterEach();
  const warnings = collectsWarnings();
  let sandbox: Sandbox;

  before(async function () {
    this.timeout(60_000);
    compileNest();
    sandbox = await startSandbox();
  });

  after(() => sandbox?.close());

  for (const framework of FRAMEWORKS) {
    describe(titleOf(framework), () => {
      const start = async (verify: AnyVerify) =>
        opened(await startExample(framework, { networks: sandboxNetworks(sandbox), verify }));

      for (const [mistake, verify] of Object.entries(TWICE)) {
        it(`that ${mistake} logs in the first user and causes a warning`, async () => {
          const app = await start(verify);
          const browser = new Browser();
          const page = await browser.get(await callbackOf(browser, app, 'short-video'));
          expect(await framework.accountAfter(browser, app, page)).to.deep.equal(FIRST);
          expect(app.reports).to.deep.equal([]);
          expect(await warnings.texts()).to.deep.equal([
            'verify gave a second outcome; the first one stands.',
          ]);
          await expectAlive(app);
        });
      }

      for (const [mistake, verify] of Object.entries(FAILING)) {
        it(`that ${mistake} causes one error, whose message is logged but not shown`, async () => {
          const app = await start(verify);
          const browser = new Browser();
          const page = await browser.get(await callbackOf(browser, app, 'short-video'));
          expect(page.status).to.equal(500);
          expect(page.json.message).to.equal('The login could not be finished. Please try again.');
          expect(app.reports.map(({ message }) => message)).to.deep.equal(['the database is gone']);
          expect(await warnings.texts()).to.deep.equal([]);
          await expectAlive(app);
        });
      }
    });
  }
});

async function expectAlive({ url }: ExampleApp): Promise<void> {
  expect((await new Browser().get(url)).status).to.equal(200);
}
