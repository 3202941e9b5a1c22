import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectPage } from '../../support/page.js';
import { FOLDER } from './app.js';
import type { Scene } from './scene.js';
import { Visitor } from './visitor.js';

const TOKENS = ['access_token', 'refresh_token', 'oauth_token', 'oauth_token_secret'];

type Row = Readonly<Record<string, string | null>>;

/** The content of the database. */
export function describeStorage(scene: () => Scene, databaseURL: () => string): void {
  const query = (text: string, values?: readonly string[]) => queryDatabase(databaseURL(), text, values);

  it('stores tokens only in encrypted form', async () => {
    const hubert = await Visitor.arrive(scene().browser, scene().url);
    await hubert.signIn('microblog-1.0', { person: 'hubert' });
    await hubert.link('social-network-vk-id', { person: 'hubert' });
    await hubert.leave();
    const rows = await query(
      `select network, ${TOKENS.join(', ')} from accounts where identifier = any($1)`,
      ['{9223372036854775807,9007199254740991}'],
    );
    const columns = rows.flatMap((row) =>
      TOKENS.map((name) => [`${row.network} ${name}`, row[name]] as const),
    );
    const encrypted = columns.filter(([, token]) => token !== null);
    expect(encrypted.map(([name]) => name)).to.include.members([
      'microblog-1.0 oauth_token',
      'microblog-1.0 oauth_token_secret',
      'social-network-vk-id access_token',
      'social-network-vk-id refresh_token',
    ]);
    // A compact JWE has five parts. The second, the encrypted key, is empty.
    for (const [name, token] of encrypted)
      expect(token, name).to.match(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it("does not decrypt a token that was copied into another user's row", async () => {
    const [hanako, ned] = await Promise.all([
      Visitor.arrive(scene().browser, scene().url),
      Visitor.arrive(scene().browser, scene().url),
    ]);
    await hanako.signIn('social-network-vk-id', { person: 'hanako' });
    await ned.signIn('social-network-vk-id', { person: 'ned' });
    await query(
      `update accounts set refresh_token = (select refresh_token from accounts where network = $1 and identifier = '66748')
       where network = $1 and identifier = '12345678'`,
      ['social-network-vk-id'],
    );
    await ned.press('social-network-vk-id', 'Refresh tokens');
    expect(await ned.heading).to.equal('Something went wrong');
    expectPage(await ned.text).toHave('The server log has the details');
    await Promise.all([hanako.leave(), ned.leave()]);
  });

  it('keeps accounts at the sandbox under keys of their own, one for all versions of a network', async () => {
    const rows = await query('select distinct provider from accounts order by provider');
    expect(rows.map(({ provider }) => provider)).to.deep.equal([
      'sandbox:microblog',
      'sandbox:short-video',
      'sandbox:social-network',
    ]);
  });

  it('has one row for each user ID at a provider', async () => {
    const failure = await query(
      'insert into accounts (user_id, provider, identifier, network, profile, record, scope) select user_id, provider, identifier, network, profile, record, scope from accounts limit 1',
    ).catch((error: Error) => error);
    expect(failure).to.be.an('error').with.property('constraint', 'accounts_provider_identifier');
  });
}

/** Runs a query on a PostgreSQL server. */
export async function queryDatabase(
  url: string,
  text: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  const { Client } = createRequire(join(FOLDER, 'server.js'))('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
