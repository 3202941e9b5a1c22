import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { CALLBACK, post, reasonOf, signed } from '../requests.js';
import { OAuth1Client } from './oauth1-client.js';
import { expectCode } from './oauth1-refusals.js';

describe("The sandbox's microblog network, a request token of OAuth 1.0a", () => {
  let sandbox: Sandbox;
  let client: OAuth1Client;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new OAuth1Client(sandbox);
  });

  afterEach(() => sandbox.close());

  it('comes form-encoded, labelled as HTML, with the callback confirmed', async () => {
    const reply = await client.start();
    const fields = Object.fromEntries(new URLSearchParams(reply.text));
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(fields).to.have.all.keys('oauth_token', 'oauth_token_secret', 'oauth_callback_confirmed');
    expect(fields.oauth_callback_confirmed).to.equal('true');
  });

  it('is given when the parameters stand in the query or in the body', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const callback = { oauth_callback: `${CALLBACK}?a=1` };
    const inQuery = signed('POST', requestTokenURL, client.signer, {}, callback);
    const query = new URLSearchParams(callback).toString();
    expect((await post(`${requestTokenURL}?${query}`, {}, inQuery)).status).to.equal(200);
    const inBody = signed('POST', requestTokenURL, client.signer, {}, callback);
    expect((await post(requestTokenURL, callback, inBody)).status).to.equal(200);
  });

  it('is not given to a request that is not signed', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    expectCode(
      sandbox,
      await post(requestTokenURL, { oauth_callback: CALLBACK }),
      400,
      215,
      'Bad Authentication data.',
      'oauth_consumer_key is missing or empty',
    );
  });

  for (const [what, header, reason] of [
    ['no list', 'OAuth nonsense', 'the Authorization header is no list of name="value"'],
    ['badly encoded', 'OAuth oauth_nonce="%zz"', 'the Authorization header is not percent-encoded'],
    ['repetitive', 'OAuth a="1", a="2"', 'a parameter is given twice'],
  ] as const) {
    it(`is not given when the header is ${what}`, async () => {
      const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
      const reply = await post(requestTokenURL, {}, { Authorization: header });
      expectCode(sandbox, reply, 400, 215, 'Bad Authentication data.', reason);
    });
  }

  it('is not given when a parameter stands in the header and in the query', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const headers = signed('POST', requestTokenURL, client.signer, { oauth_callback: CALLBACK });
    const reply = await post(`${requestTokenURL}?oauth_callback=x`, {}, headers);
    expectCode(sandbox, reply, 400, 215, 'Bad Authentication data.', 'a parameter is given twice');
  });

  it('is not given to an unknown consumer', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: CALLBACK }, { clientID: 'nobody', clientSecret: 'x' }),
      401,
      32,
      'Could not authenticate you.',
      'oauth_consumer_key is no consumer of the sandbox',
    );
  });

  it('is not given to whom holds a token already', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const signer = { ...client.signer, ...(await client.accessToken()) };
    const reply = await post(
      requestTokenURL,
      {},
      signed('POST', requestTokenURL, signer, { oauth_callback: CALLBACK }),
    );
    expectCode(sandbox, reply, 401, 89, 'Invalid or expired token.', 'oauth_token is not one that holds');
  });

  for (const [what, oauth, reason] of [
    ['no callback', {}, 'oauth_callback is missing, empty or given twice'],
    ['the callback oob', { oauth_callback: 'oob' }, 'oauth_callback is no absolute http or https address'],
    [
      'a callback of an app',
      { oauth_callback: 'myapp://x' },
      'oauth_callback is no absolute http or https address',
    ],
  ] as const) {
    it(`is refused in XML for ${what}`, async () => {
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
