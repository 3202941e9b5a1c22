import { expect } from 'chai';
import { playLogin, redirectOf } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import type { Reply } from '../support/server.js';
import { optionsAt, socialNetwork, socialNetworkStrategy, TOKEN_ANSWER, USER } from './network.js';

describe('social-network 2.0', () => {
  realSockets();
  const close = closesAfterEach();
  const logIn = async (options: object = {}, replies: Record<string, Reply> = {}) => {
    const server = close(await socialNetwork(replies));
    const strategy = socialNetworkStrategy({ ...optionsAt(server.url), ...options });
    const login = await playLogin(strategy);
    const [token, profile] = server.requests;
    return { ...login, token, profile, server };
  };

  it('v is in all three URLs, and response_type is code in the first', async () => {
    const { authorization, token, profile } = await logIn();
    const { state, ...rest } = Object.fromEntries(authorization.searchParams);
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

  it('T11: the token is in a header, never in a URL', async () => {
    const { profile, server } = await logIn();
    expect(profile?.headers.authorization).to.equal('Bearer the-access-token');
    for (const { url } of server.requests) expect(url).to.not.include('the-access-token');
  });

  it('the profile contains the mapped user record', async () => {
    const { ending } = await logIn();
    expect(ending.user).to.deep.include({
      provider: 'social-network',
      id: '743784474',
      displayName: 'Анна Примерова',
      name: { familyName: 'Примерова', givenName: 'Анна' },
      photos: [{ value: 'https://n.example/photo.jpg' }],
      profileUrl: 'https://vk.ru/id743784474',
      _json: USER,
    });
    expect(ending.user).to.not.have.any.keys('username', 'gender', 'emails');
  });

  it('S4: the e-mail address comes from the token response and has no verified field', async () => {
    const replies = { '/access_token': { body: { ...TOKEN_ANSWER, email: 'anna@example.com' } } };
    const { authorization, ending } = await logIn({ includeEmail: true }, replies);
    expect(authorization.searchParams.get('scope')).to.equal('email');
    expect(ending.user).to.deep.include({ emails: [{ value: 'anna@example.com' }] });
  });

  it('includeEmail adds its scope to names, and its bit to a bit mask', async () => {
    const scopeOf = async (options: object) => (await logIn(options)).authorization.searchParams.get('scope');
    expect(await scopeOf({ includeEmail: true, scope: 'friends,email' })).to.equal('friends,email');
    expect(await scopeOf({ includeEmail: true, scope: 'friends photos' })).to.equal('friends,photos,email');
    expect(await scopeOf({ includeEmail: true, scope: '2' })).to.equal('4194306');
    expect(await scopeOf({ scope: '2' })).to.equal('2');
  });

  it('S3: a record of another user, or without an ID, is an error', async () => {
    const records = (...response: unknown[]) => ({ '/users.get': { body: { response } } });
    const other = await logIn({}, records({ ...USER, id: 7 }));
    expect(other.ending.error).to.include({ name: 'MalformedError', code: 'identifier_mismatch' });
    for (const id of [undefined, null, '', 0, -7, {}, 1.5]) {
      const nobody = await logIn({}, records({ ...USER, id }));
      expect(nobody.ending.error, JSON.stringify(id)).to.include({
        name: 'MalformedError',
        code: 'identifier_missing',
      });
    }
    expect((await logIn({}, records())).ending.error).to.include({ code: 'identifier_missing' });
  });

  it('T8: an error object with HTTP 200 is an error that shows no request parameters', async () => {
    const error = {
      error_code: 5,
      error_msg: 'User authorization failed: invalid access_token (4).',
      request_params: [{ key: 'access_token', value: 'the-access-token' }],
    };
    const { ending } = await logIn({}, { '/users.get': { body: { error } } });
    expect(ending.error).to.include({ name: 'RefusedError', networkCode: '5', step: 'profile' });
    expect(JSON.stringify(ending.error)).to.not.include('the-access-token');
  });

  it('a deactivated account is a failure with a reason', async () => {
    const records: Record<string, Reply>[] = [
      { '/users.get': { body: { response: [{ ...USER, deactivated: 'banned' }] } } },
      { '/users.get': { body: { error: { error_code: 18, error_msg: 'User was deleted or banned' } } } },
    ];
    for (const replies of records) {
      const { ending } = await logIn({}, replies);
      expect(ending.failure).to.deep.equal({
        message: 'The account is deleted, banned or deactivated at the network; nobody can log in with it.',
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
});
