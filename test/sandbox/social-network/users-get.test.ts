import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { bearer, type Fields, get, post, urlWith } from '../requests.js';
import { ClassicClient } from './classic-client.js';
import { VkIdClient } from './vk-id-client.js';

describe("The sandbox's social network, users.get", () => {
  let sandbox: Sandbox;
  let client: ClassicClient;
  let usersGet: string;

  before(async () => {
    sandbox = await startSandbox();
    client = new ClassicClient(sandbox);
    usersGet = sandbox.options('social-network').profileURL;
  });

  after(() => sandbox.close());

  async function record(person: string, query: Fields = {}): Promise<unknown> {
    const headers = bearer(await client.accessToken(person));
    const reply = await get(urlWith(usersGet, { v: '5.126', ...query }), headers);
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

  it('has no large pictures when the original is small', async () => {
    const small = await record('ned', { fields: 'photo_100,photo_200,photo_400_orig,photo_max' });
    expect(small).to.include.keys('photo_100', 'photo_max');
    expect(small).not.to.have.any.keys('photo_200', 'photo_400_orig');
  });

  it('has a placeholder when there is no picture', async () => {
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

  it('accepts POST, with the token in the form', async () => {
    const access_token = await client.accessToken('anna');
    const reply = await post(usersGet, { access_token, v: '5.126', fields: 'sex' });
    expect(reply.json).to.have.nested.property('response[0].sex', 1);
  });

  it('accepts the token in the query', async () => {
    const access_token = await client.accessToken('anna');
    const reply = await get(urlWith(usersGet, { access_token, v: '5.126' }));
    expect(reply.json).to.have.nested.property('response[0].id', 743784474);
  });

  it('accepts tokens of VK ID', async () => {
    const { access_token } = await new VkIdClient(sandbox).tokens({ person: 'anna' });
    const reply = await post(usersGet, { access_token, v: '5.199' });
    expect(reply.json).to.have.nested.property('response[0].id', 743784474);
  });

  it('returns other users by ID or short name, and leaves out unknown ones', async () => {
    const headers = bearer(await client.accessToken());
    const reply = await get(urlWith(usersGet, { v: '5.126', user_ids: '743784474,hanako,1' }), headers);
    const { response } = reply.json as { response: { id: number }[] };
    expect(response.map(({ id }) => id)).to.deep.equal([743784474, 66748]);
  });

  for (const v of ['5.81', '5.126', '5.199']) {
    it(`accepts the version ${v}`, async () => {
      expect(await record('anna', { v })).to.include({ id: 743784474 });
    });
  }
});
