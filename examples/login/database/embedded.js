// @ts-check
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { reasonOf, StartError } from '../start-error.js';

/**
 * Opens PostgreSQL inside this process, with its files in the data folder. Needs no installation, and no data is lost if the
 * process is killed.
 *
 * @param {import('../data-folder.js').DataFolder} folder
 * @returns {Promise<import('./open.js').OpenedDatabase>}
 * @throws {StartError} if the files cannot be used
 */
export async function openEmbedded(folder) {
  await folder.lock();
  const files = join(folder.path, 'database');
  if (!(await exists(files))) await create(files);
  const client = await start(files);
  const database = drizzle(client);
  return {
    database,
    // connect-pg-simple only calls the pool's `query`, which works the same here. There is only one connection.
    sessionPool: /** @type {import('pg').Pool} */ (/** @type {unknown} */ (client)),
    migrate: (migrationsFolder) => migrate(database, { migrationsFolder }),
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
