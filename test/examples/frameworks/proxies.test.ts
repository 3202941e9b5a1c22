import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { allow } from '../../support/journey.js';
import { collectsWarnings } from '../../support/warnings.js';
import { SECRET, startExample } from './example-app.js';
import { FRAMEWORKS, titleOf } from './frameworks.js';
import { compileNest } from './nest.js';
import { accountOf, NETWORKS, sandboxNetworks } from './networks.js';
import { get, serveSecurely } from './plain-request.js';

const [SHORT_VIDEO] = NETWORKS as [(typeof NETWORKS)[number]];
const PATH = '/api/auth/callback/short-video';
/** Credentials for the real network. The tests look at the redirect to it but do not follow it. */
const REAL = { 'short-video': { clientID: 'CLIENT-KEY', clientSecret: 'CLIENT-SECRET' } };

describe('behind a proxy', () => {
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
      it('ignores a forwarded scheme and host on a plain connection, warns, and logs the user in', async () => {
        const app = opened(await startExample(framework, { networks: sandboxNetworks(sandbox) }));
        const browser = new Browser();
        const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
        const { location } = await browser.get(`${app.url}/api/auth/signin/short-video`, forged);
        expect(callbackIn(location)).to.equal(`${app.url}${PATH}`);
        const page = await browser.get(await allow(browser, location, 'anna'), forged);
        expect(await framework.accountAfter(browser, app, page)).to.deep.equal(
          accountOf(SHORT_VIDEO, sandbox, 'anna'),
        );
        expect(app.reports).to.deep.equal([]);
        const texts = await warnings.texts();
        expect(texts).to.have.length(1);
        expect(texts[0]).to.contain('A proxy says that the browser came with https');
      });

      it('ignores a forwarded scheme on an encrypted connection', async () => {
        const settings = { networks: REAL, secret: SECRET, report: () => {} };
        const example = await framework.load(settings);
        opened({ close: () => example.close?.() });
        const server = opened(await serveSecurely(example.listener));
        const { location } = await get(`${server.url}/api/auth/signin/short-video`, {
          'x-forwarded-proto': 'http',
        });
        expect(callbackIn(location)).to.equal(`${server.url}${PATH}`);
      });

      it('warns once that a proxy is not trusted, when the network requires https', async () => {
        const app = opened(await startExample(framework, { networks: REAL }));
        for (const _visit of ['first', 'second']) {
          const { location } = await get(`${app.url}/api/auth/signin/short-video`, {
            host: 'login.example',
            'x-forwarded-proto': 'https',
          });
          expect(callbackIn(location)).to.equal(`http://login.example${PATH}`);
        }
        const texts = await warnings.texts();
        expect(texts).to.have.length(1);
        expect(texts[0]).to.contain(`ShortVideoStrategy: option callbackURL is http://login.example${PATH}.`);
        expect(texts[0]).to.contain('A proxy says that the browser came with https');
        expect(texts[0]).to.contain(
          'trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa',
        );
      });

      it('uses the forwarded scheme and host of a trusted proxy', async () => {
        const app = opened(await startExample(framework, { networks: REAL, trustProxy: true }));
        const { location } = await get(`${app.url}/api/auth/signin/short-video`, {
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'login.example',
        });
        expect(callbackIn(location)).to.equal(`https://login.example${PATH}`);
        expect(await warnings.texts()).to.deep.equal([]);
      });
    });
  }
});

function callbackIn(authorization: string): string | null {
  return new URL(authorization).searchParams.get('redirect_uri');
}
