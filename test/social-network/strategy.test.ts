import { expect } from 'chai';
import { SocialNetworkStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/social-network/index.js';
import { playLogin, redirectOf } from '../support/attempt.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type TestNetwork } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { type AnyFunction, verifyProfile } from '../support/verification.js';

const CREDENTIALS = { clientID: '51000001', clientSecret: 'the-protected-key' };

describe('social-network 2.0', () => {
  const close = realSockets();
  const logIn = async (options: object = {}, replies: Record<string, Reply> = {}) => {
    const server = close(await socialNetwork(replies));
    const strategy = socialNetworkStrategy({ ...optionsAt(server.url), ...options });
    const login = await playLogin(strategy);
    const [token, profile] = server.requests;
    return { ...login, token, profile, server };
  };

  it('v is in all three URLs, and response_type is code in the first', async () => {
    const { token, profile } = await logIn();
    const authorization = await redirectOf(socialNetworkStrategy(CREDENTIALS));
    const { state, ...rest } = Object.fromEntries(authorization.searchParams);
    expect(authorization.origin + authorization.pathname).to.equal('https://oauth.vk.ru/authorize');
    expect(rest).to.deep.equal({
      v: '5.126',
      response_type: 'code',
      client_id: '51000001',
      redirect_uri: 'https://app.example/api/auth/callback/social-network',
    });
    expect(state).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(token?.url).to.equal('/access_token?v=5.126');
    expect(profile?.url).to.equal('/users.get?fields=photo_100&v=5.126');
  });

  it('S4: the e-mail address comes from the token response, never from the record, and has no verified field', async () => {
    const user = { ...USER, email: 'record@example.com' };
    const emails: unknown[] = [];
    for (const email of ['anna@example.com', '', undefined]) {
      const replies = {
        '/access_token': { body: { ...TOKEN_ANSWER, email } },
        '/users.get': { body: { response: [user] } },
      };
      const { ending } = await logIn({ includeEmail: true }, replies);
      emails.push((ending.user as { emails?: unknown }).emails);
    }
    expect(emails).to.deep.equal([[{ value: 'anna@example.com' }], undefined, undefined]);
  });

  it('includeEmail adds its scope to names, and its bit to a bit mask', async () => {
    const scopeOf = async (options: object) => (await logIn(options)).authorization.searchParams.get('scope');
    expect(await scopeOf({ includeEmail: true, scope: 'friends,email' })).to.equal('friends,email');
    expect(await scopeOf({ includeEmail: true, scope: 'friends photos' })).to.equal('friends,photos,email');
    expect(await scopeOf({ includeEmail: true, scope: '2' })).to.equal('4194306');
    expect(await scopeOf({ scope: '2' })).to.equal('2');
  });

  it('S3: a record whose ID is a number that no user has is an error', async () => {
    for (const id of [0, -7, 1.5]) {
      const replies = { '/users.get': { body: { response: [{ ...USER, id }] } } };
      expect((await logIn({}, replies)).ending.error).to.include({ code: 'identifier_missing' });
    }
  });

  it('a deactivated account is a failure with a reason', async () => {
    const message = 'User was deleted or banned';
    for (const [networkMessage, body] of [
      ['banned', { response: [{ ...USER, deactivated: 'banned' }] }],
      [message, { error: { error_code: 18, error_msg: message } }],
    ] as const) {
      const { ending } = await logIn({}, { '/users.get': { body } });
      expect(ending.failure).to.deep.equal({
        message: 'The account is suspended, banned or deactivated at the network; nobody can log in with it.',
        networkMessage,
        code: 'account_unusable',
      });
      expect(ending.status).to.equal(403);
    }
  });

  it('display and revoke are sent in the authorization request', async () => {
    const strategy = socialNetworkStrategy(optionsAt('https://n.example'));
    const { searchParams } = await redirectOf(strategy, { display: 'popup', revoke: true });
    expect([searchParams.get('display'), searchParams.get('revoke')]).to.deep.equal(['popup', '1']);
    const plain = (await redirectOf(strategy, { revoke: false })).searchParams;
    expect([plain.has('display'), plain.has('revoke')]).to.deep.equal([false, false]);
  });

  const idsOf = (user_id: string) =>
    logIn({}, { '/access_token': { body: `{"access_token":"the-token","user_id":${user_id}}` } });
  for (const id of '{} [1] [743784474] "abc" "01" "0743784474" 0 -1 1.5 true "" 8'.split(' ')) {
    it(`S3: user_id ${id} in the token response is identifier_mismatch`, async () => {
      const { error, user } = (await idsOf(id)).ending;
      expect(user).to.equal(undefined);
      expect(error).to.include({ name: 'MalformedError', code: 'identifier_mismatch', step: 'profile' });
    });
  }

  it('user_id in the token response may be a number, a string or null', async () => {
    for (const id of ['743784474', '"743784474"', 'null']) {
      expect((await idsOf(id)).ending.user).to.include({ id: '743784474' });
    }
  });

  const requestsWith = async (changes: (url: string) => object) => {
    const server = close(await socialNetwork());
    const { ending, authorization } = await playLogin(
      socialNetworkStrategy({ ...optionsAt(server.url), ...changes(server.url) }),
    );
    if (ending.error) throw ending.error;
    return { authorization, requests: server.requests };
  };

  it('apiVersion is sent as v to all three URLs', async () => {
    const { authorization, requests } = await requestsWith(() => ({ apiVersion: '5.199' }));
    expect(authorization.searchParams.get('v')).to.equal('5.199');
    expect(requests.map(({ query }) => query.get('v'))).to.deep.equal(['5.199', '5.199']);
  });

  it('a v in a custom URL overrides apiVersion for that URL', async () => {
    const { authorization, requests } = await requestsWith((url) => ({
      apiVersion: '5.150',
      authorizationURL: `${url}/authorize?v=5.101&response_type=code`,
      tokenURL: `${url}/access_token?v=5.102`,
      profileURL: `${url}/users.get?v=5.103`,
    }));
    expect(authorization.searchParams.getAll('v')).to.deep.equal(['5.101']);
    expect(authorization.searchParams.getAll('response_type')).to.deep.equal(['code']);
    expect(requests.map(({ query }) => query.getAll('v'))).to.deep.equal([['5.102'], ['5.103']]);
  });

  it('apiVersion may be any from 5.81 on', () => {
    for (const apiVersion of ['5.81', '5.199', '6.0']) socialNetworkStrategy({ ...CREDENTIALS, apiVersion });
  });

  it('requestTokenURL is accepted but never called', async () => {
    for (const spelling of ['requestTokenURL', 'requestTokenUrl']) {
      const { requests } = await requestsWith((url) => ({ [spelling]: `${url}/request_token?v=5.126` }));
      expect(requests.map(({ path }) => path)).to.deep.equal(['/access_token', '/users.get']);
    }
  });

  it('profileFields are added to photo_100, or to the fields of a custom profileURL', async () => {
    const fields = async (changes: (url: string) => object) =>
      (await requestsWith(changes)).requests[1]?.query.get('fields');
    expect(await fields(() => ({ profileFields: 'screen_name, sex' }))).to.equal('photo_100,screen_name,sex');
    expect(await fields(() => ({ profileFields: ['photo_100', 'bdate'] }))).to.equal('photo_100,bdate');
    expect(
      await fields((url) => ({
        profileURL: `${url}/users.get?fields=photo_max,city`,
        profileFields: 'city sex',
      })),
    ).to.equal('photo_max,city,sex');
  });

  it('lang is the language of the user record', async () => {
    const { requests } = await requestsWith(() => ({ lang: 'en' }));
    expect(requests[1]?.query.get('lang')).to.equal('en');
  });
});

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };
const never = () => undefined;

describe('the tokens of the classic social network', () => {
  for (const version of [undefined, '2.0'] as const) {
    const title = version === undefined ? 'without a version' : `with version ${version}`;
    const classic = () =>
      new SocialNetworkStrategy({ ...CLIENT, ...(version !== undefined && { version }) }, never);

    it(`refresh, revoke and logout in the social network ${title} are TypeErrors that name VK ID`, async () => {
      const strategy = classic();
      for (const [call, missing] of [
        [() => strategy.refresh('TOKEN', 'DEVICE'), 'refresh tokens'],
        [() => strategy.revoke('TOKEN'), 'revocation'],
        [() => strategy.logout('TOKEN'), 'logout'],
      ] as const) {
        // A rejected promise, not an exception, because callers chain `.catch`.
        const error = await rejectionOf(call());
        const message = `social-network: the classic protocol has no ${missing}; VK ID (version: '2.1') has.`;
        expect(error).to.be.instanceOf(TypeError).with.property('message', message);
      }
    });
  }
});

describe('grantedScopes of the social network', () => {
  // Bit 0 first; a hyphen is a bit without a name. https://dev.vk.com/en/reference/access-rights (read 2026-11)
  const NAMES =
    'notify friends photos audio video pages - - link - status notes messages wall - ads offline docs ' +
    'groups notifications stats - email - - - - market';

  for (const [index, name] of NAMES.split(' ').entries()) {
    if (name === '-') continue;
    const bit = 2 ** index;
    it(`reads the bit of ${name}`, () => {
      expect(grantedScopes({ scope: bit })).to.deep.equal([name]);
      expect(grantedScopes({ scope: String(bit) })).to.deep.equal([name]);
    });
  }

  it('reads several bits, and none of a mask of unknown ones', () => {
    expect(grantedScopes({ scope: 2 + 4_194_304 })).to.deep.equal(['friends', 'email']);
    expect(grantedScopes({ scope: 64 + 128 + 512 })).to.deep.equal([]);
  });

  it('splits those of VK ID at spaces', () => {
    const granted = ['vkid.personal_info', 'email'];
    expect(grantedScopes({ scope: granted.join(' ') })).to.deep.equal(granted);
  });

  it('is an empty list for a response without scopes', () => {
    for (const scope of [undefined, 0, '', ' , ', null, ['email']]) {
      expect(grantedScopes({ ...(scope !== undefined && { scope }) }), JSON.stringify(scope)).to.deep.equal(
        [],
      );
    }
  });
});

const TOKEN_ANSWER = { access_token: 'the-access-token', expires_in: 86_400, user_id: 743784474 };

const USER = {
  id: 743784474,
  first_name: 'Анна',
  last_name: 'Примерова',
  can_access_closed: true,
  is_closed: false,
  photo_100: 'https://n.example/photo.jpg',
};

/** A simulated social network with the classic protocol; `replies` replaces its responses by path. */
function socialNetwork(replies: Readonly<Record<string, Reply>> = {}): Promise<TestNetwork> {
  const usual: Readonly<Record<string, Reply>> = {
    '/access_token': { body: TOKEN_ANSWER },
    '/users.get': { body: { response: [USER] } },
  };
  return network(({ path }) => replies[path] ?? usual[path] ?? { status: 404 });
}

/** Options with the three URLs of a simulated network. */
function optionsAt(url: string): Record<string, unknown> {
  return {
    clientID: '51000001',
    clientSecret: 'the-protected-key',
    authorizationURL: `${url}/authorize`,
    tokenURL: `${url}/access_token`,
    profileURL: `${url}/users.get`,
  };
}

/** Makes a strategy with any options, including invalid ones. */
function socialNetworkStrategy(options: unknown, verify: AnyFunction = verifyProfile): SocialNetworkStrategy {
  return new SocialNetworkStrategy(options as never, verify);
}
