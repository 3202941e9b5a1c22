import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { get, post, REDIRECT_URI, reasonOf, responseParameters } from '../requests.js';
import { OAuth1Client } from './oauth1-client.js';

describe("The sandbox's microblog network, the authorization page of OAuth 1.0a", () => {
  let sandbox: Sandbox;
  let client: OAuth1Client;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new OAuth1Client(sandbox);
  });

  afterEach(() => sandbox.close());

  it('redirects back with the request token and a verifier, and keeps the query', async () => {
    const { token } = await client.requestToken(`${REDIRECT_URI}?next=%2Fa`);
    const reply = await get(client.authorization(token, { auto: 'allow' }));
    expect(reply.headers.get('location')).to.match(
      /^http:\/\/127\.0\.0\.1:3000\/callback\?next=%2Fa&oauth_token=/,
    );
    expect(responseParameters(reply)).to.have.all.keys('next', 'oauth_token', 'oauth_verifier');
    expect(responseParameters(reply).oauth_token).to.equal(token);
  });

  it('redirects back with "denied" when the user declines, and ends the request token', async () => {
    const { token } = await client.requestToken(`${REDIRECT_URI}?next=1`);
    const reply = await get(client.authorization(token, { auto: 'deny' }));
    expect(responseParameters(reply)).to.deep.equal({ next: '1', denied: token });
    expect((await get(client.authorization(token))).status).to.equal(403);
  });

  for (const path of ['/oauth/authorize', '/i/oauth/authenticate']) {
    it(`is also at ${path}`, async () => {
      const { token } = await client.requestToken();
      const url = client.authorization(token, { auto: 'allow' }).replace('/oauth/authenticate', path);
      expect(responseParameters(await get(url))).to.include({ oauth_token: token });
    });
  }

  it('shows a PIN of seven digits in place of a redirect for the callback oob, and the PIN is the verifier', async () => {
    const requestToken = await client.requestToken('oob');
    const url = client.authorization(requestToken.token).replace('/authenticate', '/authorize');
    const reply = await post(url, { person: 'anna', decision: 'allow' });
    expect(reply.status).to.equal(200);
    const [, oauth_verifier = ''] = /<code>(\d{7})<\/code>/.exec(reply.text) ?? [];
    expect((await client.exchange(requestToken, { oauth_verifier })).text).to.include('user_id=783214');
    expect((await client.exchange(requestToken, { oauth_verifier })).status).to.equal(401);
  });

  it('shows a page without a PIN when the user declines a login with the callback oob', async () => {
    const { token } = await client.requestToken('oob');
    const url = client.authorization(token, { auto: 'deny' }).replace('/authenticate', '/authorize');
    const reply = await get(url);
    expect(reply.status).to.equal(200);
    expect(reply.text).to.include('has no access to your account').and.not.match(/\d{7}/);
    expect((await get(url)).status).to.equal(403);
  });

  it('selects the person whose handle is in screen_name', async () => {
    const { token } = await client.requestToken();
    const { text } = await get(client.authorization(token, { screen_name: 'ned_noaddress' }));
    expect(text).to.match(/value="ned" required checked>/);
  });

  it('shows an error page when the request token is unknown, used or expired', async () => {
    const [used, old] = [await client.requestToken(), await client.requestToken()];
    await client.verifier(used.token);
    const unknown = await get(client.authorization('unknown'));
    expect(unknown.status).to.equal(403);
    expect(unknown.text)
      .to.include('<h1>Whoa there!</h1>')
      .and.to.include('There is no request token for this page.');
    expect(reasonOf(sandbox)).to.equal('oauth_token is missing, or not one that this sandbox gave out');
    expect((await get(client.authorization(used.token))).status).to.equal(403);
    expect(reasonOf(sandbox)).to.equal('oauth_token was allowed already');
    sandbox.advance(900_000);
    expect((await get(client.authorization(old.token))).status).to.equal(403);
    expect(reasonOf(sandbox)).to.equal('oauth_token has expired');
  });
});
