import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { hasServers, Servers } from '../../examples/cluster/servers.js';
import { rehearsed } from '../support/rehearsal.js';
import { launchChromium, needs, needsChromium } from '../support/requirements.js';
import { DataFolders, FOLDER, freePort, RunningApp } from './app.js';
import { describeAccounts, keepsSessionConnections } from './login/accounts.js';
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
    await (await RunningApp.start({ PORT: '0', DATA_FOLDER: template })).stop();
  });

  after(async () => {
    await RunningApp.stopAll();
    await browser?.close();
    await folders.remove();
  });

  it('compiles without type errors', () => {
    const compiler = join(__dirname, '..', '..', 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', FOLDER], { encoding: 'utf8' });
    expect(stdout).to.equal('');
  });

  describe('with its embedded database', () => {
    let app: RunningApp;

    before(async () => {
      app = await RunningApp.start({ PORT: '0', DATA_FOLDER: await folders.copy(template) });
    });

    after(() => app?.stop());

    const scene = () => ({ browser, url: app.url });
    describeLogins(scene);
    describeProtection(scene);
    describeAppearance(scene);
  });

  describe('with PostgreSQL and Redis', () => {
    let servers: Servers;
    let app: RunningApp;

    before(async function () {
      needs(this, hasServers, SERVERS);
      servers = await Servers.start();
      app = await RunningApp.start({
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

  it('E1: passes a rehearsal', async () => {
    const DATA_FOLDER = await folders.copy(template);
    const app = await RunningApp.start({ PORT: String(await freePort()), DATA_FOLDER });
    const skipped = await rehearsed(`${app.url}/api/auth/signin/social-network-vk-id`);
    await app.stop();
    expect(skipped).to.deep.equal(['secrets in logs']);
  });

  describe('prints one line with the problem when it cannot start, and', () => {
    describeStartMistakes(folders, () => template);
  });
});
