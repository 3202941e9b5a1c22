import { expect } from 'chai';
import { ClassicClient } from '../clients.js';
import type { Reply } from '../requests.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  changesIn,
  eachSandbox,
  expectError,
  get,
  post,
  postJson,
  REDIRECT_URI,
  reasonOf,
  responseParameters,
  rows,
  urlWith,
  withSandbox,
} from '../requests.js';

const BAD_REDIRECT =
  '400 | invalid_request | redirect_uri is incorrect, check application redirect uri in the settings page';
const BAD_CODE = [401, 'invalid_grant', 'Code is invalid or expired.'] as const;
const NO_CLIENT = '401 | invalid_client | client_id is undefined | client_id is not in the body';

/** Changes of a right request; status, error, description and reason of a strict sandbox. */
const REJECTED = rows(`
  -client_id           | 401 | invalid_client  | client_id is undefined | client_id is missing
  client_id=1          | 401 | invalid_client  | client_id is incorrect | client_id is no client of the sandbox
  code_challenge=${BASE64URL_CHALLENGE}&code_challenge_method=S256 | 400 | invalid_request | Code challenge method is unsupported | code_challenge is sent, this protocol has no PKCE
  response_type=token  | 400 | unsupported_response_type | response_type is unsupported | response_type is not "code"
  -redirect_uri        | ${BAD_REDIRECT} | redirect_uri is missing, empty or given twice
  redirect_uri=data:text/html,x | ${BAD_REDIRECT} | redirect_uri is no absolute http or https address: data:text/html,x
  -v                   | 400 | invalid_request | v (version) is required | v is missing or below 5.81
  v=5.80 | 400 | invalid_request | versions below 5.81 are deprecated. Version param should be passed as "v". | v is missing or below 5.81
  scope=email,openid   | 400 | invalid_scope   | scope is incorrect | scope names a right that does not exist: openid`);

describe("The sandbox's social network, classic", () => {
  const sandbox = eachSandbox();
  const client = new ClassicClient(sandbox);
  const exchange = async (changes = {}) => client.exchange(await client.code(), changes);

  describe('authorization', () => {
    it('redirects back with a code and the state', async () => {
      const parameters = responseParameters(await get(client.authorization({ auto: 'allow' })));
      expect(parameters).to.have.all.keys('code', 'state');
      expect(parameters.code).to.match(/^[0-9a-f]{66}$/);
      expect(parameters.state).to.equal('xyz');
    });

    it('accepts a request without response_type and state', async () => {
      const changes = { auto: 'allow', response_type: undefined, state: undefined };
      expect(responseParameters(await get(client.authorization(changes)))).to.have.all.keys('code');
    });

    it('redirects back with access_denied when the user declines', async () => {
      expect(responseParameters(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
        error: 'access_denied',
        error_reason: 'user_denied',
        error_description: 'User denied your request',
        state: 'xyz',
      });
    });

    it('redirects back with an error for an unknown display', async () => {
      expect(responseParameters(await get(client.authorization({ display: 'watch' })))).to.deep.equal({
        error: 'invalid_request',
        error_description: 'Invalid display parameter',
        state: 'xyz',
      });
      expect(reasonOf(sandbox)).to.equal('display is neither "page", "popup" nor "mobile"');
    });

    for (const [changes = '', status, error, error_description, reason] of REJECTED) {
      it(`responds with JSON: ${changes}`, () =>
        withSandbox({ strict: true }, async (own) => {
          const url = new ClassicClient(own).authorization({ auto: 'allow', ...changesIn(changes) });
          const reply = await get(url);
          expectError(own, reply, Number(status), { error, error_description }, reason);
        }));
    }
  });

  describe('token response', () => {
    it('has no token_type, scope or refresh token', async () => {
      const reply = await client.exchange(await client.code({ person: 'anna' }));
      expect(reply.status).to.equal(200);
      const { access_token, ...others } = reply.json as Record<string, unknown>;
      expect(others).to.deep.equal({ expires_in: 43200, user_id: 743784474 });
      expect(access_token).to.match(/^vk1\.a\./);
    });

    // Rights that do not exist are left out.
    for (const scope of ['email', 'friends,email', 'friends email', '4194306', 'email,openid', '4194816']) {
      it(`has the e-mail address for the scope "${scope}"`, async () => {
        const { json } = await client.exchange(await client.code({ scope }));
        expect(json).to.include({ email: 'alice@example.com' });
      });
    }

    it('has no e-mail address for a user without one, or without the scope', async () => {
      for (const changes of [{ scope: 'email', person: 'ned' }, { scope: '2' }]) {
        const { status, json } = await client.exchange(await client.code(changes));
        expect(status).to.equal(200);
        expect(json).not.to.have.property('email');
      }
    });

    it('has a token that does not expire, for the scope offline', async () => {
      const { json } = await client.exchange(await client.code({ scope: 'offline' }));
      expect(json).to.include({ expires_in: 0 });
    });

    it('is sent for GET too, and whatever the grant_type', async () => {
      const { tokenURL, clientID, clientSecret } = sandbox.options('social-network');
      const query = { client_id: clientID, client_secret: clientSecret, redirect_uri: REDIRECT_URI };
      const reply = await get(urlWith(tokenURL, { ...query, v: '5.126', code: await client.code() }));
      expect(reply.json).to.have.property('access_token');
      expect((await exchange({ grant_type: 'refresh_token' })).json).to.have.property('access_token');
    });

    it('is sent within a minute', async () => {
      const [first, second] = [await client.code(), await client.code()];
      sandbox.advance(59_000);
      expect((await client.exchange(first)).status).to.equal(200);
      sandbox.advance(1_000);
      const [status, error, error_description] = BAD_CODE;
      const reply = await client.exchange(second);
      expectError(sandbox, reply, status, { error, error_description }, 'code has expired');
    });

    const sends: Readonly<Record<string, () => Promise<Reply>>> = {
      'credentials by HTTP Basic': async () => {
        const { tokenURL, clientID, clientSecret } = sandbox.options('social-network');
        const fields = { code: await client.code(), redirect_uri: REDIRECT_URI };
        return post(tokenURL, fields, basic(clientID, clientSecret));
      },
      'a JSON body': () => {
        const { tokenURL, clientID } = sandbox.options('social-network');
        return postJson(tokenURL, { client_id: clientID });
      },
      'a code that was used': async () => {
        const code = await client.code();
        await client.exchange(code);
        return client.exchange(code);
      },
    };
    for (const [what = '', status, error, error_description, reason] of rows(`
      client_id=                | ${NO_CLIENT}
      client_id=1               | 401 | invalid_client | client_id is incorrect | client_id is no client of the sandbox
      client_secret=            | 401 | invalid_client | client_secret is undefined | client_secret is not in the body
      client_secret=wrong       | 401 | invalid_client | client_secret is incorrect | client_secret is wrong
      credentials by HTTP Basic | ${NO_CLIENT}
      a JSON body               | ${NO_CLIENT}
      a code that was used      | ${BAD_CODE.join(' | ')} | code was used before
      redirect_uri=${REDIRECT_URI}?x=1 | 400 | invalid_grant | redirect_uri is invalid, please pass same redirect_uri, you used in authorize method. | redirect_uri differs from the authorization request: it was ${REDIRECT_URI}, now it is ${REDIRECT_URI}?x=1`)) {
      it(`is an error for ${what}`, async () => {
        const reply = await (sends[what]?.() ?? exchange(changesIn(what)));
        expectError(sandbox, reply, Number(status), { error, error_description }, reason);
      });
    }
  });
});
