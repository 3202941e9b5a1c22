import { expect } from 'chai';
import type { MicroblogOAuth1Strategy } from '../../lib/index.js';
import { fieldsOf, oauthSign } from '../support/oauth-sign.js';
import { realSockets } from '../support/real-sockets.js';
import { formReply } from '../support/server.js';
import { collectsWarnings } from '../support/warnings.js';
import { oauth1, USER } from './network.js';

describe('microblog 1.0', () => {
  const close = realSockets();
  const warnings = collectsWarnings();
  const closed = { status: 403, body: { errors: [{ code: 453, message: 'no access' }] } };
  const logIn = oauth1.loggingIn(close);

  it('S3: without id_str, the ID is an id that JSON.parse cannot have rounded', async () => {
    const access = (user_id: string) => formReply({ oauth_token: 'a', oauth_token_secret: 'b', user_id });
    const logInAs = (user_id: string, record: object) =>
      logIn({}, { replies: { '/access_token': access(user_id), '/credentials': { body: record } } });
    const largest = await logInAs('9007199254740991', { id: 9007199254740991, screen_name: 'anna' });
    expect(largest.ending.user).to.deep.include({ id: '9007199254740991' });
    for (const id of [9007199254740992, -7, 0, 7.5, '7', true, null, [7]]) {
      const { ending } = await logInAs(String(id), { id, screen_name: 'anna' });
      expect(ending.error, String(id)).to.include({ name: 'MalformedError', code: 'identifier_missing' });
    }
    const fraction = { '/credentials': { body: '{"id":7.00000000000000001,"screen_name":"anna"}' } };
    const rounded = await logIn({}, { replies: { '/access_token': access('7'), ...fraction } });
    expect(rounded.ending.error).to.include({ code: 'identifier_missing' });
    for (const id_str of [null, '', 7]) {
      const { ending } = await logInAs('7', { id: 7, id_str, screen_name: 'anna' });
      expect(ending.error, String(id_str)).to.include({ code: 'identifier_missing' });
      expect(String(ending.error)).to.include('no id_str');
    }
  });

  it('O6: a revocation is signed with the secret of its token', async () => {
    const replies = { '/revoke': { body: { access_token: 'a-token' } } };
    const options = (url: string) => ({ revocationURL: `${url}/revoke` });
    const { strategy, server, at } = await logIn(options, { replies });
    await (strategy as unknown as MicroblogOAuth1Strategy).revoke('a-token', "its!*'secret");
    const { oauth_signature, ...fields } = fieldsOf(at('/revoke')[0]?.headers.authorization);
    const url = `${server.url}/revoke`;
    const signature = oauthSign.hmacsign('POST', url, fields, 'the-consumer-secret', "its!*'secret");
    expect(oauth_signature).to.equal(signature);
  });

  it('a record without names is a profile without them: nothing is made up', async () => {
    const { ending } = await logIn({}, { replies: { '/credentials': { body: { id_str: USER.id } } } });
    expect(ending.user).to.deep.include({ id: USER.id, displayName: '' }).and.not.have.property('username');
  });

  it('a sentence of at most 200 characters is the reason of a rejection, and longer text is quoted nowhere', async () => {
    const quoted = async (length: number) => {
      const text = `${'no '.repeat(length).slice(0, length - 1)}.`;
      const { ending } = await logIn({}, { replies: { '/access_token': { status: 401, body: text } } });
      return (ending.error as { networkMessage?: string }).networkMessage !== undefined;
    };
    expect([await quoted(200), await quoted(201)]).to.deep.equal([true, false]);
  });

  it('the profile request leaves out posts, and asks for the e-mail address only with includeEmail', async () => {
    const query = async (options: object) => (await logIn(options)).at('/credentials')[0]?.url;
    expect(await query({})).to.equal('/credentials?skip_status=true');
    expect(await query({ includeEmail: true })).to.equal('/credentials?skip_status=true&include_email=true');

    // A query in profileURL overrides these.
    const profileURL = '/credentials?skip_status=false';
    const { at } = await logIn((url) => ({ profileURL: `${url}${profileURL}`, includeEmail: true }));
    expect(at('/credentials')[0]?.url).to.equal('/credentials?skip_status=false&include_email=true');
  });

  for (const status of [403, 404, 410]) {
    it(`a profile request that gets ${status} falls back to the users lookup`, async () => {
      const replies = { '/credentials': { ...closed, status } };
      const { ending, at } = await logIn({ userFields: 'verified' }, { replies });
      expect(at('/credentials')).to.have.length(1);
      expect(at('/lookup')[0]?.url).to.equal('/lookup?x=1&user.fields=verified');
      expect(at('/lookup')[0]?.headers.authorization).to.match(/^OAuth .*oauth_token="the-token"/);
      expect(ending.user).to.include({ id: USER.id, displayName: 'Anna' });
    });
  }

  it('S3, T20: if both profile requests fail, an ID in the token response counts if it is digits, and a handle follows: else it may have been cut short', async () => {
    for (const [fields, isWhole] of [
      [`user_id=${USER.id}&screen_name=anna`, true],
      ['screen_name=anna', false],
      [`user_id=${USER.id}`, false],
      [`user_id=${USER.id}&screen_name=`, false],
      [`screen_name=anna&user_id=${USER.id}`, false],
      [`user_id=${USER.id}x&screen_name=anna`, false],
    ] as const) {
      const tokens = { body: `oauth_token=the-token&oauth_token_secret=the-token-secret&${fields}` };
      const replies = { '/credentials': closed, '/lookup': closed, '/access_token': tokens };
      const { ending } = await logIn({}, { replies });
      expect((ending.user as { id?: string } | undefined)?.id, fields).to.equal(
        isWhole ? USER.id : undefined,
      );
      // The reason why nobody can tell is the network's refusal.
      if (!isWhole) expect(ending.error).to.include({ code: 'refused', networkStatus: 403 });
    }
  });

  it('forceLogin and screenName are sent in the authorization URL, accessType in the request for the request token', async () => {
    const start = { forceLogin: true, screenName: 'anna', accessType: 'read' };
    const { authorization, server } = await logIn({}, { start });
    expect(authorization.href).to.equal(
      `${server.url}/authenticate?force_login=true&screen_name=anna&oauth_token=the-request-token`,
    );
    expect(server.requests[0]?.body).to.equal('x_auth_access_type=read');
    expect(await warnings.texts()).to.deep.equal([]);
  });
});
