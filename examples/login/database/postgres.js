// @ts-check
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { reasonOf, StartError } from '../start-error.js';

/** Advisory lock ID. Arbitrary, but the same in every process of this application. */
const START_LOCK = 7_240_519;

/**
 * Connects to a PostgreSQL server, which several processes of this application can share.
 *
 * @param {string} url
 * @returns {Promise<import('./open.js').OpenedDatabase>}
 * @throws {StartError} if it cannot be reached
 */
export async function openPostgres(url) {
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

/**
 * Runs `work` in one process of this application at a time.
 *
 * @param {pg.Pool} pool
 * @param {() => Promise<void>} work
 */
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
