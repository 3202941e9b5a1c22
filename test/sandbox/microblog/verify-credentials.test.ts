import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { bearer, get, type Reply, reasonOf } from '../requests.js';
import { OAuth1Client, type Token } from './oauth1-client.js';
import { OAuth2Client } from './oauth2-client.js';

describe("The sandbox's microblog network, verify_credentials and signed lookups", () => {
  let sandbox: Sandbox;
  let client: OAuth1Client;

  before(async () => {
    sandbox = await startSandbox();
    client = new OAuth1Client(sandbox);
  });

  after(() => sandbox.close());

  it('returns the record of API version 1.1, with the access level', async () => {
    const reply = await client.verifyCredentials(await client.accessToken('hanako'), { skip_status: 'true' });
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('x-access-level')).to.equal('read');
    expect(reply.json).to.include({
      id: 6253282,
      id_str: '6253282',
      name: '🌸 花子 👩‍🚀',
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
    const { text } = await client.verifyCredentials(await client.accessToken('max'));
    expect(text).to.match(/^\{"id":1823456789012345679,"id_str":"1823456789012345679",/);
  });

  it('returns the latest post, unless skip_status is set', async () => {
    const token = await client.accessToken('alice');
    const { text } = await client.verifyCredentials(token);
    expect(text).to.include(
      '"status":{"id":1255542774432063488,"id_str":"1255542774432063488","text":"Good morning from the sandbox."}',
    );
    for (const skip_status of ['true', 'True', 'TRUE', 't', 'T', '1']) {
      expect((await client.verifyCredentials(token, { skip_status })).json).not.to.have.property('status');
    }
    for (const skip_status of ['false', 'yes', 'truest', '11', '']) {
      expect((await client.verifyCredentials(token, { skip_status })).json).to.have.property('status');
    }
  });

  it('returns the entities, unless include_entities is false', async () => {
    const token = await client.accessToken('alice');
    expect((await client.verifyCredentials(token)).json).to.have.deep.property('entities', {
      url: {
        urls: [
          {
            url: 'https://t.co/3ZX3TNiZCY',
            expanded_url: 'https://alice.example.com/about',
            display_url: 'alice.example.com/about',
            indices: [0, 23],
          },
        ],
      },
      description: { urls: [] },
    });
    expect((await client.verifyCredentials(token, { include_entities: 'false' })).json).not.to.have.property(
      'entities',
    );
  });

  it('returns the e-mail address for include_email=true in lower case, and null when there is none', async () => {
    const alice = await client.accessToken('alice');
    expect((await client.verifyCredentials(alice)).json).not.to.have.property('email');
    expect((await client.verifyCredentials(alice, { include_email: 'True' })).json).not.to.have.property(
      'email',
    );
    expect((await client.verifyCredentials(alice, { include_email: 'true' })).json).to.include({
      email: 'alice@example.com',
    });
    const ned = await client.accessToken('ned');
    expect((await client.verifyCredentials(ned, { include_email: 'true' })).json).to.include({ email: null });
  });

  it('accepts tokens that are years old', async () => {
    const later = await startSandbox();
    const laterClient = new OAuth1Client(later);
    const token = await laterClient.accessToken();
    const fiveYears = 5 * 365 * 86_400_000;
    later.advance(fiveYears);
    const { profileURL } = later.options('microblog', { version: '1.0' });
    const oauth_timestamp = String(Math.floor((Date.now() + fiveYears) / 1000));
    expect((await laterClient.get(profileURL, token, {}, { oauth_timestamp })).status).to.equal(200);
    await later.close();
  });

  function expectCode(reply: Reply, status: number, code: number, message: string): void {
    expect(reply.status).to.equal(status);
    expect(reply.json).to.deep.equal({ errors: [{ code, message }] });
  }

  it('rejects a request that is not signed', async () => {
    const { profileURL } = sandbox.options('microblog', { version: '1.0' });
    expectCode(await get(profileURL), 400, 215, 'Bad Authentication data.');
  });

  it('rejects a wrong signature', async () => {
    const token = await client.accessToken();
    const reply = await client.verifyCredentials({ ...token, tokenSecret: 'wrong' });
    expectCode(reply, 401, 32, 'Could not authenticate you.');
  });

  it('rejects a query that was not signed', async () => {
    const { profileURL } = sandbox.options('microblog', { version: '1.0' });
    const reply = await client.get(`${profileURL}?include_email=true`, await client.accessToken());
    expectCode(reply, 401, 32, 'Could not authenticate you.');
  });

  it('rejects an unknown token, and a request token', async () => {
    const unknown: Token = { token: '1-unknown', tokenSecret: 'x' };
    expectCode(await client.verifyCredentials(unknown), 401, 89, 'Invalid or expired token.');
    const requestToken = await client.requestToken();
    expectCode(await client.verifyCredentials(requestToken), 401, 89, 'Invalid or expired token.');
  });

  it('rejects a bearer token of OAuth 2.0', async () => {
    const { accessToken } = await new OAuth2Client(sandbox).tokens();
    const reply = await get(sandbox.options('microblog', { version: '1.0' }).profileURL, bearer(accessToken));
    expect(reply.status).to.equal(403);
    expect(reply.json).to.deep.equal({
      title: 'Forbidden',
      type: 'about:blank',
      status: 403,
      detail: 'You are not permitted to use OAuth2 on this endpoint',
    });
  });

  it('returns the users lookup for a signed request', async () => {
    const { lookupURL } = sandbox.options('microblog', { version: '1.0' });
    const reply = await client.get(lookupURL, await client.accessToken('anna'), {
      'user.fields': 'location',
    });
    expect(reply.status).to.equal(200);
    expect(reply.json).to.deep.equal({
      data: { id: '783214', name: 'Анна Примерова', username: 'anna_primerova', location: 'Казань' },
    });
  });

  it('rejects a users lookup with a wrong signature', async () => {
    const { lookupURL } = sandbox.options('microblog', { version: '1.0' });
    const token = { ...(await client.accessToken()), tokenSecret: 'wrong' };
    const reply = await client.get(lookupURL, token);
    expect(reply.status).to.equal(401);
    expect(reply.json).to.deep.equal({
      title: 'Unauthorized',
      type: 'about:blank',
      status: 401,
      detail: 'Unauthorized',
    });
    expect(reasonOf(sandbox)).to.equal('oauth_signature does not match the request');
  });
});
