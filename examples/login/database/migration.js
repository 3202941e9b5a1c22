// @ts-check
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { reasonOf, StartError } from '../start-error.js';

const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Runs the migrations that the database has not seen yet, all of them in one transaction.
 *
 * @param {import('./open.js').OpenedDatabase} opened
 * @throws {StartError} when a newer version of the application was here before: this one does not know its tables
 */
export async function bringUpToDate({ database, migrate }) {
  const newest = readMigrationFiles({ migrationsFolder: FOLDER }).at(-1)?.folderMillis ?? 0;
  if ((await lastMigration(database)) > newest) {
    throw new StartError(
      'A newer version of this application has migrated the database. Start that version, or give this one another database.',
    );
  }
  try {
    await migrate(FOLDER);
  } catch (error) {
    throw new StartError(
      `The tables cannot be brought up to date (${reasonOf(error)}). Allow the database user to create schemas and tables.`,
    );
  }
}

/**
 * When the newest migration of the database was written, in milliseconds since the epoch; 0 for an empty database.
 *
 * @param {import('./open.js').Database} database
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

/**
 * @param {import('./open.js').Database} database
 * @param {import('drizzle-orm').SQL} query
 */
async function rowsOf(database, query) {
  const result = await database.execute(query);
  return /** @type {{ rows: Record<string, unknown>[] }} */ (result).rows;
}
