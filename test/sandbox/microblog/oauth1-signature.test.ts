import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { post, REDIRECT_URI, signed } from '../requests.js';
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

  it('is not issued for a signature with a wrong secret', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: REDIRECT_URI }, { ...client.signer, clientSecret: 'wrong' }),
      401,
      32,
      'Could not authenticate you.',
      'oauth_signature does not match the request',
    );
  });

  it('is not issued for a signature over another URL', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const elsewhere = requestTokenURL.replace('127.0.0.1', 'api.example.com');
    const reply = await post(requestTokenURL, {}, signed('POST', elsewhere, client.signer));
    expectCode(
      sandbox,
      reply,
      401,
      32,
      'Could not authenticate you.',
      'oauth_signature does not match the request',
    );
  });

  it('is not issued for any signature method but HMAC-SHA1', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: REDIRECT_URI, oauth_signature_method: 'PLAINTEXT' }),
      400,
      215,
      'Bad Authentication data.',
      'oauth_signature_method is not "HMAC-SHA1"',
    );
  });

  it('is not issued for any version but 1.0', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: REDIRECT_URI, oauth_version: '2.0' }),
      400,
      215,
      'Bad Authentication data.',
      'oauth_version is not "1.0"',
    );
  });

  for (const [what, oauth_timestamp] of [
    ['six minutes old', () => String(Math.floor(Date.now() / 1000) - 360)],
    ['six minutes ahead', () => String(Math.floor(Date.now() / 1000) + 360)],
    ['not a number', () => 'yesterday'],
  ] as const) {
    it(`is not issued for a timestamp that is ${what}`, async () => {
      expectCode(
        sandbox,
        await client.start({ oauth_callback: REDIRECT_URI, oauth_timestamp: oauth_timestamp() }),
        401,
        135,
        'Timestamp out of bounds.',
        "oauth_timestamp is not within five minutes of the sandbox's clock",
      );
    });
  }

  it('is not issued when the clocks are five minutes apart', async () => {
    sandbox.advance(302_000);
    expect((await client.start()).json).to.have.nested.property('errors[0].code', 135);
  });

  it('is issued once for a nonce', async () => {
    const oauth = {
      oauth_callback: REDIRECT_URI,
      oauth_nonce: 'same',
      oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    };
    expect((await client.start(oauth)).status).to.equal(200);
    expectCode(
      sandbox,
      await client.start(oauth),
      401,
      32,
      'Could not authenticate you.',
      'oauth_nonce was used before',
    );
  });

  it('is not issued for a nonce with non-ASCII characters', async () => {
    const reply = await client.start({ oauth_callback: REDIRECT_URI, oauth_nonce: 'é' });
    expectCode(sandbox, reply, 401, 32, 'Could not authenticate you.', 'oauth_nonce is not plain ASCII');
  });
});
