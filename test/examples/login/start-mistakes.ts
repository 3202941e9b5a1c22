import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type * as EncryptionModule from '../../../examples/login/encryption.js';
import type * as ErrorsModule from '../../../examples/login/errors.js';
import type * as NetworksModule from '../../../examples/login/networks/index.js';
import type * as SessionsModule from '../../../examples/login/sessions.js';
import type * as SettingsModule from '../../../examples/login/settings.js';
import { type DataFolders, FOLDER, freePort, killAt, RunningApp, runToEnd } from '../app.js';
import { load, open } from './accounts.js';

const REAL_ACCOUNT = [
  'insert into users default values',
  `insert into accounts (user_id, provider, identifier, network, profile, record, scope)
   select id, 'microblog', '2244994945', 'microblog', '{}', '{}', '{}' from users`,
];

/** Mistakes in the setup. Each ends with exit code 1 and one line that says how to fix it. */
export function describeStartMistakes(folders: DataFolders, template: () => string): void {
  const changed = async (queries: readonly string[]) => {
    const folder = await folders.copy(template());
    await changeDatabase(folder, queries);
    return folder;
  };

  const settings: readonly [environment: NodeJS.ProcessEnv, message: RegExp][] = [
    [{ PORT: 'http' }, /PORT is not a valid port.*65535/],
    [{ BASE_URL: 'https://example.com/app' }, /BASE_URL.*https:\/\/login\.example\.com/],
    [{ DATABASE_URL: 'mysql://localhost/db' }, /DATABASE_URL.*postgres:\/\//],
    [{ ENCRYPTION_KEY: 'c2hvcnQ=' }, /ENCRYPTION_KEY.*node -p/],
    [{ SESSION_SECRET: 'secret' }, /SESSION_SECRET.*node -p/],
    [{ MICROBLOG_CLIENT_ID: 'ID' }, /MICROBLOG_CLIENT_SECRET is missing.*sandbox/],
    [
      { NODE_ENV: 'production', SHORT_VIDEO_CLIENT_ID: 'KEY', SHORT_VIDEO_CLIENT_SECRET: 'SECRET' },
      /^Without MICROBLOG_CLIENT_ID, SOCIAL_NETWORK_VK_ID_CLIENT_ID, .*sandbox, where anyone can sign in as anyone\. Set the/,
    ],
  ];
  for (const [environment, message] of settings) {
    it(`rejects ${Object.keys(environment).join(', ')}`, async () => {
      const { readSettings } = await load<typeof SettingsModule>('settings.js');
      const { configureNetworks } = await load<typeof NetworksModule>('networks/index.js');
      await expectMistake(async () => configureNetworks(readSettings(environment)), message);
    });
  }

  it('ends with exit code 1 and touches no data for a setting, a host or a port that it cannot use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const folder = join(await folders.empty(), 'data');
    for (const [environment, message] of [
      [{ PORT: 'http' }, /PORT is not a valid port/],
      [{ PORT: String(port) }, /EADDRINUSE.*PORT=/],
      [{ PORT: '0', HOST: '203.0.113.1' }, /EADDRNOTAVAIL.*Correct HOST/],
    ] as const) {
      await expectFailure({ ...environment, DATA_FOLDER: folder }, message);
      expect(existsSync(folder)).to.equal(false);
    }
    server.close();
  });

  it('rejects the sandbox for a database that has accounts at real networks', async () => {
    const DATA_FOLDER = await changed(REAL_ACCOUNT);
    await expectFailure({ PORT: '0', DATA_FOLDER }, /accounts at real networks.*Set the credentials/);
  });

  it('reports a data folder that cannot be used', async () => {
    const file = join(await folders.empty(), 'file');
    await writeFile(file, '');
    await expectMistake(() => open(file), /cannot be used.*DATA_FOLDER/);
  });

  it('reports an unreachable database without its password', async () => {
    const DATABASE_URL = `postgresql://login:hunter2@127.0.0.1:${await freePort()}/login`;
    const folder = await folders.empty();
    const message = await expectMistake(
      () => open(folder, { DATABASE_URL }),
      /database at 127\.0\.0\.1.*ECONNREFUSED.*DATABASE_URL/,
    );
    expect(message).to.not.contain('hunter2');
  });

  it('reports an unreachable Redis', async () => {
    const { connectRedis } = await load<typeof SessionsModule>('sessions.js');
    const url = `redis://127.0.0.1:${await freePort()}`;
    await expectMistake(() => connectRedis(url), /Redis at 127\.0\.0\.1.*ECONNREFUSED.*REDIS_URL/);
  });

  it("rejects an encryption key that differs from the database's, and generates none for a database that has one", async () => {
    const { loadCipher } = await load<typeof EncryptionModule>('encryption.js');
    const path = await folders.copy(template());
    const { database, folder, settings: given, close } = await open(path);
    const encryptionKey = new Uint8Array(randomBytes(32));
    const loading = (key?: Uint8Array) => () =>
      loadCipher(database, { ...given, encryptionKey: key }, folder);
    await expectMistake(loading(encryptionKey), /encrypted with another key.*Set ENCRYPTION_KEY/);
    await rm(join(path, 'encryption-key'));
    await expectMistake(loading(), /encrypted with another key/);
    expect(existsSync(join(path, 'encryption-key'))).to.equal(false);
    await close();
  });

  it('rejects a database that a newer version has migrated', async () => {
    // A migration that this version does not know.
    const newer = `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${Date.now() + 1_000_000})`;
    const folder = await changed([newer]);
    await expectMistake(() => open(folder), /newer version.*Start that version/);
  });

  it('rejects a data folder that another process uses, but accepts one whose process was killed', async () => {
    const folder = await folders.copy(template());
    const app = await RunningApp.start({ PORT: '0', DATA_FOLDER: folder });
    await expectMistake(() => open(folder), /Another process.*DATA_FOLDER/);
    await app.stop('SIGKILL');
    await (await open(folder)).close();
  });

  it('starts after it was killed while it created its database', async () => {
    const environment = { PORT: '0', DATA_FOLDER: await folders.empty() };
    await killAt('Creating the database', environment);
    await (await open(environment.DATA_FOLDER)).close();
  });
}

/** Expects a mistake with a message of one line, which {@link expectFailure} shows to be all that the application prints. */
async function expectMistake(action: () => Promise<unknown>, message: RegExp): Promise<string> {
  const { StartError } = await load<typeof ErrorsModule>('errors.js');
  const error = await action().catch((thrown: Error) => thrown);
  expect(error).to.be.an.instanceOf(StartError);
  const text = (error as Error).message;
  expect(text).to.match(message);
  expect(text).to.not.contain('\n');
  return text;
}

async function expectFailure(environment: Record<string, string>, message: RegExp): Promise<void> {
  const { code, output } = await runToEnd(environment);
  expect(output).to.match(message);
  expect(output.trimEnd().split('\n')).to.have.length(1);
  expect(code).to.equal(1);
}

/** Runs queries in the database of a data folder. */
async function changeDatabase(folder: string, queries: readonly string[]): Promise<void> {
  const { PGlite } = createRequire(join(FOLDER, 'server.js'))('@electric-sql/pglite');
  const client = await PGlite.create(join(folder, 'database'));
  for (const query of queries) await client.query(query);
  await client.close();
}
