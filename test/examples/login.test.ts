import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasServers, Servers } from '../../examples/cluster/servers.js';
import { launchChromium, needs, needsChromium } from '../support/requirements.js';
import { describeAccounts, keepsSessionConnections } from './login/accounts.js';
import { DataFolders, FOLDER, LoginApp } from './login/app.js';
import { describeAppearance } from './login/appearance.js';
import { describeDeployment, describeSharing, describeStorage } from './login/deployment.js';
import { describeLinking } from './login/linking.js';
import { describeLogins } from './login/logins.js';
import { describeProtection } from './login/protection.js';
import { describeStartMistakes } from './login/start-mistakes.js';

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
    await (await LoginApp.start({ PORT: '0', DATA_FOLDER: template })).stop();
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

    const scene = () => ({ browser, url: app.url });
    describeLogins(scene);
    describeProtection(scene);
    describeAppearance(scene);
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

    const scene = () => ({ browser, url: app.url });
    describeLinking(scene);
    describeStorage(scene, () => servers);

    it('has connections for sessions while every connection for the accounts is in use', async () => {
      await keepsSessionConnections(await folders.empty(), servers.databaseURL);
    });

    describe('in two processes that', () => {
      describeSharing(
        folders,
        () => servers,
        () => browser,
      );
    });
  });

  describe('has accounts that', () => {
    describeAccounts(() => folders.copy(template));
  });

  describe('runs on', () => {
    describeDeployment(
      folders,
      () => template,
      () => browser,
    );
  });

  describe('prints one line with the problem when it cannot start, and', () => {
    describeStartMistakes(folders, () => template);
  });
});
