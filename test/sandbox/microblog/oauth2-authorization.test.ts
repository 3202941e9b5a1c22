import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { get, REDIRECT_URI, reasonOf, responseParameters, VERIFIER } from '../requests.js';
import { OAuth2Client } from './oauth2-client.js';

describe("The sandbox's microblog network, OAuth 2.0 authorization", () => {
  let sandbox: Sandbox;
  let client: OAuth2Client;

  before(async () => {
    sandbox = await startSandbox();
    client = new OAuth2Client(sandbox);
  });

  after(() => sandbox.close());

  it('redirects back with the state and a code', async () => {
    const parameters = responseParameters(await get(client.authorization({ auto: 'allow' })));
    expect(parameters).to.have.all.keys('state', 'code');
    expect(parameters.state).to.equal('xyz');
    expect(Buffer.from(parameters.code ?? '', 'base64url').toString()).to.match(
      /^[A-Za-z0-9_-]{43}:\d{13}:1:1:ac:1$/,
    );
  });

  it('redirects back with access_denied when the user declines', async () => {
    expect(responseParameters(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
      error: 'access_denied',
      state: 'xyz',
    });
  });

  it('keeps the query of the redirect URI as it is', async () => {
    const redirect_uri = `${REDIRECT_URI}?next=%2Fa%20b`;
    const reply = await get(client.authorization({ auto: 'deny', redirect_uri }));
    expect(reply.headers.get('location')).to.equal(
      `${REDIRECT_URI}?next=%2Fa%20b&error=access_denied&state=xyz`,
    );
  });

  it('accepts a state of 500 characters', async () => {
    const state = 's'.repeat(500);
    expect(responseParameters(await get(client.authorization({ auto: 'allow', state })))).to.include({
      state,
    });
  });

  it('accepts the challenge method plain', async () => {
    const code = await client.code({ code_challenge: VERIFIER, code_challenge_method: 'plain' });
    expect((await client.exchange(code)).json).to.have.property('access_token');
  });

  it("is also at the path of the network's API description", async () => {
    const url = client.authorization({ auto: 'allow' }).replace('/i/oauth2/', '/2/oauth2/');
    expect(responseParameters(await get(url))).to.have.all.keys('state', 'code');
  });

  for (const code_challenge_method of ['S256', 's256']) {
    it(`leads to a token for the challenge method ${code_challenge_method}`, async () => {
      const code = await client.code({ code_challenge_method });
      expect((await client.exchange(code)).json).to.have.property('access_token');
    });
  }

  it("leads to a token for the plain challenge of X's own example", async () => {
    const code = await client.code({ code_challenge: 'challenge', code_challenge_method: 'plain' });
    expect((await client.exchange(code, { code_verifier: 'challenge' })).json).to.have.property(
      'access_token',
    );
  });

  it('uses the first value of a repeated parameter', async () => {
    const reply = await get(`${client.authorization({ auto: 'allow' })}&state=other`);
    expect(responseParameters(reply)).to.include({ state: 'xyz' });
  });

  const rejected: [what: string, changes: Record<string, string | undefined>, reason: string][] = [
    ['no client_id', { client_id: undefined }, 'client_id is missing, or no OAuth 2.0 client of the sandbox'],
    [
      'the consumer key of OAuth 1.0a',
      { client_id: 'sandboxConsumerKey000001' },
      'client_id is missing, or no OAuth 2.0 client of the sandbox',
    ],
    ['a response_type other than code', { response_type: 'token' }, 'response_type is not "code"'],
    ['no redirect_uri', { redirect_uri: undefined }, 'redirect_uri is missing, empty or given twice'],
    ['a redirect_uri with a fragment', { redirect_uri: `${REDIRECT_URI}#x` }, 'redirect_uri has a fragment'],
    [
      'a redirect_uri that hides its host',
      { redirect_uri: 'https://app.example.com@evil.example' },
      'redirect_uri hides its host',
    ],
    [
      'a redirect_uri with a line break',
      { redirect_uri: `${REDIRECT_URI}\nSet-Cookie: a=b` },
      'redirect_uri is no absolute http or https address',
    ],
    ['a state of 501 characters', { state: 's'.repeat(501) }, 'state has more than 500 characters'],
    ['no scope', { scope: undefined }, 'scope is missing'],
    ['an unknown scope', { scope: 'tweet.read email' }, 'scope names one that does not exist'],
    ['scopes joined with commas', { scope: 'tweet.read,users.read' }, 'scope names one that does not exist'],
    ['no PKCE', { code_challenge: undefined }, 'code_challenge is missing, which this network needs'],
    [
      'another challenge method',
      { code_challenge_method: 'S512' },
      'code_challenge_method is neither "S256" nor "plain"',
    ],
  ];

  for (const [what, changes, reason] of rejected) {
    it(`shows an error page with the reason: ${what}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changes }));
      expect(reply.status).to.equal(400);
      expect(reply.headers.get('location')).to.equal(null);
      expect(reply.text).to.include("You weren't able to give access to the App.");
      expect(reasonOf(sandbox)).to.equal(reason);
    });
  }
});
