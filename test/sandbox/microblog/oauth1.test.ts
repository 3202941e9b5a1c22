import { expect } from 'chai';
import { eachSandbox } from '../../support/sandbox.js';
import { OAuth1Client } from '../clients.js';
import type { Fields, Reply } from '../requests.js';
import {
  expectError,
  get,
  post,
  REDIRECT_URI,
  reasonOf,
  responseParameters,
  rows,
  signed,
} from '../requests.js';

const CALLBACK = { oauth_callback: REDIRECT_URI };
const BAD_DATA = '400 | 215 | Bad Authentication data.';
const NOT_AUTHENTICATED = '401 | 32 | Could not authenticate you.';
const OUT_OF_BOUNDS =
  "401 | 135 | Timestamp out of bounds. | oauth_timestamp is not within five minutes of the sandbox's clock";
const BAD_TOKEN = '401 | 89 | Invalid or expired token. | oauth_token is not valid for this request';
const UNSIGNED = `${BAD_DATA} | oauth_consumer_key is missing or empty`;
const NO_MATCH = 'oauth_signature does not match the request';
const BAD_VERIFIER = 'Error processing your OAuth request: Invalid oauth_verifier parameter';

const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
const fieldsIn = ({ text }: Reply) => Object.fromEntries(new URLSearchParams(text));

describe("The sandbox's microblog network, OAuth 1.0a", () => {
  const sandbox = eachSandbox();
  const client = new OAuth1Client(sandbox);
  const requestTokenURL = () => client.options.requestTokenURL;

  /** Expects an error response in JSON: status, one of the network's codes, message and reason, as in a table. */
  function expectCode(reply: Reply, expected: string): void {
    const [status, code, message, reason] = expected.split(' | ');
    const error = { errors: [{ code: Number(code), message }] };
    expectError(sandbox, reply, Number(status), error, reason);
  }

  function expectText(reply: Reply, text: string, reason: string): void {
    expectError(sandbox, reply, 401, text, reason);
    expect(reply.headers['content-type']).to.equal('text/plain; charset=utf-8');
  }

  describe('a request token', () => {
    const start = (oauth: Fields) => client.start({ ...CALLBACK, ...oauth });

    it('is form-encoded, labelled as HTML, with the callback confirmed', async () => {
      const reply = await client.start();
      expect(reply.status).to.equal(200);
      expect(reply.headers['content-type']).to.equal('text/html; charset=utf-8');
      const { oauth_token, oauth_token_secret, ...others } = fieldsIn(reply);
      expect([oauth_token, oauth_token_secret].every(Boolean)).to.equal(true);
      expect(others).to.deep.equal({ oauth_callback_confirmed: 'true' });
    });

    it('is issued when the parameters are in the query or in the body', async () => {
      const callback = { oauth_callback: `${REDIRECT_URI}?a=1` };
      const headers = () => signed('POST', requestTokenURL(), client.signer, {}, callback);
      const query = new URLSearchParams(callback).toString();
      expect((await post(`${requestTokenURL()}?${query}`, {}, headers())).status).to.equal(200);
      expect((await post(requestTokenURL(), callback, headers())).status).to.equal(200);
    });

    const withHeader = (Authorization: string) => post(requestTokenURL(), {}, { Authorization });
    const signedBy = (signer: object) => client.start(CALLBACK, { ...client.signer, ...signer });
    const sends: Readonly<Record<string, () => Promise<Reply>>> = {
      'that is not signed': () => post(requestTokenURL(), CALLBACK),
      'with a parameter both in the header and in the query': () => {
        const headers = signed('POST', requestTokenURL(), client.signer, CALLBACK);
        return post(`${requestTokenURL()}?oauth_callback=x`, {}, headers);
      },
      'of an unknown consumer': () => signedBy({ clientID: 'nobody', clientSecret: 'x' }),
      'that is signed with an access token': async () => signedBy(await client.accessToken()),
      'that is signed with a wrong secret': () => signedBy({ clientSecret: 'wrong' }),
      'that is signed for another URL': () => {
        const elsewhere = requestTokenURL().replace('127.0.0.1', 'api.example.com');
        return post(requestTokenURL(), {}, signed('POST', elsewhere, client.signer));
      },
      'when the clocks are five minutes apart': () => {
        sandbox.advance(302_000);
        return client.start();
      },
      'with a nonce that was used': async () => {
        const oauth = { oauth_nonce: 'same', oauth_timestamp: inSeconds(0) };
        expect((await start(oauth)).status).to.equal(200);
        return start(oauth);
      },
    };
    for (const [what = '', ...expected] of rows(`
      that is not signed                     | ${UNSIGNED}
      with a parameter both in the header and in the query | ${BAD_DATA} | a parameter is given twice
      of an unknown consumer                 | ${NOT_AUTHENTICATED} | oauth_consumer_key is not the sandbox's consumer key
      that is signed with an access token    | ${BAD_TOKEN}
      that is signed with a wrong secret     | ${NOT_AUTHENTICATED} | ${NO_MATCH}
      that is signed for another URL         | ${NOT_AUTHENTICATED} | ${NO_MATCH}
      when the clocks are five minutes apart | ${OUT_OF_BOUNDS}
      with a nonce that was used             | ${NOT_AUTHENTICATED} | oauth_nonce was used before`)) {
      it(`is not issued for a request ${what}`, async () =>
        expectCode((await sends[what]?.()) as Reply, expected.join(' | ')));
    }

    for (const [header = '', reason] of rows(`
      OAuth nonsense           | the Authorization header is not a list of name="value" pairs
      OAuth oauth_nonce="%zz"  | the Authorization header is not percent-encoded
      OAuth a="1", a="2"       | a parameter is given twice`)) {
      it(`is not issued for the header ${header}`, async () =>
        expectCode(await withHeader(header), `${BAD_DATA} | ${reason}`));
    }

    for (const [name = '', value, ...expected] of rows(`
      oauth_signature_method | PLAINTEXT | ${BAD_DATA} | oauth_signature_method is not "HMAC-SHA1"
      oauth_version          | 2.0       | ${BAD_DATA} | oauth_version is not "1.0"
      oauth_timestamp        | +360      | ${OUT_OF_BOUNDS}
      oauth_timestamp        | yesterday | ${OUT_OF_BOUNDS}
      oauth_nonce            | é         | ${NOT_AUTHENTICATED} | oauth_nonce is not plain ASCII`)) {
      it(`is not issued for the ${name} ${value}`, async () => {
        const given = /^[-+]/.test(value ?? '') ? inSeconds(Number(value)) : String(value);
        expectCode(await start({ [name]: given }), expected.join(' | '));
      });
    }

    for (const [what, callback, reason] of [
      ['no callback', undefined, 'is missing, empty or given twice'],
      ['a callback with an app scheme', 'myapp://x', 'is no absolute http or https address: myapp://x'],
    ] as const) {
      it(`is rejected with XML for ${what}`, async () => {
        const reply = await client.start(callback === undefined ? {} : { oauth_callback: callback });
        const body =
          "<?xml version='1.0' encoding='UTF-8'?><errors><error code=\"415\">Callback URL not approved for this client " +
          'application. Approved callback URLs can be adjusted in your application settings</error></errors>';
        expectError(sandbox, reply, 403, body, `oauth_callback ${reason}`);
        expect(reply.headers['content-type']).to.equal('application/xml; charset=utf-8');
      });
    }
  });

  describe('the authorization page', () => {
    it('redirects back with the request token and a verifier, and keeps the query', async () => {
      const { token } = await client.requestToken(`${REDIRECT_URI}?next=%2Fa`);
      const reply = await get(client.authorization(token, { auto: 'allow' }));
      expect(reply.headers.location).to.include(`${REDIRECT_URI}?next=%2Fa&oauth_token=`);
      expect(responseParameters(reply)).to.have.all.keys('next', 'oauth_token', 'oauth_verifier');
      expect(responseParameters(reply).oauth_token).to.equal(token);
    });

    it('redirects back with "denied" when the user declines, and ends the request token', async () => {
      const { token } = await client.requestToken(`${REDIRECT_URI}?next=1`);
      const reply = await get(client.authorization(token, { auto: 'deny' }));
      expect(responseParameters(reply)).to.deep.equal({ next: '1', denied: token });
      expect((await get(client.authorization(token))).status).to.equal(403);
    });

    it('is also at /i/oauth/authenticate', async () => {
      const { token } = await client.requestToken();
      const url = client.authorization(token, { auto: 'allow' }).replace('/oauth/', '/i/oauth/');
      expect(responseParameters(await get(url))).to.include({ oauth_token: token });
    });

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

    it('shows an error page when the request token is unknown, used or expired', async () => {
      const [used, old] = [await client.requestToken(), await client.requestToken()];
      await client.verifier(used.token);
      const expectPage = async (token: string, reason: string) => {
        const { status, text } = await get(client.authorization(token));
        expect(status).to.equal(403);
        expect(text).to.include('<h1>Whoa there!</h1>').and.to.include('There is no request token');
        expect(reasonOf(sandbox)).to.equal(reason);
      };
      await expectPage('unknown', 'oauth_token is missing, or not one that this sandbox gave out');
      await expectPage(used.token, 'oauth_token was allowed already');
      sandbox.advance(900_000);
      await expectPage(old.token, 'oauth_token has expired');
    });
  });

  describe('an access token', () => {
    it('is form-encoded, with the user ID and the handle', async () => {
      const requestToken = await client.requestToken();
      const verifier = await client.verifier(requestToken.token, 'max');
      const reply = await client.exchange(requestToken, { oauth_verifier: verifier });
      expect(reply.status).to.equal(200);
      expect(reply.headers['content-type']).to.equal('text/html; charset=utf-8');
      const { oauth_token, oauth_token_secret, ...identity } = fieldsIn(reply);
      expect(identity).to.deep.equal({ user_id: '1823456789012345679', screen_name: 'max_bignumber' });
      expect(oauth_token).to.match(/^1823456789012345679-[A-Za-z0-9_-]{40}$/);
      expect(oauth_token_secret).to.match(/^.{45}$/);
    });

    for (const [what, oauth] of [
      ['a wrong verifier', { oauth_verifier: 'wrong' }],
      ['no verifier', {}],
    ] as const) {
      it(`is not issued for ${what}, and the request token is used up`, async () => {
        const requestToken = await client.requestToken();
        const oauth_verifier = await client.verifier(requestToken.token);
        const reason = 'oauth_verifier is missing, or does not belong to this request token';
        expectText(await client.exchange(requestToken, oauth), BAD_VERIFIER, reason);
        const again = await client.exchange(requestToken, { oauth_verifier });
        expectText(again, 'Invalid request token.', 'oauth_token is not valid for this request');
      });
    }

    it("is not issued before the user consents, nor for another request token's verifier", async () => {
      const [mine, theirs] = [await client.requestToken(), await client.requestToken()];
      const early = await client.requestToken();
      expect((await client.exchange(early, { oauth_verifier: '' })).text).to.equal(BAD_VERIFIER);
      await client.verifier(mine.token);
      const oauth_verifier = await client.verifier(theirs.token);
      expect((await client.exchange(mine, { oauth_verifier })).text).to.equal(BAD_VERIFIER);
    });

    it('is not issued for a signature with a wrong token secret, and the request token stays valid', async () => {
      const requestToken = await client.requestToken();
      const oauth_verifier = await client.verifier(requestToken.token);
      const wrong = await client.exchange({ ...requestToken, tokenSecret: 'wrong' }, { oauth_verifier });
      expectText(wrong, 'Failed to validate oauth signature and token', NO_MATCH);
      expect((await client.exchange(requestToken, { oauth_verifier })).status).to.equal(200);
    });

    it('ends when it is revoked, by a signed request only', async () => {
      const token = await client.accessToken();
      expectCode(await post(client.options.revocationURL, {}), UNSIGNED);
      const reply = await client.revoke(token);
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({ access_token: token.token });
      expectCode(await client.verifyCredentials(token), BAD_TOKEN);
      expectCode(await client.revoke(token), BAD_TOKEN);
    });
  });
});
