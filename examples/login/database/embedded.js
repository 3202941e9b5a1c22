// @ts-check
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { reasonOf, StartError } from '../start-error.js';

/**
 * PostgreSQL inside this process, with its files in the data folder: nothing to install, and nothing is lost when the
 * process is killed.
 *
 * @param {import('../data-folder.js').DataFolder} folder
 * @returns {Promise<import('./open.js').OpenedDatabase>}
 * @throws {StartError} when the files cannot be used
 */
export async function openEmbedded(folder) {
  await folder.lock();
  const files = join(folder.path, 'database');
  if (!(await exists(files))) await create(files);
  const client = await start(files);
  const database = drizzle(client);
  return {
    database,
    // connect-pg-simple calls `query` and nothing else of a pool, and both mean the same by it.
    pool: /** @type {import('pg').Pool} */ (/** @type {unknown} */ (client)),
    migrate: (migrationsFolder) => migrate(database, { migrationsFolder }),
    close: () => client.close(),
  };
}

/**
 * Creates the files elsewhere first: killed half-way, they would be a database that never opens again.
 *
 * @param {string} files
 */
async function create(files) {
  console.log(`Creating the database in ${files}, once; this takes some seconds.`);
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
      `The database in ${files} does not open (${reasonOf(error)}). Put a backup there, or name another folder in DATA_FOLDER.`,
    );
  }
}

/** @param {string} path */
const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  );
