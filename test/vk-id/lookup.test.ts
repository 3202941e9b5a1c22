import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import type { MalformedError, RefusedError } from '../../lib/index.js';
import { logIn } from '../support/journey.js';
import type { Reply, SeenRequest } from '../support/server.js';
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

  it('adds the record at users.get, with handle, page and the larger picture', async () => {
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

  it('is not made without profileFields, nor with an empty list', async () => {
    for (const options of [{}, { profileFields: [] }, { profileFields: '' }, { lang: 'en' }]) {
      const { network, ...vkId } = await atNetwork({}, { options });
      await comeBack(vkId);
      expect(network.requests.map(({ path }) => path)).to.deep.equal(['/oauth2/auth', '/oauth2/user_info']);
      expect(onlyLogin(vkId).profile._json).to.deep.equal({ user: USER });
    }
  });

  it('is one POST with the fields, the version, the language, and the token in its header alone', async () => {
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

  it('runs while the user info is on its way', async () => {
    // Each answers when both have been asked: one after the other, the first would wait for ever.
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

  const person = (id: unknown): Reply => ({ body: { response: [{ id, screen_name: 'lindsey' }] } });
  const failures: Readonly<Record<string, (request: SeenRequest) => Reply | Promise<Reply>>> = {
    'answers 500': () => ({ status: 500, body: 'oops' }),
    'refuses with HTTP 200': () => ({ body: { error: { error_code: 15, error_msg: 'Access denied' } } }),
    'asks for a captcha': () => ({ body: { error: { error_code: 14, error_msg: 'Captcha needed' } } }),
    'answers with a page': () => ({ body: '<html></html>' }),
    'answers JSON null': () => ({ body: 'null' }),
    'knows nobody': () => ({ body: { response: [] } }),
    'answers in another form': () => ({ body: { response: { id: 1234567890 } } }),
    'has a number for a person': () => ({ body: { response: [1234567890] } }),
    'leads elsewhere': () => ({ status: 302, headers: { location: '/elsewhere' } }),
    'asks for a person in place of a robot': () => ({ headers: { 'x-challenge': 'required' }, body: {} }),
    'cuts its answer short': ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"response":[');
      socket.destroySoon();
      return new Promise<never>(() => undefined);
    },
    'breaks the connection': ({ socket }) => {
      socket.destroy();
      return new Promise<never>(() => undefined);
    },
    'answers with another person': () => person(66748),
    'answers with a person without identifier': () => person(undefined),
    'answers with an identifier of another form': () => person({ value: 1234567890 }),
  };

  for (const [what, lookup] of Object.entries(failures)) {
    it(`is left out when it ${what}, and the person is let in`, async () => {
      const vkId = await atNetwork({ lookup }, { options: OPTIONS });

      const page = await comeBack(vkId);

      expect(page.status).to.equal(200);
      const { _raw, _json, ...profile } = onlyLogin(vkId).profile;
      expect(profile).to.deep.equal(PLAIN);
      expect(_json).to.deep.equal({ user: USER });
      expect(JSON.parse(_raw)).to.deep.equal({ user: USER });
    });
  }

  it('is left out when it never answers, after the time that every request has', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const vkId = await atNetwork({ lookup }, { options: { ...OPTIONS, timeout: 1_000 } });
    expect((await comeBack(vkId)).status).to.equal(200);
    expect(onlyLogin(vkId).profile._json).to.deep.equal({ user: USER });
  });

  it('lets nobody in when the user info is refused', async () => {
    const user = () => ({ body: { error: 'invalid_token' } });
    const vkId = await atNetwork({ user }, { options: OPTIONS });
    expect((await comeBack(vkId)).status).to.equal(502);
    expect((onlyError(vkId) as RefusedError).networkCode).to.equal('invalid_token');
  });

  it('is no substitute for the identifier of the user info', async () => {
    const vkId = await atNetwork({ user: () => ({ body: { user: {} } }) }, { options: OPTIONS });
    expect((await comeBack(vkId)).status).to.equal(502);
    expect((onlyError(vkId) as MalformedError).code).to.equal('identifier_missing');
  });

  it('tells people apart whose identifiers JavaScript would round to one', async () => {
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
