import { expect } from 'chai';
import { eachSandbox, expectError, get, type Reply, reasonOf, urlWith, withSandbox } from '../requests.js';
import { ShortVideoClient } from './client.js';

const EVERY_SCOPE = 'user.info.basic,user.info.profile,user.info.stats';
const LOG_ID = /^\d{14}[0-9A-F]{20}$/;
const BAD_TOKEN = [
  401,
  'access_token_invalid',
  'Access token is invalid, please refresh token and retry',
] as const;

describe("The sandbox's short-video network, user info", () => {
  const sandbox = eachSandbox();
  const client = new ShortVideoClient(sandbox);

  async function profile(person: string, fields: string, scope = EVERY_SCOPE): Promise<Reply> {
    const { accessToken } = await client.tokens(person, scope);
    return client.profile(accessToken, fields);
  }

  function userIn(reply: Reply): unknown {
    return (reply.json as { data: { user: unknown } }).data.user;
  }

  function expectRefused(reply: Reply, status: number, code: string, message: string, reason: string): void {
    const { log_id } = (reply.json as { error: { log_id: string } }).error;
    expectError(sandbox, reply, status, { data: {}, error: { code, message, log_id } }, reason);
    expect(log_id).to.match(LOG_ID);
  }

  it('returns only the requested fields, and an error with the code "ok"', async () => {
    const reply = await profile('anna', 'open_id,display_name');
    expect(reply.status).to.equal(200);
    const { error, data } = reply.json as { error: Record<string, string>; data: object };
    expect(data).to.deep.equal({
      user: { open_id: '_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM', display_name: 'Анна Примерова' },
    });
    expect(error).to.include({ code: 'ok', message: '' });
    expect(error.log_id).to.match(LOG_ID);
  });

  it('returns every documented field when every scope was granted, and basic ones for user.info.profile', async () => {
    const ofProfile = {
      open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      union_id: 'c9c60f44-a68e-4f5d-84dd-ce22faeb0ba1',
      avatar_url: `${sandbox.url}/pictures/alice.svg`,
      avatar_large_url: `${sandbox.url}/pictures/alice.svg?size=720`,
      display_name: 'Alice Example',
      username: 'alice_example',
      bio_description: 'Ordinary in every respect. #example',
      profile_deep_link: `${sandbox.url}/short-video/@alice_example`,
      is_verified: true,
    };
    const everything = {
      ...ofProfile,
      avatar_url_100: `${sandbox.url}/pictures/alice.svg?size=100`,
      follower_count: 1200,
      following_count: 34,
      likes_count: 56000,
      video_count: 78,
    };
    expect(userIn(await profile('alice', Object.keys(everything).join()))).to.deep.equal(everything);
    const fields = Object.keys(ofProfile).join();
    expect(userIn(await profile('alice', fields, 'user.info.profile'))).to.deep.equal(ofProfile);
  });

  it('has no union_id for some users, and an open_id that starts with a hyphen', async () => {
    expect(userIn(await profile('ned', 'open_id,union_id'))).to.have.all.keys('open_id');
    const openId = '-000dXQ7_yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxY';
    expect(userIn(await profile('max', 'open_id'))).to.deep.equal({ open_id: openId });
  });

  for (const [fields, scope, field, needed] of [
    ['open_id,username', 'user.info.basic,user.info.stats', 'username', 'user.info.profile'],
    ['follower_count', 'user.info.basic', 'follower_count', 'user.info.stats'],
    ['avatar_url_100', 'user.info.profile', 'avatar_url_100', 'user.info.basic'],
    ['follower_count', 'user.info.profile', 'follower_count', 'user.info.stats'],
    ['open_id', 'user.info.stats', 'open_id', 'user.info.basic'],
  ] as const) {
    it(`rejects the whole request for ${fields} with ${scope}, because one scope was not granted`, async () => {
      expectRefused(
        await profile('alice', fields, scope),
        401,
        'scope_not_authorized',
        'The user did not authorize the scope required for completing this request.',
        `${field} needs ${needed}, which was not granted`,
      );
    });
  }

  it('rejects a request without fields', async () => {
    expectRefused(
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

  it('rejects an unknown field, if the sandbox is strict', () =>
    withSandbox({ strict: true }, async (strict) => {
      const strictClient = new ShortVideoClient(strict);
      const { accessToken } = await strictClient.tokens('alice');
      const reply = await strictClient.profile(accessToken, 'open_id,avatar_url_200');
      expect(reply.status).to.equal(400);
      expect(reply.json).to.have.nested.property('error.code', 'invalid_params');
    }));

  it('rejects an unknown token, and ignores a token in the query', async () => {
    const reason = 'the bearer token is missing, or not one that this sandbox gave out';
    expectRefused(await client.profile('act.unknown!4608', 'open_id'), ...BAD_TOKEN, reason);
    const query = { fields: 'open_id', access_token: (await client.tokens('alice')).accessToken };
    expectRefused(await get(urlWith(sandbox.options('short-video').profileURL, query)), ...BAD_TOKEN, reason);
  });

  it('rejects an access token after two hours', async () => {
    const { accessToken } = await client.tokens('alice');
    sandbox.advance(7_200_000);
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(401);
    expect(reasonOf(sandbox)).to.equal('the bearer token has expired');
  });
});
