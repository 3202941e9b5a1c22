// @ts-check
import { openEmbedded } from './embedded.js';
import { bringUpToDate } from './migration.js';
import { openPostgres } from './postgres.js';

/**
 * Both kinds of database, as far as the application knows them.
 *
 * @typedef {import('drizzle-orm/pg-core').PgDatabase<import('drizzle-orm/pg-core').PgQueryResultHKT>} Database
 */

/**
 * @typedef {object} OpenedDatabase
 * @property {Database} database
 * @property {import('pg').Pool} pool For the sessions
 * @property {(migrationsFolder: string) => Promise<void>} migrate Runs the migrations that the database has not seen
 * @property {() => Promise<void>} close
 */

/**
 * Opens the database of the settings and brings its tables up to date.
 *
 * @param {import('../settings.js').Settings} settings
 * @param {import('../data-folder.js').DataFolder} folder
 * @returns {Promise<OpenedDatabase>}
 */
export async function openDatabase({ databaseURL }, folder) {
  const opened = databaseURL ? await openPostgres(databaseURL) : await openEmbedded(folder);
  try {
    await bringUpToDate(opened);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}
