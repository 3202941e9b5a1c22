import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { launchChromium, needs, needsChromium } from '../support/requirements.js';
import { DataFolders, FOLDER, LoginApp } from './login/app.js';
import { describeAppearance } from './login/appearance.js';
import { describeDeployment } from './login/deployment.js';
import { describeLinking } from './login/linking.js';
import { describeLogins } from './login/logins.js';
import { migratesAccounts } from './login/migrations.js';
import { describeNetworkRequests, describeSessionConnections } from './login/network-requests.js';
import { describePages } from './login/pages.js';
import { describeProtection } from './login/protection.js';
import { describeSandboxAccounts } from './login/sandbox-accounts.js';
import { hasServers, Servers } from './login/servers.js';
import { describeSharing } from './login/sharing.js';
import { describeStartMistakes } from './login/start-mistakes.js';
import { describeStorage } from './login/storage.js';

const SERVERS = 'these tests need PostgreSQL and Redis: apt-get install postgresql redis-server.';

describe('the login example', function () {
  this.timeout(120_000);
  const folders = new DataFolders();
  let browser: Browser;
  /** A data folder with a new database. */
  let template: string;

  before(async function () {
    needsChromium(this);
    browser = await launchChromium();
    template = await folders.empty();
    const began = performance.now();
    const app = await LoginApp.start({ PORT: '0', DATA_FOLDER: template });
    const page = await browser.newPage();
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Continue with X', exact: true }).waitFor();
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`      first start to first usable page: ${seconds} s`);
    await page.close();
    await app.stop();
  });

  after(async () => {
    await LoginApp.stopAll();
    await browser?.close();
    await folders.remove();
  });

  it('compiles without type errors', () => {
    const compiler = join(__dirname, '..', '..', 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', FOLDER], { encoding: 'utf8' });
    expect(stdout).to.equal('');
  });

  describe('with its embedded database', () => {
    let app: LoginApp;

    before(async () => {
      app = await LoginApp.start({ PORT: '0', DATA_FOLDER: await folders.copy(template) });
    });

    after(() => app?.stop());

    describeLogins(() => ({ browser, url: app.url }));
  });

  describe('with PostgreSQL and Redis', () => {
    let servers: Servers;
    let app: LoginApp;

    before(async function () {
      needs(this, hasServers, SERVERS);
      servers = await Servers.start();
      app = await LoginApp.start({
        PORT: '0',
        DATA_FOLDER: await folders.empty(),
        DATABASE_URL: servers.databaseURL,
        REDIS_URL: servers.redisURL,
      });
    });

    after(async () => {
      await app?.stop();
      await servers?.stop();
    });

    // Signing in and out alone is tested with the embedded database.
    describeLinking(() => ({ browser, url: app.url }));
    describeStorage(
      () => ({ browser, url: app.url }),
      () => servers.databaseURL,
    );
    describeSharing(
      folders,
      () => servers,
      () => browser,
    );
  });

  describe('has requests to networks that', () => {
    describe('with the embedded database', () => {
      describeNetworkRequests(async () => ({ path: await folders.copy(template) }));
    });

    describe('with PostgreSQL', () => {
      let servers: Servers;
      const location = async () => ({ path: await folders.empty(), url: servers.databaseURL });

      before(async function () {
        needs(this, hasServers, SERVERS);
        servers = await Servers.start();
      });

      after(() => servers?.stop());

      describe('from its accounts', () => describeNetworkRequests(location));
      describe('and sessions that', () => describeSessionConnections(location));
    });
  });

  it(
    'merges the accounts that one person had in two versions of a network before they shared a key',
    migratesAccounts,
  );

  describe('has accounts at the sandbox that', () => {
    describeSandboxAccounts(async () => ({ path: await folders.copy(template) }));
  });

  for (const [title, describeIt] of [
    ['is protected', describeProtection],
    ['has pages', describePages],
    ['looks right', describeAppearance],
  ] as const) {
    describe(title, () => {
      let app: LoginApp;

      before(async () => {
        app = await LoginApp.start({ PORT: '0', DATA_FOLDER: await folders.copy(template) });
      });

      after(() => app?.stop());

      describeIt(() => ({ browser, url: app.url }));
    });
  }

  describe('runs on', () => {
    describeDeployment(
      folders,
      () => template,
      () => browser,
    );
  });

  describe('prints one line with the problem when it cannot start', () => {
    describeStartMistakes(folders, () => template);
  });
});
