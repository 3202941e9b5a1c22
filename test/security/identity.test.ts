import { expect } from 'chai';
import { MalformedError } from '../../lib/index.js';
import { type Done, describeEach, personOf } from '../contract/harness.js';
import type { Subject } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { hostileScene, type Meddling } from './hostile-network.js';

/** How a network's user record carries the identifier. */
interface Place {
  /** The JSON of a record with this identifier, which is itself JSON; `undefined` leaves it out. */
  readonly record: (identifier: string | undefined) => string;
  /** An identifier in the network's JSON type that a JavaScript number cannot hold. */
  readonly large: string;
}

const pair = (name: string, value: string | undefined) => (value === undefined ? '' : `"${name}":${value},`);

const PLACES: Readonly<Record<string, Place>> = {
  'short-video': {
    record: (id) => `{"data":{"user":{${pair('open_id', id)}"display_name":"A"}},"error":{"code":"ok"}}`,
    large: '"9007199254740993"',
  },
  microblog: {
    record: (id) => `{"data":{${pair('id', id)}"name":"A","username":"a"}}`,
    large: '"9007199254740993"',
  },
  'microblog 1.0a': {
    record: (id) => `{${pair('id_str', id)}"id":9007199254740993,"name":"A","screen_name":"a"}`,
    large: '"9007199254740993"',
  },
  'social-network': {
    record: (id) => `{"response":[{${pair('id', id)}"first_name":"A","last_name":"B"}]}`,
    large: '9007199254740993',
  },
  'social-network 2.1': {
    record: (id) => `{"user":{${pair('user_id', id)}"first_name":"A","last_name":"B"}}`,
    large: '"9007199254740993"',
  },
};
const placeOf = ({ provider, version, oauth }: Subject) =>
  PLACES[[provider, oauth === '1.0a' ? oauth : version].filter(Boolean).join(' ')] as Place;

const NONE = [undefined, 'null', '""', '{}', '[]', '[1]', 'true', 'false', '"\\ud83d"'];

describeEach('the identifier of a user record', (contract) => {
  const { subject, sandbox, strategy, app } = contract;
  const { record, large } = placeOf(subject);
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
      scene.attemptWith({ [tokenEndpoint]: naming(named), profileURL: () => ({ body: record(large) }) });
    expect((await loginAs('9007199254740993')).json.user).to.deep.equal({ id: '9007199254740993' });
    const page = await loginAs('9007199254740992');
    if (namesNobody(subject)) expect(page.json.user).to.deep.equal({ id: '9007199254740993' });
    else expect([page.status, page.json.code]).to.deep.equal([502, 'identifier_mismatch']);
  });

  it('S3: a record of a different user than the token response names logs nobody in', async () => {
    const scene = await hostileScene(contract, {}, verifyID);
    scene.meddle('profileURL', () => ({ body: record(large) }));
    const page = await scene.attempt();
    if (namesNobody(subject)) expect(page.json.user).to.deep.equal({ id: '9007199254740993' });
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

/** The OAuth 2.0 token response of the microblog network does not say whose token it is. */
function namesNobody({ provider, oauth }: Subject): boolean {
  return provider === 'microblog' && oauth === '2.0';
}

/** Changes a token response, JSON or form, so that it names another user. */
function naming(identifier: string): Meddling {
  return async (honest) => {
    const { body } = await honest();
    const quoted = body.toString().replace(/("open_id":)"[^"]*"/, `$1"${identifier}"`);
    return { body: quoted.replace(/("user_id":|user_id=)"?\d+"?/, `$1${identifier}`) };
  };
}
