// @ts-check
import { openEmbedded } from './embedded.js';
import { runMigrations } from './migration.js';
import { openPostgres } from './postgres.js';

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
