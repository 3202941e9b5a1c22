// @ts-check
// PostgreSQL if DATABASE_URL is set, else SQLite. Both run the same statements, with a question mark for each value.
import pg from 'pg';

/** @typedef {<Row>(statement: string, ...values: (string | number | null)[]) => Promise<Row[]>} Query */

// The key of a login is provider and identifier. Times are in milliseconds. Without tokens, the user has to log in again.
const SCHEMA = `
create table if not exists users (id text primary key, name text not null);
create table if not exists logins (
  provider text, identifier text, user_id text not null references users on delete cascade,
  tokens text, refresh_at bigint, locked_until bigint not null default 0, primary key (provider, identifier)
);`;

const { DATABASE_URL, DATABASE_FILE = ':memory:' } = process.env;
export const query = DATABASE_URL ? await openPostgreSQL(DATABASE_URL) : await openSQLite(DATABASE_FILE);

/** @param {string} connectionString @returns {Promise<Query>} */
async function openPostgreSQL(connectionString) {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString, allowExitOnIdle: true });
  pool.on('error', console.error); // Otherwise a connection that breaks while idle ends the process.
  // The lock is for processes that start at once, and ends with these statements.
  await pool.query(`select pg_advisory_xact_lock(1); ${SCHEMA}`);
  return async (statement, ...values) => {
    let count = 0;
    return (
      await pool.query(
        statement.replaceAll('?', () => `$${++count}`),
        values,
      )
    ).rows;
  };
}

/** @param {string} file @returns {Promise<Query>} */
async function openSQLite(file) {
  /** @type {{ DatabaseSync?: typeof import('libsql') }} */
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? {};
  // Node 20 has no SQLite. libsql has the same methods, and npm installs it without a compiler.
  const sqlite = new (DatabaseSync ?? (await import('libsql')).default)(file);
  sqlite.exec(`pragma busy_timeout = 5000; pragma journal_mode = wal; pragma foreign_keys = on; ${SCHEMA}`);
  return async (statement, ...values) => /** @type {any[]} */ (sqlite.prepare(statement).all(...values));
}
