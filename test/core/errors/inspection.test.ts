import { inspect } from 'node:util';
import { expect } from 'chai';
import { hideSecrets, inspectAs } from '../../../lib/core/errors/index.js';

const SECRET = 'secret-0123456789';

describe('inspection', () => {
  it('S2: a hidden property works as before, and is not printed', () => {
    const client: { secret: string; open: string; absent?: string } = { secret: SECRET, open: 'x' };
    hideSecrets(client, ['secret', 'absent']);
    expect(client.secret).to.equal(SECRET);
    client.secret = `${SECRET}-2`;
    expect(client.secret).to.equal(`${SECRET}-2`);
    expect(inspect(client, { showHidden: true })).to.not.include(SECRET);
    expect(JSON.stringify(client)).to.equal('{"open":"x"}');
    expect({ ...client }).to.deep.equal({ open: 'x' });
    expect('absent' in client).to.equal(false);
  });

  it('S2: inspectAs shows a title and the current facts, and nothing else', () => {
    const client = { secret: SECRET, name: 'a' };
    inspectAs(client, 'TheClient', () => ({ name: client.name }));
    expect(inspect(client)).to.equal("TheClient { name: 'a' }");
    client.name = 'b';
    expect(inspect({ client }, { showHidden: true })).to.include("client: TheClient { name: 'b' }");
    expect(JSON.stringify({ client })).to.equal('{"client":{"name":"b"}}');
  });

  it('S2: a copy with the object as its prototype, as Passport makes it, shows the same', () => {
    const client = { secret: SECRET };
    hideSecrets(client, ['secret']);
    inspectAs(client, 'TheClient', () => ({ name: 'a' }));
    const copy = Object.create(client) as typeof client;
    expect(inspect(copy)).to.equal("TheClient { name: 'a' }");
    expect(copy.secret).to.equal(SECRET);
  });
});
