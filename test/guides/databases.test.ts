import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Client, type Pool } from 'pg';
import { freePorts, waitForPort } from '../../examples/cluster/ports.js';
import { hasServers, Servers } from '../../examples/cluster/servers.js';
import { MicroblogStrategy, type Profile, ShortVideoStrategy } from '../../lib/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { type Closeable, closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { needs } from '../support/requirements.js';
import { blocksOf, ROOT } from './pages.js';

const PAGE = 'docs/profile.md';
/** `npm run test:databases` installs its packages. */
const PROJECT = join(ROOT, 'tools/databases');
const SOURCE = join(PROJECT, 'dist/source');
const BUILT = join(PROJECT, 'dist/built');
const FIRST_LOGINS = 20;

interface Recipe {
  findOrCreateUser(profile: Profile<unknown>): Promise<{ id: string }>;
  findUser(id: string): Promise<{ id: string; name: string } | undefined>;
}

/** How an application ends its connections before it exits. */
const RECIPES: Readonly<Record<string, (recipe: never) => Promise<unknown>>> = {
  'users-with-pg': ({ pool }: { pool: Pool }) => pool.end(),
  'users-with-drizzle': ({ database }: { database: { $client: Pool } }) => database.$client.end(),
  'users-with-prisma': ({ prisma }: { prisma: { $disconnect(): Promise<void> } }) => prisma.$disconnect(),
  'users-with-typeorm': ({ database }: { database: { destroy(): Promise<void> } }) => database.destroy(),
};

const DATABASES: Readonly<Record<string, () => Promise<Closeable & { readonly url: string }>>> = {
  PGlite: startPGlite,
  PostgreSQL: startPostgreSQL,
};

const alice: Profile<unknown> = {
  provider: 'microblog',
  id: '12',
  displayName: 'Alice Example',
  username: 'alice',
  emails: [{ value: 'alice@example.com' }],
  photos: [{ value: 'https://pictures.example/1' }],
  _raw: '{}',
  _json: {},
};

describe('The recipes for a database', function () {
  this.timeout(60_000);

  before(() => {
    rmSync(join(PROJECT, 'dist'), { recursive: true, force: true });
    mkdirSync(SOURCE, { recursive: true });
    for (const block of blocksOf(PAGE)) {
      const [, name] = /^\/\/ (login-data\.ts|users-with-\w+\.ts|schema\.prisma)\n/.exec(block.code) ?? [];
      if (name !== undefined) writeFileSync(join(SOURCE, name), block.code);
    }
    // Prisma's command downloads a program for migrations unless this names one. Generating the client does not run it.
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
    const prisma = join(PROJECT, 'node_modules/prisma/build/index.js');
    run(prisma, ['generate', '--schema', join(SOURCE, 'schema.prisma')], env);
    run(join(ROOT, 'node_modules/typescript/bin/tsc'), ['-p', PROJECT]);
  });
  after(() => rmSync(join(PROJECT, 'dist'), { recursive: true, force: true }));

  for (const [kind, startDatabase] of Object.entries(DATABASES)) {
    describe(`on ${kind}`, () => {
      let database: Closeable & { readonly url: string };
      let client: Client;

      before(async function () {
        if (kind === 'PostgreSQL') needs(this, hasServers, 'these tests need PostgreSQL and Redis.');
        database = await startDatabase();
        client = new Client({ connectionString: database.url });
        await client.connect();
        const [schema] = blocksOf(PAGE).filter(({ language }) => language === 'sql');
        await client.query(schema?.code ?? '');
      });
      after(async () => {
        // A pool has ended before its connections are closed. A database that stops earlier fails them.
        while (client && (await connections()) > 1) await setTimeout(20);
        await client?.end();
        await database?.close();
      });
      afterEach(() => client.query('delete from users'));

      const connections = async () => {
        const { rows } = await client.query<{ count: number }>(
          "select count(*)::int from pg_stat_activity where backend_type = 'client backend'",
        );
        return rows[0]?.count ?? 0;
      };

      const count = async (table: 'users' | 'logins') => {
        const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
        return Number(rows[0]?.count);
      };

      for (const [name, close] of Object.entries(RECIPES)) {
        describe(name, () => {
          const closing = closesAfterEach();
          let recipe: Recipe;

          before(async () => {
            process.env.DATABASE_URL = database.url;
            const url = `${pathToFileURL(join(BUILT, `${name}.js`)).href}?${kind}`;
            recipe = (await import(url)) as Recipe;
          });
          after(() => close(recipe as never));

          it('creates a user at the first login, and finds it at the next', async () => {
            const user = await recipe.findOrCreateUser(alice);
            expect(await recipe.findOrCreateUser(alice)).to.deep.equal(user);
            expect(await recipe.findUser(user.id)).to.include({ id: user.id, name: 'Alice Example' });
            expect(await count('users')).to.equal(1);
          });

          // All connections to PGlite share one session, so nothing happens at once there.
          if (kind === 'PostgreSQL')
            it(`creates one user for ${FIRST_LOGINS} first logins at once`, async () => {
              const found = await Promise.all(
                Array.from({ length: FIRST_LOGINS }, () => recipe.findOrCreateUser(alice)),
              );
              expect(new Set(found.map(({ id }) => id)).size).to.equal(1);
              expect(await count('users')).to.equal(1);
              expect(await count('logins')).to.equal(1);
            });

          it('stores a changed handle, and no address that the network no longer sends', async () => {
            const user = await recipe.findOrCreateUser(alice);
            const { emails: _, ...rest } = alice;
            const renamed = await recipe.findOrCreateUser({
              ...rest,
              username: 'alice_2',
              displayName: 'Alice B.',
            });
            expect(renamed).to.deep.equal(user);
            const { rows } = await client.query('select display_name, username, email, picture from logins');
            expect(rows).to.deep.equal([
              {
                display_name: 'Alice B.',
                username: 'alice_2',
                email: null,
                picture: 'https://pictures.example/1',
              },
            ]);
            expect(await recipe.findUser(user.id)).to.include({ name: 'Alice Example' });
          });

          it('keeps apart two networks with the same ID, and two IDs that differ in case', async () => {
            const ids = [
              await recipe.findOrCreateUser({ ...alice, provider: 'social-network' }),
              await recipe.findOrCreateUser({ ...alice, provider: 'short-video', id: 'aB' }),
              await recipe.findOrCreateUser({ ...alice, provider: 'short-video', id: 'Ab' }),
              await recipe.findOrCreateUser(alice),
            ].map(({ id }) => id);
            expect(new Set(ids).size).to.equal(4);
          });

          it('finds no user who was deleted, and deletes the logins with the user', async () => {
            const { id } = await recipe.findOrCreateUser(alice);
            await client.query('delete from users where id = $1', [id]);
            expect(await recipe.findUser(id)).to.equal(undefined);
            expect(await count('logins')).to.equal(0);
          });

          it('is what verify of a login returns', async () => {
            const sandbox = closing(await startSandbox());
            const verify = async (_access: string, _refresh: string | undefined, profile: Profile<unknown>) =>
              recipe.findOrCreateUser(profile);
            const app = closing(
              await loginApp([
                new ShortVideoStrategy(sandbox.options('short-video'), verify),
                new MicroblogStrategy(sandbox.options('microblog'), verify),
              ]),
            );
            for (const network of ['short-video', 'microblog', 'microblog']) await logIn(app, network);
            const [video, post, again] = app.endings.map(({ user }) => user);
            expect(again).to.deep.equal(post).and.not.deep.equal(video);
            expect(await count('logins')).to.equal(2);
          });
        });
      }
    });
  }
});

/** Runs a command to its end. Throws an error with what it printed if it fails. */
function run(script: string, args: readonly string[], env = process.env): void {
  try {
    execFileSync(process.execPath, [script, ...args], { cwd: PROJECT, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${script} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

async function startPGlite(): Promise<Closeable & { readonly url: string }> {
  const [port = 0] = await freePorts(1);
  const program = join(PROJECT, 'node_modules/@electric-sql/pglite-socket/dist/scripts/server.js');
  const server = spawn(
    process.execPath,
    [program, '--db=memory://', `--port=${port}`, '--max-connections=10'],
    { stdio: 'ignore' },
  );
  await waitForPort(port, server);
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    async close() {
      server.kill();
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

async function startPostgreSQL(): Promise<Closeable & { readonly url: string }> {
  const servers = await Servers.start();
  return { url: servers.databaseURL, close: () => servers.stop() };
}
