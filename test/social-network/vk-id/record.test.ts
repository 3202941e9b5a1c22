import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { realSockets } from '../../support/real-sockets.js';
import type { Reply, SeenRequest } from '../../support/server.js';
import { loggingIn, TOKENS, USER, verifiedIn } from './network.js';

describe('the ID in VK ID', () => {
  const logIn = loggingIn(realSockets());

  for (const [inTokens, inUserInfo] of [
    ['1234567890', '"1234567890"'],
    ['"1234567890"', '1234567890'],
    ['null', '"1234567890"'],
    ['"18446744073709551615"', '18446744073709551615'],
  ] as const) {
    it(`S3: may be ${inTokens} in the token response and ${inUserInfo} in the user info`, async () => {
      const replies = {
        '/oauth2/auth': { body: `{"access_token":"ACCESS-TOKEN","user_id":${inTokens}}` },
        '/oauth2/user_info': { body: `{"user":{"first_name":"Ivan","user_id":${inUserInfo}}}` },
      };
      const id = inUserInfo.replaceAll('"', '');
      const { profile } = verifiedIn((await logIn({}, { replies })).ending);
      expect(profile).to.include({ id, profileUrl: `https://vk.ru/id${id}` });
    });
  }

  it('is the user_id of the user object, not another user_id in the response', async () => {
    const body = { user_id: '666', other: { user_id: '666' }, user: USER };
    const { ending } = await logIn({}, { replies: { '/oauth2/user_info': { body } } });
    expect(verifiedIn(ending).profile.id).to.equal('1234567890');
  });
});

describe('the e-mail address in VK ID', () => {
  const logIn = loggingIn(realSockets());
  const RECORD = { ...USER, email: 'ivan@example.com', verified: true };
  const ASKING = { options: { includeEmail: true } };
  const ASKING_ONCE = { start: { scope: ['vkid.personal_info', 'email'] } };
  const SILENT = { scope: undefined };
  const GRANTED = { scope: 'vkid.personal_info email' };
  const IN_TOKENS = { ...GRANTED, email: 'other@example.com' };

  for (const [title, tokens, record, settings, isPresent] of [
    ['is present if requested, whatever scopes the token response names', {}, RECORD, ASKING, true],
    ['is left out if it was neither requested nor granted', {}, RECORD, {}, false],
    ['is present if requested for one login, and no scopes are named', SILENT, RECORD, ASKING_ONCE, true],
    ['is present if the token response names no granted scopes', SILENT, RECORD, ASKING, true],
    ['is present if granted, and not verified just because the account is', GRANTED, RECORD, {}, true],
    ['never comes from the token response, unlike in the classic protocol', IN_TOKENS, USER, {}, false],
  ] as const) {
    it(title, async () => {
      const replies = {
        '/oauth2/auth': { body: { ...TOKENS, ...tokens } },
        '/oauth2/user_info': { body: { user: record } },
      };
      const { options, start = {} }: { options?: object; start?: object } = settings;
      const { ending } = await logIn(options, { replies, start });
      const emails = isPresent ? [{ value: 'ivan@example.com' }] : undefined;
      expect(verifiedIn(ending).profile.emails).to.deep.equal(emails);
    });
  }
});

const PLAIN = {
  provider: 'social-network',
  id: '1234567890',
  displayName: 'Ivan Ivanov',
  name: { familyName: 'Ivanov', givenName: 'Ivan' },
  profileUrl: 'https://vk.ru/id1234567890',
};

const OPTIONS = { profileFields: ['screen_name', 'photo_max'] };

describe("VK ID's lookup of profileFields", () => {
  const close = realSockets();
  const logInWith = loggingIn(close);

  it('is not made without profileFields or with an empty list', async () => {
    for (const options of [{}, { profileFields: [] }, { profileFields: '' }, { lang: 'en' }]) {
      const { server, ending } = await logInWith(options);
      expect(server.requests.map(({ path }) => path)).to.deep.equal(['/oauth2/auth', '/oauth2/user_info']);
      expect(verifiedIn(ending).profile._json).to.deep.equal({ user: USER });
    }
  });

  for (const [title, query, more, expected] of [
    ['the default version', '', {}, { v: '5.199' }],
    ['apiVersion and lang', '', { apiVersion: '5.207', lang: 'de' }, { v: '5.207', lang: 'de' }],
    [
      'a version in lookupURL, which overrides apiVersion',
      '?v=5.131',
      { apiVersion: '5.207' },
      { v: '5.131' },
    ],
  ] as const) {
    it(`is one POST with the fields and ${title}, and with the token only in its header`, async () => {
      const lookupURL = (url: string) => `${url}/method/users.get${query}`;
      const { at } = await logInWith((url) => ({ ...OPTIONS, ...more, lookupURL: lookupURL(url) }));
      const [lookup] = at('/method/users.get');
      expect([lookup?.method, lookup?.url]).to.deep.equal(['POST', `/method/users.get${query}`]);
      const sent = Object.fromEntries([...(lookup?.query ?? []), ...(lookup?.form ?? [])]);
      expect(sent).to.deep.equal({ fields: 'screen_name,photo_max', ...expected });
      expect(lookup?.headers.authorization).to.equal('Bearer ACCESS-TOKEN');
    });
  }

  it('runs at the same time as the user info request', async () => {
    // Each responds when both requests have arrived; in sequence, the first would wait forever.
    const arrivals = new EventEmitter();
    const both = Promise.all([once(arrivals, 'user'), once(arrivals, 'lookup')]);
    const replies = {
      '/oauth2/user_info': async () => {
        arrivals.emit('user');
        await both;
        return { body: { user: USER } };
      },
      '/method/users.get': async () => {
        arrivals.emit('lookup');
        await both;
        return { body: { response: [{ id: 1234567890, screen_name: 'ivan_i' }] } };
      },
    };
    const { ending } = await logInWith({ profileFields: 'screen_name' }, { replies });
    expect(verifiedIn(ending).profile.username).to.equal('ivan_i');
  });

  const user = (id: unknown): Reply => ({ body: { response: [{ id, screen_name: 'lindsey' }] } });
  const failures: Readonly<Record<string, (request: SeenRequest) => Reply | Promise<Reply>>> = {
    'responds with an object instead of a list': () => ({ body: { response: { id: 1234567890 } } }),
    'responds with a number instead of a user': () => ({ body: { response: [1234567890] } }),
    'responds with an empty list': () => ({ body: { response: [] } }),
    'refuses the token': () => ({ body: { error: { error_code: 5, error_msg: 'Authorization failed' } } }),
    'asks for a browser challenge': () => ({ headers: { 'x-challenge': 'required' }, body: {} }),
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
      const { ending } = await logInWith(OPTIONS, { replies: { '/method/users.get': lookup } });
      const { _raw, _json, ...profile } = verifiedIn(ending).profile;
      expect(profile).to.deep.equal(PLAIN);
      expect(_json).to.deep.equal({ user: USER });
      expect(JSON.parse(_raw)).to.deep.equal({ user: USER });
    });
  }

  it('does not log the user in if the user info request fails, or names nobody', async () => {
    for (const [body, expected] of [
      [{ error: 'invalid_token' }, { networkCode: 'invalid_token' }],
      [{ user: {} }, { code: 'identifier_missing' }],
    ] as const) {
      const { ending } = await logInWith(OPTIONS, { replies: { '/oauth2/user_info': { body } } });
      expect(ending.error).to.include({ status: 502, ...expected });
    }
  });

  it('distinguishes IDs that JavaScript would round to the same number', async () => {
    const lookups: boolean[] = [];
    for (const found of ['9007199254740993', '9007199254740992']) {
      const replies = {
        '/oauth2/auth': { body: { access_token: 'ACCESS-TOKEN' } },
        '/oauth2/user_info': { body: { user: { user_id: '9007199254740993' } } },
        '/method/users.get': { body: `{"response":[{"id":${found},"screen_name":"max"}]}` },
      };
      const { ending } = await logInWith(OPTIONS, { replies });
      lookups.push('lookup' in verifiedIn(ending).profile._json);
    }
    expect(lookups).to.deep.equal([true, false]);
  });
});
