import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { post, REDIRECT_URI, reasonOf, signed } from '../requests.js';
import { OAuth1Client } from './oauth1-client.js';
import { expectCode } from './oauth1-errors.js';

describe("The sandbox's microblog network, a request token of OAuth 1.0a", () => {
  let sandbox: Sandbox;
  let client: OAuth1Client;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new OAuth1Client(sandbox);
  });

  afterEach(() => sandbox.close());

  it('is form-encoded, labelled as HTML, with the callback confirmed', async () => {
    const reply = await client.start();
    const fields = Object.fromEntries(new URLSearchParams(reply.text));
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(fields).to.have.all.keys('oauth_token', 'oauth_token_secret', 'oauth_callback_confirmed');
    expect(fields.oauth_callback_confirmed).to.equal('true');
  });

  it('is issued when the parameters are in the query or in the body', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const callback = { oauth_callback: `${REDIRECT_URI}?a=1` };
    const inQuery = signed('POST', requestTokenURL, client.signer, {}, callback);
    const query = new URLSearchParams(callback).toString();
    expect((await post(`${requestTokenURL}?${query}`, {}, inQuery)).status).to.equal(200);
    const inBody = signed('POST', requestTokenURL, client.signer, {}, callback);
    expect((await post(requestTokenURL, callback, inBody)).status).to.equal(200);
  });

  it('is not issued for a request that is not signed', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    expectCode(
      sandbox,
      await post(requestTokenURL, { oauth_callback: REDIRECT_URI }),
      400,
      215,
      'Bad Authentication data.',
      'oauth_consumer_key is missing or empty',
    );
  });

  for (const [what, header, reason] of [
    ['not a list', 'OAuth nonsense', 'the Authorization header is not a list of name="value" pairs'],
    ['not percent-encoded', 'OAuth oauth_nonce="%zz"', 'the Authorization header is not percent-encoded'],
    ['repetitive', 'OAuth a="1", a="2"', 'a parameter is given twice'],
  ] as const) {
    it(`is not issued when the header is ${what}`, async () => {
      const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
      const reply = await post(requestTokenURL, {}, { Authorization: header });
      expectCode(sandbox, reply, 400, 215, 'Bad Authentication data.', reason);
    });
  }

  it('is not issued when a parameter is both in the header and in the query', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const headers = signed('POST', requestTokenURL, client.signer, { oauth_callback: REDIRECT_URI });
    const reply = await post(`${requestTokenURL}?oauth_callback=x`, {}, headers);
    expectCode(sandbox, reply, 400, 215, 'Bad Authentication data.', 'a parameter is given twice');
  });

  it('is not issued to an unknown consumer', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: REDIRECT_URI }, { clientID: 'nobody', clientSecret: 'x' }),
      401,
      32,
      'Could not authenticate you.',
      "oauth_consumer_key is not the sandbox's consumer key",
    );
  });

  it('is not issued for a request that is signed with an access token', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const signer = { ...client.signer, ...(await client.accessToken()) };
    const reply = await post(
      requestTokenURL,
      {},
      signed('POST', requestTokenURL, signer, { oauth_callback: REDIRECT_URI }),
    );
    expectCode(
      sandbox,
      reply,
      401,
      89,
      'Invalid or expired token.',
      'oauth_token is not valid for this request',
    );
  });

  for (const [what, oauth, reason] of [
    ['no callback', {}, 'oauth_callback is missing, empty or given twice'],
    [
      'a callback with an app scheme',
      { oauth_callback: 'myapp://x' },
      'oauth_callback is no absolute http or https address',
    ],
  ] as const) {
    it(`is rejected with XML for ${what}`, async () => {
      const reply = await client.start(oauth);
      expect(reply.status).to.equal(403);
      expect(reply.headers.get('content-type')).to.equal('application/xml; charset=utf-8');
      expect(reply.text).to.equal(
        "<?xml version='1.0' encoding='UTF-8'?><errors><error code=\"415\">Callback URL not approved for this client " +
          'application. Approved callback URLs can be adjusted in your application settings</error></errors>',
      );
      expect(reasonOf(sandbox)).to.equal(reason);
    });
  }
});
