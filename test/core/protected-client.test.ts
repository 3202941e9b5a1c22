import { inspect } from 'node:util';
import { expect } from 'chai';
import { hideMembers, showOnly } from '../../lib/core/protected-client.js';

const SECRET = 'secret-0123456789';

describe('protected-client', () => {
  it('S2: a hidden member works as before, and is not printed', () => {
    const client: { secret: string; open: string; absent?: string } = { secret: SECRET, open: 'x' };
    hideMembers(client, ['secret', 'absent']);
    expect(client.secret).to.equal(SECRET);
    client.secret = `${SECRET}-2`;
    expect(client.secret).to.equal(`${SECRET}-2`);
    expect(inspect(client, { showHidden: true })).to.not.include(SECRET);
    expect(JSON.stringify(client)).to.equal('{"open":"x"}');
    expect({ ...client }).to.deep.equal({ open: 'x' });
    expect('absent' in client).to.equal(false);
  });

  it('S2: what is shown of an object is a title and the facts, as they are at that moment', () => {
    const client = { secret: SECRET, name: 'a' };
    showOnly(client, 'TheClient', () => ({ name: client.name }));
    expect(inspect(client)).to.equal("TheClient { name: 'a' }");
    client.name = 'b';
    expect(inspect({ client }, { showHidden: true })).to.include("client: TheClient { name: 'b' }");
    expect(JSON.stringify({ client })).to.equal('{"client":{"name":"b"}}');
  });

  it('S2: a copy with the object as prototype, as Passport makes, shows the same', () => {
    const client = { secret: SECRET };
    hideMembers(client, ['secret']);
    showOnly(client, 'TheClient', () => ({ name: 'a' }));
    const copy = Object.create(client) as typeof client;
    expect(inspect(copy)).to.equal("TheClient { name: 'a' }");
    expect(copy.secret).to.equal(SECRET);
  });
});
