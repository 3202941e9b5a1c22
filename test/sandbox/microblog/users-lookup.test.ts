import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { type Fields, get, type Reply, reasonOf, stringIn, urlWith } from '../requests.js';
import { OAuth2Client } from './oauth2-client.js';

describe("The sandbox's microblog network, users lookup", () => {
  let sandbox: Sandbox;
  let client: OAuth2Client;

  before(async () => {
    sandbox = await startSandbox();
    client = new OAuth2Client(sandbox);
  });

  after(() => sandbox.close());

  async function lookup(person: string, query: Fields = {}, scope = 'tweet.read users.read'): Promise<Reply> {
    const { json } = await client.exchange(await client.code({ person, scope }));
    return client.lookup(stringIn(json, 'access_token'), query);
  }

  it('returns ID, name and handle by default', async () => {
    const reply = await lookup('max');
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.json).to.deep.equal({
      data: { id: '1823456789012345679', name: 'Max Bignumber', username: 'max_bignumber' },
    });
  });

  it('adds the requested fields that have a value', async () => {
    const fields =
      'created_at,description,entities,location,profile_image_url,protected,url,verified,verified_type';
    expect((await lookup('alice', { 'user.fields': fields })).json).to.deep.equal({
      data: {
        id: '2244994945',
        name: 'Alice Example',
        username: 'alice_example',
        created_at: '2013-12-14T04:35:55.000Z',
        description: 'Ordinary in every respect. #example',
        entities: {
          url: {
            urls: [
              {
                start: 0,
                end: 23,
                url: 'https://t.co/3ZX3TNiZCY',
                expanded_url: 'https://alice.example.com/about',
                display_url: 'alice.example.com/about',
              },
            ],
          },
          description: { hashtags: [{ start: 27, end: 35, tag: 'example' }] },
        },
        location: 'Lisbon',
        profile_image_url: `${sandbox.url}/pictures/alice.svg`,
        protected: false,
        url: 'https://t.co/3ZX3TNiZCY',
        verified: true,
        verified_type: 'blue',
      },
    });
    expect((await lookup('hanako', { 'user.fields': fields })).json).to.deep.equal({
      data: {
        id: '6253282',
        name: '🌸 花子 👩‍🚀',
        username: 'hanako',
        created_at: '2013-12-14T04:35:55.000Z',
        description: '絵文字と漢字、写真なし 📷🚫',
        protected: true,
        verified: false,
        verified_type: 'none',
      },
    });
  });

  it('accepts the 23 field names that are in every version of the API description', async () => {
    const fields =
      'connection_status,created_at,description,entities,id,is_identity_verified,location,name,parody,' +
      'profile_banner_url,profile_image_url,protected,public_metrics,receives_your_dm,subscription,' +
      'subscription_type,url,username,verified,verified_followers_count,verified_type,withheld,confirmed_email';
    const reply = await lookup('alice', { 'user.fields': fields }, 'tweet.read users.read users.email');
    expect(reply.status).to.equal(200);
  });

  it('returns the confirmed e-mail address when users.email was granted', async () => {
    const scope = 'tweet.read users.read users.email';
    const query = { 'user.fields': 'confirmed_email' };
    expect((await lookup('alice', query, scope)).json).to.have.nested.property(
      'data.confirmed_email',
      'alice@example.com',
    );
    expect((await lookup('ned', query, scope)).json).to.deep.equal({
      data: { id: '38895958', name: 'Ned Noaddress', username: 'ned_noaddress' },
    });
  });

  it('returns the pinned post in includes when it is expanded', async () => {
    const query = { expansions: 'pinned_tweet_id', 'tweet.fields': 'created_at' };
    expect((await lookup('alice', query)).json).to.deep.equal({
      data: {
        id: '2244994945',
        name: 'Alice Example',
        username: 'alice_example',
        pinned_tweet_id: '1255542774432063488',
      },
      includes: {
        tweets: [
          {
            id: '1255542774432063488',
            text: 'Good morning from the sandbox.',
            created_at: '2024-01-01T00:00:00.000Z',
          },
        ],
      },
    });
  });

  it('returns the pinned post under its newer names, too', async () => {
    const query = { expansions: 'pinned_post_id', 'post.fields': 'lang' };
    const { json } = await lookup('alice', query);
    expect(json).to.have.nested.property('data.pinned_post_id', '1255542774432063488');
    expect(json).to.have.deep.property('includes', {
      posts: [{ id: '1255542774432063488', text: 'Good morning from the sandbox.', lang: 'en' }],
    });
    const deleted = await lookup('anna', { expansions: 'pinned_post_id' });
    expect(deleted.json).to.have.nested.property(
      'errors[0].detail',
      'Could not find post with pinned_post_id: [1234567890].',
    );
  });

  it('returns errors beside the data when the pinned post was deleted', async () => {
    const reply = await lookup('anna', { expansions: 'pinned_tweet_id' });
    expect(reply.status).to.equal(200);
    expect(reply.json).to.have.deep.nested.property('data.pinned_tweet_id', '1234567890');
    expect(reply.json).to.have.nested.property('errors[0].title', 'Not Found Error');
    expect(reply.json).not.to.have.property('includes');
  });

  it('expands nothing when nothing is pinned', async () => {
    expect((await lookup('max', { expansions: 'pinned_tweet_id' })).json).to.have.all.keys('data');
  });

  for (const [name, value] of [
    ['user.fields', 'email'],
    ['expansions', 'pinned'],
    ['tweet.fields', 'nothing'],
    ['post.fields', 'nothing'],
    ['user.fields', ''],
  ] as const) {
    it(`rejects the value "${value}" of ${name}`, async () => {
      const reply = await lookup('alice', { [name]: value });
      expect(reply.status).to.equal(400);
      expect(reply.json).to.include({
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: 'https://api.twitter.com/2/problems/invalid-request',
      });
      const [error] = (reply.json as { errors: { parameters: unknown; message: string }[] }).errors;
      expect(error?.parameters).to.deep.equal({ [name]: [value] });
      expect(error?.message).to.match(/^The `[a-z.]+` query parameter value is not one of \[.+\]$/);
      expect(reasonOf(sandbox)).to.equal(`${name} names a value that does not exist`);
    });
  }

  function expectProblem(reply: Reply, status: number, title: string, reason: string): void {
    expect(reply.status).to.equal(status);
    expect(reply.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
    expect(reply.json).to.deep.equal({ title, type: 'about:blank', status, detail: title });
    expect(reasonOf(sandbox)).to.equal(reason);
  }

  for (const scope of ['users.read', 'tweet.read', 'tweet.read users.email']) {
    it(`forbids the lookup with the scopes "${scope}"`, async () => {
      const reason = 'tweet.read and users.read must both be granted';
      expectProblem(await lookup('alice', {}, scope), 403, 'Forbidden', reason);
    });
  }

  it('leaves confirmed_email out without the scope users.email', async () => {
    const reply = await lookup('alice', { 'user.fields': 'confirmed_email' });
    expect(reply.status).to.equal(200);
    expect(reply.json).not.to.have.nested.property('data.confirmed_email');
  });

  it('forbids confirmed_email without the scope users.email, if the sandbox is strict', async () => {
    const strict = await startSandbox({ strict: true });
    const strictClient = new OAuth2Client(strict);
    const { accessToken } = await strictClient.tokens();
    const reply = await strictClient.lookup(accessToken, { 'user.fields': 'confirmed_email' });
    await strict.close();
    expect(reply.status).to.equal(403);
    expect(reply.json).to.include({ title: 'Forbidden' });
  });

  it('rejects an unknown token, and a missing one', async () => {
    const reason = 'the bearer token is missing, or not one that this sandbox gave out';
    expectProblem(await client.lookup('unknown'), 401, 'Unauthorized', reason);
    expectProblem(await get(sandbox.options('microblog').profileURL), 401, 'Unauthorized', reason);
  });

  it('ignores a token in the query', async () => {
    const { accessToken } = await client.tokens();
    const reply = await get(urlWith(sandbox.options('microblog').profileURL, { access_token: accessToken }));
    expect(reply.status).to.equal(401);
  });

  it('rejects an access token after two hours', async () => {
    const { accessToken } = await client.tokens();
    sandbox.advance(7_200_000);
    expectProblem(await client.lookup(accessToken), 401, 'Unauthorized', 'the bearer token has expired');
  });
});
