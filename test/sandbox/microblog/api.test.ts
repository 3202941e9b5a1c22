import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { EXPANSIONS, USER_FIELDS } from '../../../lib/microblog/fields.js';
import { eachSandbox } from '../../support/sandbox.js';
import { OAuth1Client, OAuth2Client } from '../clients.js';
import type { Fields, Reply } from '../requests.js';
import { bearer, expectError, get, reasonOf, stringIn, urlWith } from '../requests.js';

const ALICE_DATA = { id: '2244994945', name: 'Alice Example', username: 'alice_example' };
const LINK = {
  url: 'https://t.co/3ZX3TNiZCY',
  expanded_url: 'https://alice.example.com/about',
  display_url: 'alice.example.com/about',
};
const POST = { id: '1255542774432063488', text: 'Good morning from the sandbox.' };
const UNKNOWN_TOKEN = 'the bearer token is missing, or not one that this sandbox gave out';
const WITH_EMAIL = 'tweet.read users.read users.email';

describe("The sandbox's microblog network", () => {
  const sandbox = eachSandbox();
  const client = new OAuth2Client(sandbox);
  const oauth1 = new OAuth1Client(sandbox);

  function expectProblem(reply: Reply, status: number, title: string, reason: string, detail = title): void {
    expectError(sandbox, reply, status, { title, type: 'about:blank', status, detail }, reason);
    expect(reply.headers['content-type']).to.equal('application/problem+json; charset=utf-8');
  }

  describe('users lookup', () => {
    async function lookup(person: string, query: Fields = {}, scope = 'tweet.read users.read') {
      const { json } = await client.exchange(await client.code({ person, scope }));
      return client.lookup(stringIn(json, 'access_token'), query);
    }

    it('adds the requested fields that have a value', async () => {
      const fields =
        'created_at,description,entities,location,profile_image_url,protected,url,verified,verified_type';
      expect((await lookup('alice', { 'user.fields': fields })).json).to.deep.equal({
        data: {
          ...ALICE_DATA,
          created_at: '2013-12-14T04:35:55.000Z',
          description: 'Ordinary in every respect. #example',
          entities: {
            url: { urls: [{ start: 0, end: 23, ...LINK }] },
            description: { hashtags: [{ start: 27, end: 35, tag: 'example' }] },
          },
          location: 'Lisbon',
          profile_image_url: `${sandbox.url}/pictures/alice_normal.png`,
          protected: false,
          url: LINK.url,
          verified: true,
          verified_type: 'blue',
        },
      });
      expect((await lookup('hanako', { 'user.fields': fields })).json).to.deep.equal({
        data: {
          id: '5',
          name: '🌸 花子 👩‍🚀🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸',
          username: 'hanako',
          created_at: '2013-12-14T04:35:55.000Z',
          description: '絵文字と漢字、写真なし 📷🚫',
          profile_image_url: `${sandbox.url}/images/default_profile_normal.png`,
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
      expect((await lookup('alice', { 'user.fields': fields }, WITH_EMAIL)).status).to.equal(200);
      expect(sandbox.requests().at(-1)).not.to.have.property('noted');
    });

    it('accepts the names that the strategy’s options and record have, by a list of its own', async () => {
      const accepted = async (name: string) => {
        const { json } = await lookup('alice', { [name]: 'nothing' });
        return /one of \[([\w.,]*)/.exec(JSON.stringify(json))?.[1]?.split(',').sort();
      };
      const newer = ['most_recent_post_id', 'pinned_post_id'];
      const older = USER_FIELDS.filter((name) => !newer.includes(name)).sort();
      expect(await accepted('user.fields')).to.deep.equal(older);
      expect(await accepted('expansions')).to.deep.equal([...EXPANSIONS].sort());
      const [, record = ''] = readFileSync('lib/microblog/record.ts', 'utf8').split(
        'interface MicroblogTweet',
      );
      // Lists of names in quotes, and members of their own.
      const [declaration = ''] = record.split('\n}');
      const lists = [...declaration.matchAll(/'([^']+)'|^ {2}(\w+)\??:/gm)];
      const posts = lists.flatMap(([, names, name = '']) => names?.split(' ') ?? name);
      expect(await accepted('tweet.fields')).to.deep.equal(posts.sort());
    });

    for (const [person, scope, email] of [
      ['alice', WITH_EMAIL, 'alice@example.com'],
      ['ned', WITH_EMAIL, undefined],
      ['alice', 'tweet.read users.read', undefined],
    ] as const) {
      it(`returns the confirmed e-mail address ${email} for ${person} with ${scope}`, async () => {
        const { status, json } = await lookup(person, { 'user.fields': 'confirmed_email' }, scope);
        expect(status).to.equal(200);
        const { data } = json as { data: Record<string, unknown> };
        expect(Object.keys(data).length).to.equal(email === undefined ? 3 : 4);
        expect(data.confirmed_email).to.equal(email);
      });
    }

    it('returns the pinned post in includes when it is expanded, under its newer names, too', async () => {
      const older = await lookup('alice', { expansions: 'pinned_tweet_id', 'tweet.fields': 'created_at' });
      expect(older.json).to.deep.equal({
        data: { ...ALICE_DATA, pinned_tweet_id: POST.id },
        includes: { tweets: [{ ...POST, created_at: '2024-01-01T00:00:00.000Z' }] },
      });
      const { json } = await lookup('alice', { expansions: 'pinned_post_id', 'post.fields': 'lang' });
      expect(json).to.have.nested.property('data.pinned_post_id', POST.id);
      expect(json).to.have.deep.property('includes', { posts: [{ ...POST, lang: 'en' }] });
    });

    it('returns errors beside the data when the pinned post was deleted', async () => {
      const { status, json } = await lookup('anna', { expansions: 'pinned_tweet_id' });
      expect(status).to.equal(200);
      expect(json).to.have.deep.nested.property('data.pinned_tweet_id', '1234567890');
      expect(json).to.have.nested.property('errors[0].title', 'Not Found Error');
      expect(json).not.to.have.property('includes');
      const newer = await lookup('anna', { expansions: 'pinned_post_id' });
      const detail = 'Could not find post with pinned_post_id: [1234567890].';
      expect(newer.json).to.have.nested.property('errors[0].detail', detail);
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
        expect(reasonOf(sandbox)).to.equal(
          `${name} names a value that does not exist${value && `: ${value}`}`,
        );
      });
    }

    for (const scope of ['users.read', 'tweet.read', 'tweet.read users.email']) {
      it(`is forbidden with the scopes "${scope}"`, async () => {
        const missing = scope === 'users.read' ? 'tweet.read' : 'users.read';
        const reason = `tweet.read and users.read must both be granted; missing: ${missing}`;
        expectProblem(await lookup('alice', {}, scope), 403, 'Forbidden', reason);
      });
    }

    it('rejects an unknown token, a missing one, one in the query, and one of more than two hours', async () => {
      const { accessToken: access_token } = await client.tokens();
      const { profileURL } = sandbox.options('microblog');
      const urls = [profileURL, urlWith(profileURL, { access_token })];
      for (const reply of [() => client.lookup('unknown'), ...urls.map((url) => () => get(url))])
        expectProblem(await reply(), 401, 'Unauthorized', UNKNOWN_TOKEN);
      sandbox.advance(7_200_000);
      expectProblem(await client.lookup(access_token), 401, 'Unauthorized', 'the bearer token has expired');
    });

    it('is returned for a signed request, too, unless the signature is wrong', async () => {
      const { lookupURL } = oauth1.options;
      const token = await oauth1.accessToken('anna');
      const reply = await oauth1.get(lookupURL, token, { 'user.fields': 'location' });
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({
        data: { id: '783214', name: 'Анна Примерова', username: 'anna_primerova', location: 'Казань' },
      });
      const wrong = await oauth1.get(lookupURL, { ...token, tokenSecret: 'wrong' });
      expectProblem(wrong, 401, 'Unauthorized', 'oauth_signature does not match the request');
    });
  });

  describe('verify_credentials', () => {
    const record = async (person: string, query: Fields = {}) =>
      oauth1.verifyCredentials(await oauth1.accessToken(person), query);

    it('returns the record of API version 1.1, with the access level', async () => {
      const reply = await record('hanako', { skip_status: 'true' });
      expect(reply.status).to.equal(200);
      expect(reply.headers['x-access-level']).to.equal('read');
      expect(reply.json).to.include({
        id: 5,
        id_str: '5',
        name: '🌸 花子 👩‍🚀🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸🌸',
        screen_name: 'hanako',
        location: '',
        url: null,
        protected: true,
        verified: false,
        default_profile_image: true,
        profile_image_url_https: `${sandbox.url}/images/default_profile_normal.png`,
      });
    });

    it('returns an ID beyond 2^53 with all its digits, as a number and as a string', async () => {
      const { text } = await record('max');
      expect(text).to.match(/^\{"id":1823456789012345679,"id_str":"1823456789012345679",/);
    });

    it('returns the latest post, unless skip_status is set', async () => {
      const token = await oauth1.accessToken('alice');
      const { text } = await oauth1.verifyCredentials(token);
      expect(text).to.include(`"status":{"id":${POST.id},"id_str":"${POST.id}","text":"${POST.text}"}`);
      for (const skip_status of ['true', 'True', 'TRUE', 't', 'T', '1']) {
        expect((await oauth1.verifyCredentials(token, { skip_status })).json).not.to.have.property('status');
      }
      for (const skip_status of ['false', 'yes', 'truest', '11', '']) {
        expect((await oauth1.verifyCredentials(token, { skip_status })).json).to.have.property('status');
      }
    });

    it('returns the entities, unless include_entities is false', async () => {
      expect((await record('alice')).json).to.have.deep.property('entities', {
        url: { urls: [{ ...LINK, indices: [0, 23] }] },
        description: { urls: [] },
      });
      const without = await record('alice', { include_entities: 'false' });
      expect(without.json).not.to.have.property('entities');
    });

    it('returns the e-mail address for include_email=true in lower case, and null when there is none', async () => {
      expect((await record('alice')).json).not.to.have.property('email');
      expect((await record('alice', { include_email: 'True' })).json).not.to.have.property('email');
      const query = { include_email: 'true' };
      expect((await record('alice', query)).json).to.include({ email: 'alice@example.com' });
      expect((await record('ned', query)).json).to.include({ email: null });
    });

    const url = () => oauth1.options.profileURL;
    const token = () => oauth1.accessToken();
    const [WRONG, INVALID] = [
      '401 | 32 | Could not authenticate you.',
      '401 | 89 | Invalid or expired token.',
    ];
    const wrongSecret = async () => oauth1.verifyCredentials({ ...(await token()), tokenSecret: 'wrong' });
    const unsignedQuery = async () => oauth1.get(`${url()}?include_email=true`, await token());
    const unknownToken = () => oauth1.verifyCredentials({ token: '1-unknown', tokenSecret: 'x' });
    const requestToken = async () => oauth1.verifyCredentials(await oauth1.requestToken());

    for (const [what, send, expected] of [
      ['a request that is not signed', () => get(url()), '400 | 215 | Bad Authentication data.'],
      ['a wrong signature', wrongSecret, WRONG],
      ['a query that was not signed', unsignedQuery, WRONG],
      ['an unknown token', unknownToken, INVALID],
      ['a request token', requestToken, INVALID],
    ] as const) {
      it(`rejects ${what}`, async () => {
        const [status, code, message] = expected?.split(' | ') ?? [];
        const reply = await send();
        expect(reply.status).to.equal(Number(status));
        expect(reply.json).to.deep.equal({ errors: [{ code: Number(code), message }] });
      });
    }

    it('rejects a bearer token of OAuth 2.0', async () => {
      const { accessToken } = await client.tokens();
      const reply = await get(url(), bearer(accessToken));
      const detail = 'You are not permitted to use OAuth2 on this endpoint';
      expectProblem(reply, 403, 'Forbidden', 'verify_credentials takes OAuth 1.0a only', detail);
    });
  });
});
