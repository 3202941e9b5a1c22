// @ts-check
// PostgreSQL if DATABASE_URL is set, else SQLite. Both run the same statements, with a question mark for each value.
import pg from 'pg';

/** @typedef {<Row>(statement: string, ...values: (string | number | null)[]) => Promise<Row[]>} Query */

// The key of a login is provider and identifier. Times are in milliseconds. Without tokens, the user has to log in again.
const SCHEMA = `
create table if not exists users (id text primary key, name text not null, signed_out_at bigint not null default 0);
create table if not exists logins (
  provider text, identifier text, user_id text not null references users on delete cascade, profile text not null,
  tokens text, refresh_at bigint, locked_until bigint not null default 0, linked_at bigint not null, primary key (provider, identifier)
);
create index if not exists logins_of_user on logins (user_id);
create table if not exists sessions (id text primary key, content text not null, expires_at bigint not null);
create table if not exists used_logins (id text primary key, expires_at bigint not null);`;

/** PostgreSQL's code. */
const SERIALIZATION_FAILURE = '40001';

const { DATABASE_URL, DATABASE_FILE = ':memory:' } = process.env;
export const query = DATABASE_URL ? await openPostgreSQL(DATABASE_URL) : await openSQLite(DATABASE_FILE);

/** Deletes what nobody needs any more. */
export async function deleteExpired() {
  await query('delete from sessions where expires_at < ?', Date.now());
  await query('delete from used_logins where expires_at < ?', Date.now());
}

/** @param {string} connectionString @returns {Promise<Query>} */
async function openPostgreSQL(connectionString) {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  // Statements act as if they ran one after another, as in SQLite: two requests at once cannot unlink both logins of a user.
  const options = '-c default_transaction_isolation=serializable';
  const pool = new pg.Pool({
    connectionString,
    options,
    connectionTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  pool.on('error', console.error); // Otherwise a connection that breaks while idle ends the process.
  // The lock is for processes that start at once, and ends with these statements.
  await pool.query(`select pg_advisory_xact_lock(1); ${SCHEMA}`);
  return async (statement, ...values) => {
    let count = 0;
    const text = statement.replaceAll('?', () => `$${++count}`);
    for (;;) {
      try {
        return (await pool.query(text, values)).rows;
      } catch (error) {
        // Another statement was in the way. Each is a transaction of its own, so it has changed nothing.
        if (/** @type {{ code?: string }} */ (error).code !== SERIALIZATION_FAILURE) throw error;
      }
    }
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
