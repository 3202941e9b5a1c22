import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { type AnyStrategy, profileWith } from './migration.js';
import { GUIDES } from './migration-guides.js';
import { blocksOf } from './pages.js';

describe('Moving the identifiers in bulk', function () {
  this.timeout(30_000);
  const closing = closesAfterEach();

  it('after the statements of docs/migrating.md each user is found by provider and ID', async () => {
    const sandbox = closing(await startSandbox());
    const database = closing(new PGlite());
    const [alice] = sandbox.people;
    // What the other packages stored.
    await database.query(
      'create table users (id bigint primary key, name text, twitter_id text, tiktok_id text, vkontakte_id bigint)',
    );
    await database.query('insert into users values (1, $4, $1, $2, $3), (2, $4, null, null, 7)', [
      alice?.microblogId,
      alice?.openId,
      alice?.socialNetworkId,
      alice?.displayName,
    ]);
    const [tables] = blocksOf('docs/profile.md').filter(({ language }) => language === 'sql');
    const [, logins = ''] = /^(create table logins .*?;)$/ms.exec(tables?.code ?? '') ?? [];
    await database.exec(logins.replace('uuid', 'bigint'));
    const find = async (provider: string, id: string) => {
      const { rows } = await database.query(
        'select user_id from logins where provider = $1 and identifier = $2',
        [provider, id],
      );
      return rows;
    };
    const [move, rename] = blocksOf('docs/migrating.md').filter(({ language }) => language === 'sql');
    const strategies = GUIDES.flatMap((guide) => guide.strategies(sandbox)) as [AnyStrategy, object][];
    const oldNames = { microblog: 'twitter', 'short-video': 'tiktok', 'social-network': 'vkontakte' };
    const profiles = await Promise.all(strategies.map((pair) => profileWith(pair, closing)));
    expect(profiles).to.have.length(7);
    await database.exec(move?.code ?? '');
    for (const { provider, id } of profiles)
      expect(await find(oldNames[provider as keyof typeof oldNames], id)).to.deep.equal([{ user_id: 1 }]);
    await database.exec(rename?.code ?? '');
    for (const { provider, id } of profiles)
      expect(await find(provider, id), provider).to.deep.equal([{ user_id: 1 }]);
  });
});
