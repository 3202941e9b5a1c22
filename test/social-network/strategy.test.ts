import { expect } from 'chai';
import { SocialNetworkStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/social-network/index.js';
import { redirectOf } from '../support/attempt.js';
import { playing } from '../support/played.js';
import { realSockets } from '../support/real-sockets.js';
import { mistakeOf } from '../support/thrown.js';

const CREDENTIALS = { clientID: '51000001', clientSecret: 'the-protected-key' };

const TOKEN_ANSWER = { access_token: 'the-access-token', expires_in: 86_400, user_id: 743784474 };

const USER = {
  id: 743784474,
  first_name: 'Анна',
  last_name: 'Примерова',
  can_access_closed: true,
  is_closed: false,
  photo_100: 'https://n.example/photo.jpg',
};

const {
  loggingIn,
  optionsAt,
  strategy: socialNetworkStrategy,
} = playing({
  make: (options, verify) => new SocialNetworkStrategy(options, verify),
  options: CREDENTIALS,
  urls: { authorizationURL: '/authorize', tokenURL: '/access_token', profileURL: '/users.get' },
  replies: { '/access_token': { body: TOKEN_ANSWER }, '/users.get': { body: { response: [USER] } } },
  callback: { code: 'the-code' },
});

describe('social-network 2.0', () => {
  const close = realSockets();
  const logIn = loggingIn(close);

  it('S4: the e-mail address comes from the token response, never from the record, and has no verified field', async () => {
    const user = { ...USER, email: 'record@example.com' };
    const emails: unknown[] = [];
    for (const email of ['anna@example.com', '', undefined]) {
      const replies = {
        '/access_token': { body: { ...TOKEN_ANSWER, email } },
        '/users.get': { body: { response: [user] } },
      };
      const { ending } = await logIn({ includeEmail: true }, { replies });
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

  it('a deactivated account is a failure with a reason', async () => {
    const message = 'User was deleted or banned';
    for (const [networkMessage, body] of [
      ['banned', { response: [{ ...USER, deactivated: 'banned' }] }],
      [message, { error: { error_code: 18, error_msg: message } }],
    ] as const) {
      const { ending } = await logIn({}, { replies: { '/users.get': { body } } });
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

  it('apiVersion is sent as v to all three URLs', async () => {
    const { authorization, server } = await logIn({ apiVersion: '5.199' });
    expect(authorization.searchParams.get('v')).to.equal('5.199');
    const urls = server.requests.map(({ url }) => url);
    expect(urls).to.deep.equal(['/access_token?v=5.199', '/users.get?fields=photo_100&v=5.199']);
  });

  it('a v in a custom URL overrides apiVersion for that URL', async () => {
    const { authorization, server } = await logIn((url) => ({
      apiVersion: '5.150',
      authorizationURL: `${url}/authorize?v=5.101&response_type=code`,
      tokenURL: `${url}/access_token?v=5.102`,
      profileURL: `${url}/users.get?v=5.103`,
    }));
    expect(authorization.searchParams.getAll('v')).to.deep.equal(['5.101']);
    expect(authorization.searchParams.getAll('response_type')).to.deep.equal(['code']);
    expect(server.requests.map(({ query }) => query.getAll('v'))).to.deep.equal([['5.102'], ['5.103']]);
  });

  it('apiVersion may be any from 5.81 on', () => {
    for (const apiVersion of ['5.81', '5.199', '6.0']) socialNetworkStrategy({ ...CREDENTIALS, apiVersion });
  });

  it('profileFields are added to photo_100, or to the fields of a custom profileURL', async () => {
    const fields = async (options: object | ((url: string) => object)) =>
      (await logIn(options)).at('/users.get')[0]?.query.get('fields');
    expect(await fields({ profileFields: 'screen_name, sex' })).to.equal('photo_100,screen_name,sex');
    expect(await fields({ profileFields: ['photo_100', 'bdate'] })).to.equal('photo_100,bdate');
    expect(
      await fields((url) => ({
        profileURL: `${url}/users.get?fields=photo_max,city`,
        profileFields: 'city sex',
      })),
    ).to.equal('photo_max,city,sex');
  });

  it('lang is the language of the user record', async () => {
    const { at } = await logIn({ lang: 'en' });
    expect(at('/users.get')[0]?.query.get('lang')).to.equal('en');
  });
});

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };
const never = () => undefined;

describe('calls after a login at the classic social network', () => {
  it('are TypeErrors that name VK ID: refresh, revoke and logout', async () => {
    const strategy = new SocialNetworkStrategy(CLIENT, never);
    for (const [call, missing] of [
      [() => strategy.refresh('TOKEN', 'DEVICE'), 'refresh tokens'],
      [() => strategy.revoke('TOKEN'), 'revocation'],
      [() => strategy.logout('TOKEN'), 'logout'],
    ] as const) {
      // A rejected promise, not an exception, because callers chain `.catch`.
      const message = `social-network: the classic protocol has no ${missing}; VK ID (version: '2.1') has.`;
      expect(await mistakeOf(call())).to.equal(message);
    }
  });
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
