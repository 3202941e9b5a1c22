import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { FOLDER } from './app.js';
import type { Scene } from './scene.js';
import { Visitor } from './visitor.js';

const TOKENS = ['access_token', 'refresh_token', 'oauth_token', 'oauth_token_secret'];

type Row = Readonly<Record<string, string | null>>;

/** The content of the database. */
export function describeStorage(scene: () => Scene, databaseURL: () => string): void {
  const query = async (text: string, values: readonly string[] = []): Promise<readonly Row[]> => {
    const { Client } = createRequire(join(FOLDER, 'server.js'))('pg');
    const client = new Client({ connectionString: databaseURL() });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  };

  it('stores tokens only in encrypted form', async () => {
    const max = await Visitor.arrive(scene().browser, scene().url);
    await max.signIn('microblog-1.0', { person: 'max' });
    await max.link('social-network-vk-id', { person: 'max' });
    await max.leave();
    const rows = await query(
      `select provider, ${TOKENS.join(', ')} from accounts where identifier = any($1)`,
      ['{1823456789012345679,2147483648}'],
    );
    const columns = rows.flatMap((row) =>
      TOKENS.map((name) => [`${row.provider} ${name}`, row[name]] as const),
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
      `update accounts set refresh_token = (select refresh_token from accounts where provider = $1 and identifier = '66748')
       where provider = $1 and identifier = '12345678'`,
      ['social-network-vk-id'],
    );
    await ned.press('social-network-vk-id', 'Refresh tokens');
    expect(await ned.heading).to.equal('Something went wrong');
    expect(await ned.text).to.contain('The server log has the details');
    await Promise.all([hanako.leave(), ned.leave()]);
  });

  it('has one row for each user ID at a provider', async () => {
    const failure = await query(
      'insert into accounts (user_id, provider, identifier, profile, record, scope) select user_id, provider, identifier, profile, record, scope from accounts limit 1',
    ).catch((error: Error) => error);
    expect(failure).to.be.an('error').with.property('constraint', 'accounts_provider_identifier');
  });
}
