// @ts-check
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { reasonOf, StartError } from '../start-error.js';

const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Runs all pending migrations in one transaction.
 *
 * @param {import('./open.js').OpenedDatabase} opened
 * @throws {StartError} if a newer version of the application has migrated the database
 */
export async function runMigrations({ database, migrate }) {
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
