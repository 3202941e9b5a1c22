import { expect } from 'chai';
import { eachSandbox } from '../../support/sandbox.js';
import { OAuth2Client, showsErrorPages } from '../clients.js';
import type { Fields, Reply } from '../requests.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  expectError,
  expectTokens,
  get,
  post,
  postJson,
  REDIRECT_URI,
  responseParameters,
  rows,
  stringIn,
  VERIFIER,
} from '../requests.js';

const NO_CLIENT = 'client_id is missing, or no OAuth 2.0 client of the sandbox';
const NO_FORM = 'the body is not application/x-www-form-urlencoded';
const NO_BASIC =
  'a confidential client must send its identifier and secret by HTTP Basic: the header is missing or wrong';
const BAD_CODE = 'Value passed for the authorization code was invalid.';
const BAD_VERIFIER =
  'Value passed for the code verifier did not match the code challenge. | code_verifier does not match code_challenge';
const BAD_TOKEN = 'Value passed for the token was invalid.';

/** Description and reason of the error for a missing parameter. */
const missing = (name: string) =>
  [`Missing required parameter [${name}].`, `${name} is missing, empty or given twice`] as const;

/** Changes of a right request, and the reason. */
const REJECTED = rows(`
  -client_id                                                | ${NO_CLIENT}
  client_id=sandboxConsumerKey000001                        | ${NO_CLIENT}
  response_type=token                                       | response_type is not "code"
  -redirect_uri                                             | redirect_uri is missing, empty or given twice
  redirect_uri=https://app.example.com@evil.example         | redirect_uri hides its host: https://app.example.com@evil.example
  redirect_uri=${REDIRECT_URI}%0ASet-Cookie:+a=b            | redirect_uri is no absolute http or https address: ${REDIRECT_URI}�Set-Cookie: a=b
  state=${'s'.repeat(501)}                                  | state has more than 500 characters
  -scope                                                    | scope is missing
  scope=tweet.read+email                                    | scope names one that does not exist: email
  scope=tweet.read,users.read                               | scope names one that does not exist: tweet.read,users.read
  -code_challenge                                           | code_challenge is missing, which this network needs
  code_challenge_method=S512                                | code_challenge_method is neither "S256" nor "plain"`);

describe("The sandbox's microblog network, OAuth 2.0", () => {
  const sandbox = eachSandbox();
  const client = new OAuth2Client(sandbox);
  const publicClient = new OAuth2Client(sandbox, 'public');
  const tokenURL = () => sandbox.options('microblog').tokenURL;

  function expectInvalid(reply: Reply, error_description: string, reason: string): void {
    expectError(sandbox, reply, 400, { error: 'invalid_request', error_description }, reason);
  }

  function expectUnauthorized(reply: Reply): void {
    const body = { error: 'unauthorized_client', error_description: 'Missing valid authorization header' };
    expectError(sandbox, reply, 401, body, NO_BASIC);
  }

  describe('the authorization page', () => {
    it('redirects back with access_denied when the user declines, and keeps the query as it is', async () => {
      const redirect_uri = `${REDIRECT_URI}?next=%2Fa%20b`;
      const reply = await get(client.authorization({ auto: 'deny', redirect_uri }));
      expect(reply.headers.location).to.equal(`${REDIRECT_URI}?next=%2Fa%20b&error=access_denied&state=xyz`);
    });

    it("accepts a state of 500 characters, at the path of the network's API description, too", async () => {
      const state = 's'.repeat(500);
      const url = client.authorization({ auto: 'allow', state }).replace('/i/oauth2/', '/2/oauth2/');
      // Of a repeated parameter the first value counts.
      expect(responseParameters(await get(`${url}&state=other`))).to.include({ state });
    });

    for (const [what, code_challenge_method, verifier, code_challenge] of [
      ['the method s256', 's256', VERIFIER, BASE64URL_CHALLENGE],
      ['the method plain', 'plain', VERIFIER, VERIFIER],
      ["the plain challenge of X's own example", 'plain', 'challenge', 'challenge'],
    ] as const) {
      it(`leads to a token for ${what}`, async () => {
        const code = await client.code({ code_challenge, code_challenge_method });
        expectTokens(await client.exchange(code, { code_verifier: verifier }));
      });
    }

    showsErrorPages(sandbox, client, REJECTED, () => ["You weren't able to give access to the App."]);
  });

  describe('a token request', () => {
    const exchange = async (changes: Fields = {}) => client.exchange(await client.code(), changes);

    it('exchanges a code for a token that lasts two hours', async () => {
      const reply = await client.exchange(await client.code({ scope: 'users.read tweet.read' }));
      expect(reply.status).to.equal(200);
      const { access_token, ...others } = reply.json as Record<string, unknown>;
      const scope = 'users.read tweet.read';
      expect(others).to.deep.equal({ token_type: 'bearer', expires_in: 7200, scope });
      expect(access_token).to.be.a('string');
    });

    it('accepts a code for half a minute', async () => {
      const [first, second] = [await client.code(), await client.code()];
      sandbox.advance(29_000);
      expectTokens(await client.exchange(first));
      sandbox.advance(1_000);
      expectInvalid(await client.exchange(second), BAD_CODE, 'code has expired');
    });

    const jsonClient = new OAuth2Client(sandbox, 'confidential', postJson);
    const noJSON = [{}, { grant_type: ['authorization_code'] }, ['grant_type'], 'grant_type', 7, null];
    for (const body of noJSON) {
      it(`is rejected for the JSON body ${JSON.stringify(body)}, which has no parameters`, async () => {
        const headers = basic(client.id, sandbox.options('microblog').clientSecret);
        const reply = await postJson(tokenURL(), body, headers);
        expectInvalid(reply, 'Missing required parameter [grant_type].', NO_FORM);
      });
    }

    for (const name of ['code', 'redirect_uri', 'code_verifier']) {
      it(`is rejected for no ${name}`, async () =>
        expectInvalid(await exchange({ [name]: '' }), ...missing(name)));
    }

    const wrongVerifier = async (code_challenge_method: string) =>
      client.exchange(await client.code({ code_challenge: 'A'.repeat(43), code_challenge_method }));
    const sends: Readonly<Record<string, () => Promise<Reply>>> = {
      'no grant_type': () => client.token({}),
      'an unknown grant_type': () => client.token({ grant_type: 'client_credentials' }),
      'a form that is labelled as JSON': () =>
        post(tokenURL(), { grant_type: 'authorization_code' }, { 'Content-Type': 'application/json' }),
      'a JSON body without a code_verifier': async () =>
        jsonClient.exchange(await client.code(), { code_verifier: '' }),
      'a code that was used': async () => {
        const code = await client.code();
        await client.exchange(code);
        return client.exchange(code);
      },
      "another client's code": async () => publicClient.exchange(await client.code()),
      'another redirect_uri': () => exchange({ redirect_uri: `${REDIRECT_URI}/` }),
      'a wrong code_verifier for the method S256': () => wrongVerifier('S256'),
      'a wrong code_verifier for the method plain': () => wrongVerifier('plain'),
    };
    for (const [what = '', description = '', reason = ''] of rows(`
      no grant_type                       | ${missing('grant_type').join(' | ')}
      an unknown grant_type               | Value passed for the grant type was invalid. | grant_type is unknown
      a form that is labelled as JSON     | Missing required parameter [grant_type]. | ${NO_FORM}
      a JSON body without a code_verifier | ${missing('code_verifier').join(' | ')}
      a code that was used                | ${BAD_CODE} | code was used before
      another client's code               | ${BAD_CODE} | code belongs to another client, or its consent has ended
      another redirect_uri                | Value passed for the redirect uri did not match the uri of the authorization code. | redirect_uri differs from the authorization request: it was ${REDIRECT_URI}, now it is ${REDIRECT_URI}/
      a wrong code_verifier for the method S256  | ${BAD_VERIFIER}
      a wrong code_verifier for the method plain | ${BAD_VERIFIER}`)) {
      it(`is rejected for ${what}`, async () =>
        expectInvalid((await sends[what]?.()) as Reply, description, reason));
    }
  });

  describe('client authentication', () => {
    const exchange = async (headers: Fields) => client.exchange(await client.code(), {}, headers);

    it('accepts percent-encoded Basic credentials, as in RFC 6749', async () => {
      const { clientID, clientSecret } = sandbox.options('microblog');
      const encoded = clientSecret.replaceAll('-', '%2D').replaceAll('_', '%5F');
      expectTokens(await exchange(basic(clientID, encoded)));
    });

    for (const [what, headers] of [
      ['without Basic', () => ({})],
      ['with a wrong secret', () => basic(client.id, 'wrong')],
      ['with an empty secret', () => basic(client.id, '')],
      ['with invalid percent-encoding', () => basic(client.id, '%zz')],
    ] as const) {
      it(`rejects a confidential client ${what}`, async () => expectUnauthorized(await exchange(headers())));
    }

    it('ignores a secret in the body', async () => {
      const { clientID: client_id, clientSecret: client_secret } = sandbox.options('microblog');
      const fields = { client_id, client_secret };
      expectUnauthorized(await client.exchange(await client.code(), fields, {}));
    });

    for (const [where, fields, headers] of [
      ['HTTP Basic', {}, basic('nobody', 'secret')],
      ['the body', { client_id: 'nobody' }, {}],
    ] as const) {
      it(`rejects an unknown client in ${where}`, async () => {
        const reply = await publicClient.exchange(await publicClient.code(), fields, headers);
        const error_description = 'Value passed for the client id was invalid.';
        const body = { error: 'invalid_client', error_description };
        expectError(sandbox, reply, 400, body, 'client_id is no client of the sandbox');
      });
    }

    it('needs the client_id of a public client', async () => {
      const code = await publicClient.code();
      expectInvalid(await client.exchange(code, {}, {}), ...missing('client_id'));
    });
  });

  describe('refresh and revocation', () => {
    it('ends the whole consent when a used refresh token comes back', async () => {
      const { refreshToken } = await client.tokens();
      const { json } = await client.refresh(refreshToken);
      expectInvalid(await client.refresh(refreshToken), BAD_TOKEN, 'refresh_token was used before');
      expect((await client.lookup(stringIn(json, 'access_token'))).status).to.equal(401);
      expectInvalid(
        await client.refresh(stringIn(json, 'refresh_token')),
        BAD_TOKEN,
        'refresh_token belongs to another client, or its consent has ended',
      );
    });

    it('does not refresh without HTTP Basic or for another client, and leaves the refresh token unused', async () => {
      const { refreshToken } = await client.tokens();
      expectUnauthorized(await client.refresh(refreshToken, {}));
      expect((await publicClient.refresh(refreshToken)).status).to.equal(400);
      expectTokens(await client.refresh(refreshToken));
    });

    it('needs a refresh_token, and a token to revoke', async () => {
      expectInvalid(await client.refresh(''), ...missing('refresh_token'));
      expectInvalid(await client.revoke({}), ...missing('token'));
    });

    for (const kind of ['accessToken', 'refreshToken'] as const) {
      it(`revokes every token of the consent, given the ${kind}`, async () => {
        const tokens = await client.tokens();
        const reply = await client.revoke({ token: tokens[kind] });
        expect(reply.status).to.equal(200);
        expect(reply.json).to.deep.equal({ revoked: true });
        expect((await client.lookup(tokens.accessToken)).status).to.equal(401);
        expect((await client.refresh(tokens.refreshToken)).status).to.equal(400);
      });
    }

    it("ends nothing without HTTP Basic, for an unknown token, or for another client's", async () => {
      const { accessToken } = await client.tokens();
      expectUnauthorized(await client.revoke({ token: accessToken }, {}));
      expect((await client.revoke({ token: 'unknown' })).json).to.deep.equal({ revoked: true });
      await publicClient.revoke({ token: accessToken });
      expect((await client.lookup(accessToken)).status).to.equal(200);
    });
  });
});
