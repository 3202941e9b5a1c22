import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { get, type Reply, reasonOf, urlWith } from '../requests.js';
import { ShortVideoClient } from './client.js';

const EVERY_SCOPE = 'user.info.basic,user.info.profile,user.info.stats';

describe("The sandbox's short-video network, user info", () => {
  let sandbox: Sandbox;
  let client: ShortVideoClient;

  before(async () => {
    sandbox = await startSandbox();
    client = new ShortVideoClient(sandbox);
  });

  after(() => sandbox.close());

  async function profile(person: string, fields: string, scope = EVERY_SCOPE): Promise<Reply> {
    const { accessToken } = await client.tokens(person, scope);
    return client.profile(accessToken, fields);
  }

  function userIn(reply: Reply): unknown {
    return (reply.json as { data: { user: unknown } }).data.user;
  }

  function expectErrorResponse(
    reply: Reply,
    status: number,
    code: string,
    message: string,
    reason: string,
  ): void {
    const { log_id } = (reply.json as { error: { log_id: string } }).error;
    expect(reply.status).to.equal(status);
    expect(reply.json).to.deep.equal({ data: {}, error: { code, message, log_id } });
    expect(log_id).to.match(/^\d{14}[0-9A-F]{20}$/);
    expect(reasonOf(sandbox)).to.equal(reason);
  }

  it('returns only the requested fields, and an error with the code "ok"', async () => {
    const reply = await profile('anna', 'open_id,display_name');
    expect(reply.status).to.equal(200);
    expect(userIn(reply)).to.deep.equal({
      open_id: '_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM',
      display_name: 'Анна Примерова',
    });
    expect(reply.json).to.have.deep.nested.property('error.code', 'ok');
    expect(reply.json).to.have.nested.property('error.message', '');
    expect(reply.json)
      .to.have.nested.property('error.log_id')
      .that.matches(/^\d{14}[0-9A-F]{20}$/);
  });

  it('returns every documented field when every scope was granted', async () => {
    const reply = await profile(
      'alice',
      'open_id,union_id,avatar_url,avatar_url_100,avatar_large_url,display_name,username,bio_description,' +
        'profile_deep_link,is_verified,follower_count,following_count,likes_count,video_count',
    );
    expect(userIn(reply)).to.deep.equal({
      open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
      avatar_url: `${sandbox.url}/pictures/alice.svg`,
      avatar_url_100: `${sandbox.url}/pictures/alice.svg?size=100`,
      avatar_large_url: `${sandbox.url}/pictures/alice.svg?size=720`,
      display_name: 'Alice Example',
      username: 'alice_example',
      bio_description: 'Ordinary in every respect. #example',
      profile_deep_link: `${sandbox.url}/short-video/@alice_example`,
      is_verified: true,
      follower_count: 1200,
      following_count: 34,
      likes_count: 56000,
      video_count: 78,
    });
  });

  it('has no union_id for some users', async () => {
    expect(userIn(await profile('ned', 'open_id,union_id'))).to.have.all.keys('open_id');
  });

  it('has an open_id that starts with a hyphen', async () => {
    expect(userIn(await profile('max', 'open_id'))).to.deep.equal({
      open_id: '-000dXQ7_yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxY',
    });
  });

  it('rejects the whole request when the scope of one field was not granted', async () => {
    expectErrorResponse(
      await profile('alice', 'open_id,username', 'user.info.basic,user.info.stats'),
      401,
      'scope_not_authorized',
      'The user did not authorize the scope required for completing this request.',
      'username needs user.info.profile, which was not granted',
    );
  });

  it('rejects a field whose scope the user unticked', async () => {
    expect((await profile('alice', 'follower_count', 'user.info.basic')).status).to.equal(401);
  });

  it('returns basic fields for user.info.profile alone', async () => {
    const fields = 'open_id,union_id,avatar_url,avatar_large_url,display_name,username';
    expect(userIn(await profile('alice', fields, 'user.info.profile'))).to.deep.equal({
      open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
      avatar_url: `${sandbox.url}/pictures/alice.svg`,
      avatar_large_url: `${sandbox.url}/pictures/alice.svg?size=720`,
      display_name: 'Alice Example',
      username: 'alice_example',
    });
  });

  for (const [field, scope, needed] of [
    ['avatar_url_100', 'user.info.profile', 'user.info.basic'],
    ['follower_count', 'user.info.profile', 'user.info.stats'],
    ['open_id', 'user.info.stats', 'user.info.basic'],
  ] as const) {
    it(`rejects ${field} for ${scope} alone`, async () => {
      expect((await profile('alice', field, scope)).status).to.equal(401);
      expect(reasonOf(sandbox)).to.equal(`${field} needs ${needed}, which was not granted`);
    });
  }

  it('rejects a request without fields', async () => {
    expectErrorResponse(
      await profile('alice', ''),
      400,
      'invalid_params',
      'The fields parameter is invalid.',
      'fields is missing, empty or given twice',
    );
  });

  for (const unknown of ['email', '', 'profile_web_link', 'avatar_url_200', 'constructor']) {
    it(`leaves out the unknown field "${unknown}"`, async () => {
      const { openId } = sandbox.people[0] ?? {};
      expect(userIn(await profile('alice', `open_id,${unknown}`))).to.deep.equal({ open_id: openId });
    });
  }

  it('rejects an unknown field, if the sandbox is strict', async () => {
    const strict = await startSandbox({ strict: true });
    const strictClient = new ShortVideoClient(strict);
    const { accessToken } = await strictClient.tokens('alice');
    const reply = await strictClient.profile(accessToken, 'open_id,avatar_url_200');
    await strict.close();
    expect(reply.status).to.equal(400);
    expect(reply.json).to.have.nested.property('error.code', 'invalid_params');
  });

  it('rejects an unknown token', async () => {
    expectErrorResponse(
      await client.profile('act.unknown!4608', 'open_id'),
      401,
      'access_token_invalid',
      'Access token is invalid, please refresh token and retry',
      'the bearer token is missing, or not one that this sandbox gave out',
    );
  });

  it('ignores a token in the query', async () => {
    const { accessToken } = await client.tokens('alice');
    const { profileURL } = sandbox.options('short-video');
    const reply = await get(urlWith(profileURL, { fields: 'open_id', access_token: accessToken }));
    expect(reply.status).to.equal(401);
    expect(reply.json).to.have.nested.property('error.code', 'access_token_invalid');
  });

  it('rejects an access token after two hours', async () => {
    const { accessToken } = await client.tokens('alice');
    sandbox.advance(7_200_000);
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(401);
    expect(reasonOf(sandbox)).to.equal('the bearer token has expired');
  });
});
