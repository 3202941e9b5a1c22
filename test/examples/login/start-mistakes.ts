import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type DataFolders,
  type FailedStart,
  FOLDER,
  failToStart,
  freePort,
  killAt,
  LoginApp,
} from './app.js';

const KEY = randomBytes(32).toString('base64');

/** Mistakes in the setup. Each ends with exit code 1 and one line that says how to fix it. */
export function describeStartMistakes(folders: DataFolders, template: () => string): void {
  it('reports a port in use and touches no data', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const folder = join(await folders.empty(), 'data');
    const failure = await failToStart({ PORT: String(port), DATA_FOLDER: folder });
    server.close();
    expectOneLine(failure, /EADDRINUSE.*PORT=/);
    expect(existsSync(folder)).to.equal(false);
  });

  const unusable: readonly [setting: string, environment: Record<string, string>, message: RegExp][] = [
    ['an invalid port', { PORT: 'http' }, /PORT is not a valid port.*65535/],
    [
      'a base URL with a path',
      { BASE_URL: 'https://example.com/app' },
      /BASE_URL.*https:\/\/login\.example\.com/,
    ],
    ['a database of another kind', { DATABASE_URL: 'mysql://localhost/db' }, /DATABASE_URL.*postgres:\/\//],
    ['an encryption key that is too short', { ENCRYPTION_KEY: 'c2hvcnQ=' }, /ENCRYPTION_KEY.*node -p/],
    ['a session secret that is too short', { SESSION_SECRET: 'secret' }, /SESSION_SECRET.*node -p/],
    [
      'a production environment without the credentials of all networks',
      { NODE_ENV: 'production', SHORT_VIDEO_CLIENT_ID: 'KEY', SHORT_VIDEO_CLIENT_SECRET: 'SECRET' },
      /^Without MICROBLOG_CLIENT_ID, SOCIAL_NETWORK_VK_ID_CLIENT_ID, .*sandbox, where anyone can sign in as anyone\. Set the/,
    ],
    ['an unavailable host', { HOST: '203.0.113.1' }, /EADDRNOTAVAIL.*Correct HOST/],
  ];
  for (const [setting, environment, message] of unusable) {
    it(`rejects ${setting} and touches no data`, async () => {
      const folder = join(await folders.empty(), 'data');
      expectOneLine(await failToStart({ PORT: '0', DATA_FOLDER: folder, ...environment }), message);
      expect(existsSync(folder)).to.equal(false);
    });
  }

  it('rejects a client ID without a client secret', async () => {
    const environment = { PORT: '0', DATA_FOLDER: await folders.copy(template()), MICROBLOG_CLIENT_ID: 'ID' };
    expectOneLine(await failToStart(environment), /MICROBLOG_CLIENT_SECRET is missing.*sandbox/);
  });

  it('rejects the sandbox for a database that has accounts at real networks', async () => {
    const folder = await folders.copy(template());
    await changeDatabase(folder, [
      'insert into users default values',
      `insert into accounts (user_id, provider, identifier, network, profile, record, scope)
       select id, 'microblog', '2244994945', 'microblog', '{}', '{}', '{}' from users`,
    ]);
    const failure = await failToStart({ PORT: '0', DATA_FOLDER: folder });
    expectOneLine(failure, /accounts at real networks.*Set the credentials/);
  });

  it('reports a data folder that cannot be used', async () => {
    const file = join(await folders.empty(), 'file');
    await writeFile(file, '');
    expectOneLine(await failToStart({ PORT: '0', DATA_FOLDER: file }), /cannot be used.*DATA_FOLDER/);
  });

  it('reports an unreachable database without its password', async () => {
    const DATABASE_URL = `postgresql://login:hunter2@127.0.0.1:${await freePort()}/login`;
    const failure = await failToStart({ PORT: '0', DATA_FOLDER: await folders.empty(), DATABASE_URL });
    expectOneLine(failure, /database at 127\.0\.0\.1.*ECONNREFUSED.*DATABASE_URL/);
    expect(failure.errors).to.not.contain('hunter2');
  });

  it('reports an unreachable Redis', async () => {
    const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
    const environment = { PORT: '0', DATA_FOLDER: await folders.copy(template()), REDIS_URL };
    expectOneLine(await failToStart(environment), /Redis at 127\.0\.0\.1.*ECONNREFUSED.*REDIS_URL/);
  });

  it("rejects an encryption key that differs from the database's", async () => {
    const environment = { PORT: '0', DATA_FOLDER: await folders.copy(template()), ENCRYPTION_KEY: KEY };
    expectOneLine(await failToStart(environment), /encrypted with another key.*Set ENCRYPTION_KEY/);
  });

  it('generates no new key for a database that has one', async () => {
    const folder = await folders.empty();
    await (await LoginApp.start({ PORT: '0', DATA_FOLDER: folder, ENCRYPTION_KEY: KEY })).stop();
    expectOneLine(await failToStart({ PORT: '0', DATA_FOLDER: folder }), /encrypted with another key/);
    expect(readdirSync(folder)).to.have.members(['database', 'session-secret']);
  });

  it('rejects a database that a newer version has migrated', async () => {
    const folder = await folders.copy(template());
    // A migration that this version does not know.
    await changeDatabase(folder, [
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', ${Date.now() + 1_000_000})`,
    ]);
    const failure = await failToStart({ PORT: '0', DATA_FOLDER: folder });
    expectOneLine(failure, /newer version.*Start that version/);
  });

  it('rejects a data folder that another process uses, but accepts one whose process was killed', async () => {
    const folder = await folders.copy(template());
    const app = await LoginApp.start({ PORT: '0', DATA_FOLDER: folder });
    expectOneLine(await failToStart({ PORT: '0', DATA_FOLDER: folder }), /Another process.*DATA_FOLDER/);
    await app.kill();
    await (await LoginApp.start({ PORT: '0', DATA_FOLDER: folder })).stop();
  });

  it('starts after it was killed while it created its database', async () => {
    const environment = { PORT: '0', DATA_FOLDER: await folders.empty() };
    await killAt('Creating the database', environment);
    await (await LoginApp.start(environment)).stop();
  });
}

function expectOneLine({ code, errors }: FailedStart, message: RegExp): void {
  expect(errors).to.match(message);
  expect(errors.trimEnd().split('\n')).to.have.length(1);
  expect(code).to.equal(1);
}

/** Runs queries in the database of a data folder. */
async function changeDatabase(folder: string, queries: readonly string[]): Promise<void> {
  const { PGlite } = createRequire(join(FOLDER, 'server.js'))('@electric-sql/pglite');
  const client = await PGlite.create(join(folder, 'database'));
  for (const query of queries) await client.query(query);
  await client.close();
}
