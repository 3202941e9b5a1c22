import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { post, signed } from '../requests.js';
import { OAuth1Client } from './oauth1-client.js';
import { expectCode, expectText } from './oauth1-errors.js';

describe("The sandbox's microblog network, OAuth 1.0a,", () => {
  let sandbox: Sandbox;
  let client: OAuth1Client;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new OAuth1Client(sandbox);
  });

  afterEach(() => sandbox.close());

  describe('access token', () => {
    it('is form-encoded, with the user ID and the handle', async () => {
      const requestToken = await client.requestToken();
      const verifier = await client.verifier(requestToken.token, 'max');
      const reply = await client.exchange(requestToken, { oauth_verifier: verifier });
      const fields = Object.fromEntries(new URLSearchParams(reply.text));
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(fields).to.have.all.keys('oauth_token', 'oauth_token_secret', 'user_id', 'screen_name');
      expect(fields).to.include({ user_id: '1823456789012345679', screen_name: 'max_bignumber' });
      expect(fields.oauth_token).to.match(/^1823456789012345679-[A-Za-z0-9_-]{40}$/);
    });

    it('is issued when the verifier is in the body', async () => {
      const { accessTokenURL } = sandbox.options('microblog', { version: '1.0' });
      const requestToken = await client.requestToken();
      const body = { oauth_verifier: await client.verifier(requestToken.token) };
      const headers = signed('POST', accessTokenURL, { ...client.signer, ...requestToken }, {}, body);
      expect((await post(accessTokenURL, body, headers)).status).to.equal(200);
    });

    it('is issued once for a request token', async () => {
      const requestToken = await client.requestToken();
      const oauth_verifier = await client.verifier(requestToken.token);
      await client.exchange(requestToken, { oauth_verifier });
      expectText(
        sandbox,
        await client.exchange(requestToken, { oauth_verifier }),
        'Invalid request token.',
        'oauth_token is not valid for this request',
      );
    });

    for (const [what, oauth] of [
      ['a wrong verifier', { oauth_verifier: 'wrong' }],
      ['no verifier', {}],
    ] as const) {
      it(`is not issued for ${what}, and the request token is used up`, async () => {
        const requestToken = await client.requestToken();
        const oauth_verifier = await client.verifier(requestToken.token);
        expectText(
          sandbox,
          await client.exchange(requestToken, oauth),
          'Error processing your OAuth request: Invalid oauth_verifier parameter',
          'oauth_verifier is missing, or does not belong to this request token',
        );
        expect((await client.exchange(requestToken, { oauth_verifier })).text).to.equal(
          'Invalid request token.',
        );
      });
    }

    it('is not issued before the user consents', async () => {
      const requestToken = await client.requestToken();
      expect((await client.exchange(requestToken, { oauth_verifier: '' })).text).to.equal(
        'Error processing your OAuth request: Invalid oauth_verifier parameter',
      );
    });

    it("is not issued for another request token's verifier", async () => {
      const [mine, theirs] = [await client.requestToken(), await client.requestToken()];
      await client.verifier(mine.token);
      const oauth_verifier = await client.verifier(theirs.token);
      expect((await client.exchange(mine, { oauth_verifier })).text).to.equal(
        'Error processing your OAuth request: Invalid oauth_verifier parameter',
      );
    });

    it('is not issued for a signature with a wrong token secret, and the request token stays valid', async () => {
      const requestToken = await client.requestToken();
      const oauth_verifier = await client.verifier(requestToken.token);
      expectText(
        sandbox,
        await client.exchange({ ...requestToken, tokenSecret: 'wrong' }, { oauth_verifier }),
        'Failed to validate oauth signature and token',
        'oauth_signature does not match the request',
      );
      expect((await client.exchange(requestToken, { oauth_verifier })).status).to.equal(200);
    });

    it('is not issued for a stale timestamp', async () => {
      const requestToken = await client.requestToken();
      expectCode(
        sandbox,
        await client.exchange(requestToken, { oauth_timestamp: '1318622958' }),
        401,
        135,
        'Timestamp out of bounds.',
        "oauth_timestamp is not within five minutes of the sandbox's clock",
      );
    });
  });

  describe('revocation', () => {
    it('ends the access token', async () => {
      const token = await client.accessToken();
      const reply = await client.revoke(token);
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({ access_token: token.token });
      const rejected = ['oauth_token is not valid for this request'] as const;
      expectCode(
        sandbox,
        await client.verifyCredentials(token),
        401,
        89,
        'Invalid or expired token.',
        ...rejected,
      );
      expectCode(sandbox, await client.revoke(token), 401, 89, 'Invalid or expired token.', ...rejected);
    });

    it('needs a signature', async () => {
      const { revocationURL } = sandbox.options('microblog', { version: '1.0' });
      const reply = await post(revocationURL, {});
      expectCode(
        sandbox,
        reply,
        400,
        215,
        'Bad Authentication data.',
        'oauth_consumer_key is missing or empty',
      );
    });
  });
});
