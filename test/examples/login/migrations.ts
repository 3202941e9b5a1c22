import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { FOLDER } from './app.js';

/** Migrates rows of the first version of the schema: name of the strategy, user ID, day of the last login. */
export async function migratesAccounts(): Promise<void> {
  const { PGlite } = createRequire(join(FOLDER, 'server.js'))('@electric-sql/pglite');
  const client = await PGlite.create();
  await client.exec(migration('0000_users-accounts-sessions'));
  for (const [provider, identifier, day] of [
    ['microblog', '1', 1],
    ['microblog-1.0', '1', 2],
    ['social-network-vk-id', '1', 2],
    ['social-network', '1', 1],
    ['microblog', '2', 1],
    ['short-video', '1', 1],
  ] as const) {
    const { rows } = await client.query('insert into users default values returning id');
    await client.query(
      `insert into accounts (user_id, provider, identifier, profile, record, scope, signed_in_at)
       values ($1, $2, $3, '{}', '{}', '{}', $4)`,
      [rows[0].id, provider, identifier, new Date(2026, 0, day)],
    );
  }
  await client.exec(migration('0001_networks-claims'));
  const { rows } = await client.query(
    'select provider, identifier, network from accounts order by provider, identifier',
  );
  await client.close();
  expect(rows).to.deep.equal([
    { provider: 'microblog', identifier: '1', network: 'microblog-1.0' },
    { provider: 'microblog', identifier: '2', network: 'microblog' },
    { provider: 'short-video', identifier: '1', network: 'short-video' },
    { provider: 'social-network', identifier: '1', network: 'social-network-vk-id' },
  ]);
}

function migration(name: string): string {
  return readFileSync(join(FOLDER, 'database', 'migrations', `${name}.sql`), 'utf8');
}
