import { expect } from 'chai';
import { MalformedError } from '../../lib/index.js';
import { type Done, describeEach, personOf } from '../contract/harness.js';
import { logIn } from '../support/journey.js';
import { hostileScene, type Meddling } from './hostile-network.js';

const NONE = [undefined, 'null', '""', '{}', '[]', '[1]', 'true', 'false', '"\\ud83d"'];

describeEach('the identifier of a user record', (contract) => {
  const { subject, sandbox, strategy, app } = contract;
  const { record, large, tokenField } = subject.identity;
  const { provider } = subject;

  it('S3: a record with a missing or invalid identifier logs nobody in', async () => {
    let called = 0;
    const scene = await hostileScene(contract, {}, () => {
      called += 1;
    });
    for (const identifier of NONE) {
      scene.meddle('profileURL', () => ({ body: record(identifier) }));
      const page = await scene.attempt();
      expect([identifier, page.status]).to.deep.equal([identifier, 502]);
      const { error } = scene.app.endings.at(-1) as { error: MalformedError };
      expect(error).to.be.instanceOf(MalformedError);
      expect(error.code).to.be.oneOf(['identifier_missing', 'identifier_mismatch']);
    }
    expect(called).to.equal(0);
  });

  it('S3: a record that is empty at any depth logs nobody in', async () => {
    const scene = await hostileScene(contract);
    const empty = ['{}', '{"data":null}', '{"data":{}}', '{"data":{"user":null}}', '{"response":[]}'];
    const odd = ['{"response":[null]}', '{"response":{}}', '{"user":null}', '{"user":[]}', '{"data":[{}]}'];
    for (const body of [...empty, ...odd, '{"__proto__":{"id_str":"1","data":{"id":"1"}}}']) {
      scene.meddle('profileURL', () => ({ body }));
      const page = await scene.attempt();
      expect([body, page.status, page.json.code]).to.deep.equal([body, 502, 'identifier_missing']);
    }
  });

  it('S3: an identifier beyond 2^53 is a string that keeps every digit and is compared in full', async () => {
    const scene = await hostileScene(contract, {}, verifyID);
    const tokenEndpoint = scene.endpoints.at(-2) ?? 'tokenURL';
    const loginAs = (named: string) =>
      scene.attemptWith({
        [tokenEndpoint]: naming(tokenField, named),
        profileURL: () => ({ body: record(large) }),
      });
    expect((await loginAs('9007199254740993')).json.user).to.deep.equal({ id: '9007199254740993' });
    const page = await loginAs('9007199254740992');
    if (tokenField === undefined) expect(page.json.user).to.deep.equal({ id: '9007199254740993' });
    else expect([page.status, page.json.code]).to.deep.equal([502, 'identifier_mismatch']);
  });

  it('S3: a record of a different user than the token response names logs nobody in', async () => {
    const scene = await hostileScene(contract, {}, verifyID);
    scene.meddle('profileURL', () => ({ body: record(large) }));
    const page = await scene.attempt();
    if (tokenField === undefined) expect(page.json.user).to.deep.equal({ id: '9007199254740993' });
    else expect([page.status, page.json.code]).to.deep.equal([502, 'identifier_mismatch']);
  });

  it('S3: an identifier beyond 2^53, or with a leading hyphen, arrives unchanged from the sandbox', async () => {
    const world = await sandbox();
    const page = await logIn(await app(strategy(world)), provider, 'max');
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'max'));
  });

  it('S3: a custom profile mapping cannot change the provider', async () => {
    const world = await sandbox();
    const profile = () => ({ id: 'own', displayName: 'Own', provider: 'another' });
    const page = await logIn(await app(strategy(world, { profile, name: 'second-app' })), 'second-app');
    expect(page.json.user).to.deep.equal({ id: 'own', displayName: 'Own', provider: 'second-app' });
  });

  it('S3: a custom profile mapping without an identifier logs nobody in', async () => {
    const world = await sandbox();
    for (const mapped of [{ displayName: 'Nobody' }, { id: '' }, { id: 7 }, { id: {} }, undefined, null]) {
      const server = await app(strategy(world, { profile: () => mapped }));
      const page = await logIn(server, provider);
      expect(page.status).to.equal(500);
      expect(page.json.error).to.equal('TypeError');
      expect(page.json.message).to.match(/option profile must return an object with an id/);
    }
  });
});

function verifyID(_token: string, _refresh: unknown, { id }: { id: string }, done: Done): void {
  done(null, { id });
}

/** Changes a token response, JSON or form, so that the field names another user; without a field, changes nothing. */
function naming(field: string | undefined, identifier: string): Meddling {
  return async (honest) => {
    const { body } = await honest();
    const value = new RegExp(`("?${field}"?[:=]"?)[^",&}]+`);
    return { body: body.toString().replace(value, `$1${identifier}`) };
  };
}
