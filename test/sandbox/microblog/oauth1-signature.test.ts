import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../lib/sandbox/index.js';
import { CALLBACK, post, signed } from '../requests.js';
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

  it('is not given for a signature with a wrong secret', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: CALLBACK }, { ...client.signer, clientSecret: 'wrong' }),
      401,
      32,
      'Could not authenticate you.',
      'oauth_signature does not fit the request',
    );
  });

  it('is not given for a signature over another address', async () => {
    const { requestTokenURL } = sandbox.options('microblog', { version: '1.0' });
    const elsewhere = requestTokenURL.replace('127.0.0.1', 'api.example.com');
    const reply = await post(requestTokenURL, {}, signed('POST', elsewhere, client.signer));
    expectCode(
      sandbox,
      reply,
      401,
      32,
      'Could not authenticate you.',
      'oauth_signature does not fit the request',
    );
  });

  it('is not given for another signature method than HMAC-SHA1', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: CALLBACK, oauth_signature_method: 'PLAINTEXT' }),
      400,
      215,
      'Bad Authentication data.',
      'oauth_signature_method is not "HMAC-SHA1"',
    );
  });

  it('is not given for another version than 1.0', async () => {
    expectCode(
      sandbox,
      await client.start({ oauth_callback: CALLBACK, oauth_version: '2.0' }),
      400,
      215,
      'Bad Authentication data.',
      'oauth_version is not "1.0"',
    );
  });

  for (const [what, oauth_timestamp] of [
    ['six minutes old', () => String(Math.floor(Date.now() / 1000) - 360)],
    ['six minutes ahead', () => String(Math.floor(Date.now() / 1000) + 360)],
    ['no number', () => 'yesterday'],
  ] as const) {
    it(`is not given for a timestamp that is ${what}`, async () => {
      expectCode(
        sandbox,
        await client.start({ oauth_callback: CALLBACK, oauth_timestamp: oauth_timestamp() }),
        401,
        135,
        'Timestamp out of bounds.',
        'oauth_timestamp is no time within five minutes of the clock',
      );
    });
  }

  it('is not given when the clocks are five minutes apart', async () => {
    sandbox.advance(302_000);
    expect((await client.start()).json).to.have.nested.property('errors[0].code', 135);
  });

  it('is given once for a nonce', async () => {
    const oauth = {
      oauth_callback: CALLBACK,
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

  it('is not given for a nonce beyond ASCII', async () => {
    const reply = await client.start({ oauth_callback: CALLBACK, oauth_nonce: 'é' });
    expectCode(sandbox, reply, 401, 32, 'Could not authenticate you.', 'oauth_nonce is not plain ASCII');
  });
});
