import { expect } from 'chai';
import { ClassicClient, VkIdClient } from '../clients.js';
import type { Fields, Reply } from '../requests.js';
import { bearer, eachSandbox, expectError, get, post, postJson, reasonOf, urlWith } from '../requests.js';

const DEPRECATED =
  'Invalid request: versions below 5.81 are deprecated. Version param should be passed as "v".';
const REVOKED = 'user revoke access for this token';

describe("The sandbox's social network, users.get", () => {
  const sandbox = eachSandbox();
  const client = new ClassicClient(sandbox);
  const usersGet = () => sandbox.options('social-network').profileURL;
  const send = (query: Fields, headers: Fields = {}) => get(urlWith(usersGet(), query), headers);

  async function record(person: string, query: Fields = {}): Promise<unknown> {
    const reply = await send({ v: '5.126', ...query }, bearer(await client.accessToken(person)));
    expect(reply.status).to.equal(200);
    const { response } = reply.json as { response: unknown[] };
    expect(response).to.have.length(1);
    return response[0];
  }

  it('returns ID, name and is_closed by default', async () => {
    expect(await record('anna')).to.deep.equal({
      id: 743784474,
      first_name: 'Анна',
      last_name: 'Примерова',
      can_access_closed: true,
      is_closed: false,
    });
  });

  it('returns the requested fields, and ignores unknown ones', async () => {
    const fields =
      'photo_50,photo_100,photo_200,photo_max,screen_name,domain,sex,bdate,city,verified,has_photo,email';
    expect(await record('alice', { fields })).to.deep.equal({
      id: 1000000001,
      first_name: 'Alice',
      last_name: 'Example',
      can_access_closed: true,
      is_closed: false,
      photo_50: `${sandbox.url}/pictures/alice.svg?size=50`,
      photo_100: `${sandbox.url}/pictures/alice.svg?size=100`,
      photo_200: `${sandbox.url}/pictures/alice.svg?size=200`,
      photo_max: `${sandbox.url}/pictures/alice.svg?size=400`,
      bdate: '17.5.1990',
      city: { id: 1, title: 'Lisbon' },
      domain: 'alice_example',
      has_photo: 1,
      screen_name: 'alice_example',
      sex: 1,
      verified: 1,
    });
  });

  it('leaves out the year of birth when the user hides it', async () => {
    expect(await record('anna', { fields: 'bdate' })).to.include({ bdate: '3.7' });
  });

  it('has no large pictures when the original is small, and a placeholder when there is none', async () => {
    const small = await record('ned', { fields: 'photo_100,photo_200,photo_400_orig,photo_max' });
    expect(small).to.include.keys('photo_100', 'photo_max');
    expect(small).not.to.have.any.keys('photo_200', 'photo_400_orig');
    expect(await record('hanako', { fields: 'photo_100,has_photo' })).to.include({
      photo_100: `${sandbox.url}/images/camera_b.gif`,
      has_photo: 0,
      is_closed: true,
    });
  });

  it('returns only the name of a banned account', async () => {
    expect(await record('boris', { fields: 'photo_100,screen_name' })).to.deep.equal({
      id: 555000555,
      first_name: 'Boris',
      last_name: 'Banned',
      deactivated: 'banned',
    });
  });

  it('accepts the token in the form or in the query, also of VK ID', async () => {
    const access_token = await client.accessToken('anna');
    const inForm = await post(usersGet(), { access_token, v: '5.126', fields: 'sex' });
    expect(inForm.json).to.have.nested.property('response[0].sex', 1);
    const inQuery = await send({ access_token, v: '5.126' });
    expect(inQuery.json).to.have.nested.property('response[0].id', 743784474);
    const vkId = await new VkIdClient(sandbox).tokens({ person: 'anna' });
    const reply = await post(usersGet(), { access_token: vkId.access_token, v: '5.199' });
    expect(reply.json).to.have.nested.property('response[0].id', 743784474);
  });

  it('returns other users by ID or short name, and leaves out unknown ones', async () => {
    const headers = bearer(await client.accessToken());
    const reply = await send({ v: '5.126', user_ids: '743784474,hanako,1' }, headers);
    const { response } = reply.json as { response: { id: number }[] };
    expect(response.map(({ id }) => id)).to.deep.equal([743784474, 66748]);
  });

  for (const v of ['5.81', '5.126', '5.199']) {
    it(`accepts the version ${v}`, async () => {
      expect(await record('anna', { v })).to.include({ id: 743784474 });
    });
  }

  /** Expects an error with HTTP 200 that repeats the parameters of the request, even the token. */
  function expectRefused(reply: Reply, error_code: number, error_msg: string, sent: Fields, reason: string) {
    const parameters = Object.entries({ oauth: '1', method: 'users.get', ...sent });
    const request_params = parameters.map(([key, value]) => ({ key, value }));
    expectError(sandbox, reply, 200, { error: { error_code, error_msg, request_params } }, reason);
  }

  const expectNoVersion = (reply: Reply, sent: Fields) =>
    expectRefused(reply, 8, 'Invalid request: v (version) is required', sent, 'v is missing or below 5.81');
  const expectBadToken = (reply: Reply, v: string, problem: string) =>
    expectRefused(reply, 5, `User authorization failed: ${problem}.`, { v }, problem);

  it('rejects a request without v, and finds no parameters in a JSON body', async () => {
    const sent = { access_token: await client.accessToken() };
    expectNoVersion(await send(sent), sent);
    expectNoVersion(await postJson(usersGet(), { v: '5.126' }), {});
  });

  for (const v of ['5.80', '5.0', '4.99', 'latest']) {
    it(`rejects the version ${v}`, async () => {
      const reply = await send({ v }, bearer(await client.accessToken()));
      expectRefused(reply, 8, DEPRECATED, { v }, 'v is missing or below 5.81');
    });
  }

  it('rejects a request without a token, with an unknown one, or whose consent was withdrawn', async () => {
    expectBadToken(await send({ v: '5.126' }), '5.126', 'no access_token passed');
    const unknown = await send({ v: '5.126' }, bearer('vk1.a.unknown'));
    expectBadToken(unknown, '5.126', 'invalid access_token (4)');
    const vkId = new VkIdClient(sandbox);
    const { access_token } = await vkId.tokens();
    await vkId.revoke(access_token);
    expectBadToken(await send({ v: '5.199' }, bearer(access_token)), '5.199', REVOKED);
  });

  it('rejects an expired token', async () => {
    const headers = bearer(await client.accessToken());
    sandbox.advance(43_200_000);
    const sent = { v: '5.126' };
    expectRefused(await send(sent, headers), 1117, 'Access token has expired', sent, 'the token has expired');
  });

  it('rejects a method name in another case', async () => {
    const { status, json } = await get(usersGet().replace('users.get', 'Users.get'));
    expect(status).to.equal(200);
    const error = { error_code: 3, error_msg: 'Unknown method passed' };
    expect(json).to.have.property('error').that.includes(error);
    expect(reasonOf(sandbox)).to.equal('no such method; method names are case-sensitive');
  });
});
