import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'mocha';

import Libsql = require('libsql');

import { Client } from 'pg';
import { needs } from '../support/requirements.js';
import { hasServers, SERVERS_NEEDED, startServers } from '../support/servers.js';

export type Row = Readonly<Record<'provider' | 'identifier' | 'tokens' | 'user_id', string>>;

/** A database of the login example: its settings, its rows, and what lies on the disk. */
export interface Database {
  readonly settings: Readonly<Record<string, string>>;
  query(statement: string): Promise<Row[]>;
  stored(): Promise<string>;
  close(): Promise<unknown>;
}

export const DATABASES: Readonly<Record<string, (context: Context) => Promise<Database>>> = {
  SQLite: openSQLite,
  'PostgreSQL and Redis': openPostgreSQL,
};

async function openSQLite(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  const DATABASE_FILE = join(folder, 'accounts.sqlite');
  const database = new Libsql(DATABASE_FILE);
  return {
    settings: { DATABASE_FILE, DATA_FOLDER: folder },
    query: async (statement) => database.prepare(statement).all() as Row[],
    stored: async () =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'latin1'))
        .join(''),
    close: async () => rmSync(folder, { recursive: true }),
  };
}

export async function openPostgreSQL(context: Context): Promise<Database> {
  needs(context, hasServers, SERVERS_NEEDED);
  const servers = await startServers();
  const client = new Client({ connectionString: servers.databaseURL });
  await client.connect();
  const query = async (statement: string) => (await client.query<Row>(statement)).rows;
  const secrets = ['SESSION_SECRET', 'LOGIN_SECRET', 'TOKEN_KEY'].map((name) => [
    name,
    Buffer.alloc(32, 7).toString('base64'),
  ]);
  return {
    settings: {
      DATABASE_URL: servers.databaseURL,
      REDIS_URL: servers.redisURL,
      ...Object.fromEntries(secrets),
    },
    query,
    stored: async () => JSON.stringify(await query('select * from logins')),
    close: async () => client.end().then(() => servers.stop()),
  };
}
