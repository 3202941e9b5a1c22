import { expect } from 'chai';
import { eachSandbox } from '../../support/sandbox.js';
import { ClassicClient, VkIdClient } from '../clients.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  bearer,
  changesIn,
  expectError,
  type Fields,
  get,
  post,
  postJson,
  REDIRECT_URI,
  type Reply,
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

    it('has a token that does not expire, for the scope offline', async () => {
      const { json } = await client.exchange(await client.code({ scope: 'offline' }));
      expect(json).to.include({ expires_in: 0 });
    });

    it('is sent for GET too', async () => {
      const { tokenURL, clientID, clientSecret } = sandbox.options('social-network');
      const query = { client_id: clientID, client_secret: clientSecret, redirect_uri: REDIRECT_URI };
      const reply = await get(urlWith(tokenURL, { ...query, v: '5.126', code: await client.code() }));
      expect(reply.json).to.have.property('access_token');
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

const DEPRECATED =
  'Invalid request: versions below 5.81 are deprecated. Version param should be passed as "v".';
const REVOKED = 'user revoke access for this token';

describe("The sandbox's social network, users.get", () => {
  const sandbox = eachSandbox();
  const client = new ClassicClient(sandbox);
  const usersGet = () => sandbox.options('social-network').profileURL;
  const send = (query: Fields, headers: Fields = {}) => get(urlWith(usersGet(), query), headers);

  async function record(person: string, query: Fields = {}): Promise<unknown> {
    const reply = await send({ v: '5.126', ...query }, bearer(await client.accessToken(person)));
    expect(reply.status).to.equal(200);
    const { response } = reply.json as { response: unknown[] };
    expect(response).to.have.length(1);
    return response[0];
  }

  it('returns the requested fields, of contacts, connections and education flat, and ignores unknown ones', async () => {
    const fields =
      'photo_50,photo_100,photo_200,photo_max,screen_name,domain,sex,bdate,city,verified,has_photo,email,' +
      'contacts,connections,education,career,military';
    expect(await record('alice', { fields })).to.deep.equal({
      id: 1000000001,
      first_name: 'Alice',
      last_name: 'Example',
      can_access_closed: true,
      is_closed: false,
      photo_50: `${sandbox.url}/pictures/alice.svg?size=50`,
      photo_100: `${sandbox.url}/pictures/alice.svg?size=100`,
      photo_200: `${sandbox.url}/pictures/alice.svg?size=200`,
      photo_max: `${sandbox.url}/pictures/alice.svg?size=400`,
      bdate: '17.5.1990',
      city: { id: 1, title: 'Lisbon' },
      domain: 'alice_example',
      has_photo: 1,
      screen_name: 'alice_example',
      sex: 1,
      verified: 1,
      mobile_phone: '79991234567',
      home_phone: '',
      skype: 'alice_example',
      university: 0,
      university_name: '',
      career: [],
      military: [],
    });
  });

  it('takes the oldest version, and leaves out the year of birth when the user hides it', async () => {
    expect(await record('anna', { fields: 'bdate', v: '5.81' })).to.include({ id: 743784474, bdate: '3.7' });
  });

  it('has no large pictures when the original is small, and a placeholder when there is none', async () => {
    const small = await record('ned', { fields: 'photo_100,photo_200,photo_400_orig,photo_max' });
    expect(small).to.include.keys('photo_100', 'photo_max');
    expect(small).not.to.have.any.keys('photo_200', 'photo_400_orig');
    expect(await record('hanako', { fields: 'photo_100,has_photo' })).to.include({
      photo_100: `${sandbox.url}/images/camera_b.gif`,
      has_photo: 0,
      is_closed: true,
    });
  });

  it('returns only the name of a banned account', async () => {
    expect(await record('boris', { fields: 'photo_100,screen_name' })).to.deep.equal({
      id: 555000555,
      first_name: 'Boris',
      last_name: 'Banned',
      deactivated: 'banned',
    });
  });

  it('accepts the token in the form or in the query, also of VK ID', async () => {
    const access_token = await client.accessToken('anna');
    const inForm = await post(usersGet(), { access_token, v: '5.126', fields: 'sex' });
    expect(inForm.json).to.have.nested.property('response[0].sex', 1);
    const inQuery = await send({ access_token, v: '5.126' });
    expect(inQuery.json).to.have.nested.property('response[0].id', 743784474);
    const vkId = await new VkIdClient(sandbox).tokens({ person: 'anna' });
    const reply = await post(usersGet(), { access_token: vkId.access_token, v: '5.199' });
    expect(reply.json).to.have.nested.property('response[0].id', 743784474);
  });

  it('returns other users by ID or short name, and leaves out unknown ones', async () => {
    const headers = bearer(await client.accessToken());
    const reply = await send({ v: '5.126', user_ids: '743784474,hanako,1' }, headers);
    const { response } = reply.json as { response: { id: number }[] };
    expect(response.map(({ id }) => id)).to.deep.equal([743784474, 66748]);
  });

  /** Expects an error with HTTP 200 that repeats the parameters of the request, even the token. */
  function expectRefused(reply: Reply, error_code: number, error_msg: string, sent: Fields, reason: string) {
    const parameters = Object.entries({ oauth: '1', method: 'users.get', ...sent });
    const request_params = parameters.map(([key, value]) => ({ key, value }));
    expectError(sandbox, reply, 200, { error: { error_code, error_msg, request_params } }, reason);
  }

  const expectNoVersion = (reply: Reply, sent: Fields) =>
    expectRefused(reply, 8, 'Invalid request: v (version) is required', sent, 'v is missing or below 5.81');
  const expectBadToken = (reply: Reply, v: string, problem: string) =>
    expectRefused(reply, 5, `User authorization failed: ${problem}.`, { v }, problem);

  it('rejects a request without v, and finds no parameters in a JSON body', async () => {
    const sent = { access_token: await client.accessToken() };
    expectNoVersion(await send(sent), sent);
    expectNoVersion(await postJson(usersGet(), { v: '5.126' }), {});
  });

  for (const v of ['5.80', '5.0', '4.99', 'latest']) {
    it(`rejects the version ${v}`, async () => {
      const reply = await send({ v }, bearer(await client.accessToken()));
      expectRefused(reply, 8, DEPRECATED, { v }, 'v is missing or below 5.81');
    });
  }

  it('rejects a request without a token, with an unknown one, or whose consent was withdrawn', async () => {
    expectBadToken(await send({ v: '5.126' }), '5.126', 'no access_token passed');
    const unknown = await send({ v: '5.126' }, bearer('vk1.a.unknown'));
    expectBadToken(unknown, '5.126', 'invalid access_token (4)');
    const vkId = new VkIdClient(sandbox);
    const { access_token } = await vkId.tokens();
    await vkId.revoke(access_token);
    expectBadToken(await send({ v: '5.199' }, bearer(access_token)), '5.199', REVOKED);
  });

  it('rejects an expired token', async () => {
    const headers = bearer(await client.accessToken());
    sandbox.advance(43_200_000);
    const sent = { v: '5.126' };
    expectRefused(await send(sent, headers), 1117, 'Access token has expired', sent, 'the token has expired');
  });

  it('rejects a method name in another case', async () => {
    const { status, json } = await get(usersGet().replace('users.get', 'Users.get'));
    expect(status).to.equal(200);
    const error = { error_code: 3, error_msg: 'Unknown method passed' };
    expect(json).to.have.property('error').that.includes(error);
    expect(reasonOf(sandbox)).to.equal('no such method; method names are case-sensitive');
  });
});
