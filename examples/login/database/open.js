// @ts-check
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite';
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { reasonOf, StartError } from '../errors.js';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Advisory lock ID. Arbitrary, but the same in every process of this application. */
const START_LOCK = 7_240_519;

/**
 * The interface that both kinds of database share.
 *
 * @typedef {import('drizzle-orm/pg-core').PgDatabase<import('drizzle-orm/pg-core').PgQueryResultHKT>} Database
 */

/**
 * @typedef {object} OpenedDatabase
 * @property {Database} database
 * @property {import('pg').Pool} sessionPool Connections for the sessions only, so that the accounts cannot use them up
 * @property {(migrationsFolder: string) => Promise<void>} migrate Runs the pending migrations
 * @property {() => Promise<void>} close
 */

/**
 * Opens the configured database and runs pending migrations.
 *
 * @param {import('../settings.js').Settings} settings
 * @param {import('../data-folder.js').DataFolder} folder
 * @returns {Promise<OpenedDatabase>}
 */
export async function openDatabase({ databaseURL }, folder) {
  const opened = databaseURL ? await openPostgres(databaseURL) : await openEmbedded(folder);
  try {
    await runMigrations(opened);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * Runs all pending migrations in one transaction.
 *
 * @param {OpenedDatabase} opened
 * @throws {StartError} if a newer version of the application has migrated the database
 */
async function runMigrations({ database, migrate }) {
  const newest = readMigrationFiles({ migrationsFolder: FOLDER }).at(-1)?.folderMillis ?? 0;
  if ((await lastMigration(database)) > newest) {
    throw new StartError(
      'A newer version of this application has migrated the database. Start that version, or use another database.',
    );
  }
  try {
    await migrate(FOLDER);
  } catch (error) {
    throw new StartError(
      `The database cannot be migrated (${reasonOf(error)}). Allow the database user to create schemas and tables.`,
    );
  }
}

/**
 * Returns the date of the database's newest migration, in milliseconds since the epoch; 0 for an empty database.
 *
 * @param {Database} database
 */
async function lastMigration(database) {
  const [table] = await rowsOf(database, sql`select to_regclass('drizzle.__drizzle_migrations') as name`);
  if (table?.name === null) return 0;
  const [last] = await rowsOf(
    database,
    sql`select max(created_at) as moment from drizzle.__drizzle_migrations`,
  );
  return Number(last?.moment ?? 0);
}

/** @param {Database} database @param {import('drizzle-orm').SQL} query */
async function rowsOf(database, query) {
  const result = await database.execute(query);
  return /** @type {{ rows: Record<string, unknown>[] }} */ (result).rows;
}

/**
 * Opens PostgreSQL inside this process, with its files in the data folder. Needs no installation, and no data is lost if the
 * process is killed.
 *
 * @param {import('../data-folder.js').DataFolder} folder
 * @returns {Promise<OpenedDatabase>}
 * @throws {StartError} if the files cannot be used
 */
async function openEmbedded(folder) {
  await folder.lock();
  const files = join(folder.path, 'database');
  if (!(await exists(files))) await create(files);
  const client = await start(files);
  const database = drizzleEmbedded(client);
  return {
    database,
    // connect-pg-simple only calls the pool's `query`, which works the same here. There is only one connection.
    sessionPool: /** @type {import('pg').Pool} */ (/** @type {unknown} */ (client)),
    migrate: (migrationsFolder) => migrateEmbedded(database, { migrationsFolder }),
    close: () => client.close(),
  };
}

/**
 * Creates the files under another name first. A process killed half-way would otherwise leave a broken database.
 *
 * @param {string} files
 */
async function create(files) {
  console.log(`Creating the database in ${files}. This happens once and takes a few seconds.`);
  const draft = `${files}.new`;
  await rm(draft, { recursive: true, force: true });
  const client = await start(draft);
  await client.close();
  await rename(draft, files);
}

/** @param {string} files */
async function start(files) {
  try {
    return await PGlite.create(files);
  } catch (error) {
    throw new StartError(
      `The database in ${files} cannot be opened (${reasonOf(error)}). Restore a backup, or set DATA_FOLDER to another folder.`,
    );
  }
}

/** @param {string} path */
const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Connects to a PostgreSQL server, which several processes of this application can share.
 *
 * @param {string} url
 * @returns {Promise<OpenedDatabase>}
 * @throws {StartError} if it cannot be reached
 */
async function openPostgres(url) {
  const [pool, sessionPool] = [createPool(url), createPool(url)];
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    const { host } = new URL(url);
    throw new StartError(
      `The database at ${host} cannot be used (${reasonOf(error)}). Start it, or correct DATABASE_URL.`,
    );
  }
  const database = drizzle(pool);
  return {
    database,
    sessionPool,
    migrate: (migrationsFolder) => exclusively(pool, () => migrate(database, { migrationsFolder })),
    close: async () => {
      await Promise.all([pool.end(), sessionPool.end()]);
    },
  };
}

/** Opens no connection yet. @param {string} url */
function createPool(url) {
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // The next query replaces a broken idle connection. Without a listener, the event would end the process.
  pool.on('error', (error) => console.error(`The database closed a connection: ${reasonOf(error)}`));
  return pool;
}

/** Runs `work` in one process of this application at a time. @param {pg.Pool} pool @param {() => Promise<void>} work */
async function exclusively(pool, work) {
  const connection = await pool.connect();
  try {
    await connection.query('select pg_advisory_lock($1)', [START_LOCK]);
    await work();
  } finally {
    // Closing the connection releases the lock in any case.
    connection.release(true);
  }
}
