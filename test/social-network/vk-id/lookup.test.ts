import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import type { MalformedError, RefusedError } from '../../../lib/index.js';
import { logIn } from '../../support/journey.js';
import type { Reply, SeenRequest } from '../../support/server.js';
import { USER } from './network.js';
import { backendRequests, comeBack, onlyError, onlyLogin, vkIdTests } from './vk-id.js';

const PLAIN = {
  provider: 'social-network',
  id: '1234567890',
  displayName: 'Ivan Ivanov',
  name: { familyName: 'Ivanov', givenName: 'Ivan' },
  profileUrl: 'https://vk.ru/id1234567890',
};

const OPTIONS = { profileFields: ['screen_name', 'photo_max'] };

describe("VK ID's lookup of profileFields", () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('adds the users.get record, with username, profile URL and the larger picture', async () => {
    const vkId = await atSandbox({ options: { profileFields: ['screen_name', 'photo_max', 'city'] } });
    await logIn(vkId.app, 'social-network', 'alice');
    const { profile } = onlyLogin(vkId);
    const { photo_max, ...lookup } = profile._json.lookup ?? {};
    expect(lookup).to.deep.equal({
      id: 1000000001,
      first_name: 'Alice',
      last_name: 'Example',
      can_access_closed: true,
      is_closed: false,
      screen_name: 'alice_example',
      city: { id: 1, title: 'Lisbon' },
    });
    expect(photo_max).not.to.equal(profile._json.user.avatar);
    expect(profile.photos).to.deep.equal([{ value: photo_max }]);
    expect(profile.username).to.equal('alice_example');
    expect(profile.profileUrl).to.equal('https://vk.ru/alice_example');
    expect(backendRequests(vkId.sandbox).sort()).to.deep.equal([
      'POST /social-network/method/users.get',
      'POST /vk-id/oauth2/auth',
      'POST /vk-id/oauth2/user_info',
    ]);
  });

  it('is not made without profileFields or with an empty list', async () => {
    for (const options of [{}, { profileFields: [] }, { profileFields: '' }, { lang: 'en' }]) {
      const { network, ...vkId } = await atNetwork({}, { options });
      await comeBack(vkId);
      expect(network.requests.map(({ path }) => path)).to.deep.equal(['/oauth2/auth', '/oauth2/user_info']);
      expect(onlyLogin(vkId).profile._json).to.deep.equal({ user: USER });
    }
  });

  it('is one POST with the fields, the version and the language, and with the token only in its header', async () => {
    const { network, ...vkId } = await atNetwork({}, { options: { ...OPTIONS, lang: 'en' } });
    await comeBack(vkId);
    const lookup = network.requests.find(({ path }) => path === '/method/users.get');
    expect(lookup?.method).to.equal('POST');
    expect(lookup?.url).to.equal('/method/users.get');
    expect(Object.fromEntries(lookup?.form ?? [])).to.deep.equal({
      fields: 'screen_name,photo_max',
      v: '5.199',
      lang: 'en',
    });
    expect(lookup?.headers.authorization).to.equal('Bearer ACCESS-TOKEN');
  });

  it('runs at the same time as the user info request', async () => {
    // Each responds when both requests have arrived; in sequence, the first would wait forever.
    const arrivals = new EventEmitter();
    const both = Promise.all([once(arrivals, 'user'), once(arrivals, 'lookup')]);
    const vkId = await atNetwork(
      {
        user: async () => {
          arrivals.emit('user');
          await both;
          return { body: { user: USER } };
        },
        lookup: async () => {
          arrivals.emit('lookup');
          await both;
          return { body: { response: [{ id: 1234567890, screen_name: 'ivan_i' }] } };
        },
      },
      { options: { profileFields: 'screen_name' } },
    );
    expect((await comeBack(vkId)).status).to.equal(200);
    expect(onlyLogin(vkId).profile.username).to.equal('ivan_i');
  });

  const user = (id: unknown): Reply => ({ body: { response: [{ id, screen_name: 'lindsey' }] } });
  const failures: Readonly<Record<string, (request: SeenRequest) => Reply | Promise<Reply>>> = {
    'responds with 500': () => ({ status: 500, body: 'oops' }),
    'responds with an error and HTTP 200': () => ({
      body: { error: { error_code: 15, error_msg: 'Access denied' } },
    }),
    'asks for a captcha': () => ({ body: { error: { error_code: 14, error_msg: 'Captcha needed' } } }),
    'responds with an HTML page': () => ({ body: '<html></html>' }),
    'responds with JSON null': () => ({ body: 'null' }),
    'responds with an empty list': () => ({ body: { response: [] } }),
    'responds with an object instead of a list': () => ({ body: { response: { id: 1234567890 } } }),
    'responds with a number instead of a user': () => ({ body: { response: [1234567890] } }),
    redirects: () => ({ status: 302, headers: { location: '/elsewhere' } }),
    'asks for a browser challenge': () => ({ headers: { 'x-challenge': 'required' }, body: {} }),
    'truncates its response': ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"response":[');
      socket.destroySoon();
      return new Promise<never>(() => undefined);
    },
    'closes the connection': ({ socket }) => {
      socket.destroy();
      return new Promise<never>(() => undefined);
    },
    'responds with another user': () => user(66748),
    'responds with a user without ID': () => user(undefined),
    'responds with an ID of the wrong type': () => user({ value: 1234567890 }),
  };

  for (const [what, lookup] of Object.entries(failures)) {
    it(`is left out if the network ${what}, and the user logs in`, async () => {
      const vkId = await atNetwork({ lookup }, { options: OPTIONS });

      const page = await comeBack(vkId);

      expect(page.status).to.equal(200);
      const { _raw, _json, ...profile } = onlyLogin(vkId).profile;
      expect(profile).to.deep.equal(PLAIN);
      expect(_json).to.deep.equal({ user: USER });
      expect(JSON.parse(_raw)).to.deep.equal({ user: USER });
    });
  }

  it('is left out if the network never responds, after the request timeout', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const vkId = await atNetwork({ lookup }, { options: { ...OPTIONS, timeout: 1_000 } });
    expect((await comeBack(vkId)).status).to.equal(200);
    expect(onlyLogin(vkId).profile._json).to.deep.equal({ user: USER });
  });

  it('does not log the user in if the user info request fails', async () => {
    const user = () => ({ body: { error: 'invalid_token' } });
    const vkId = await atNetwork({ user }, { options: OPTIONS });
    expect((await comeBack(vkId)).status).to.equal(502);
    expect((onlyError(vkId) as RefusedError).networkCode).to.equal('invalid_token');
  });

  it('does not replace a missing ID in the user info', async () => {
    const vkId = await atNetwork({ user: () => ({ body: { user: {} } }) }, { options: OPTIONS });
    expect((await comeBack(vkId)).status).to.equal(502);
    expect((onlyError(vkId) as MalformedError).code).to.equal('identifier_missing');
  });

  it('distinguishes IDs that JavaScript would round to the same number', async () => {
    const lookups: boolean[] = [];
    for (const found of ['9007199254740993', '9007199254740992']) {
      const vkId = await atNetwork(
        {
          token: () => ({ body: { access_token: 'ACCESS-TOKEN' } }),
          user: () => ({ body: { user: { user_id: '9007199254740993' } } }),
          lookup: () => ({ body: `{"response":[{"id":${found},"screen_name":"max"}]}` }),
        },
        { options: OPTIONS },
      );
      await comeBack(vkId);
      lookups.push('lookup' in onlyLogin(vkId).profile._json);
    }
    expect(lookups).to.deep.equal([true, false]);
  });
});
