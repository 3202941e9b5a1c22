import { expect } from 'chai';
import { eachSandbox } from '../../support/sandbox.js';
import { ClassicClient, EXCHANGE, STATE, showsErrorPages, VkIdClient } from '../clients.js';
import type { Changes, Fields, Reply } from '../requests.js';
import {
  expectError,
  get,
  HEX_CHALLENGE,
  postJson,
  postMultipart,
  REDIRECT_URI,
  responseParameters,
  rows,
  stringIn,
  VERIFIER,
  withSandbox,
} from '../requests.js';

const NOT_ISSUED = 'not one that this sandbox gave out';
const INVALID = 'invalid_request';
const NO_CLIENT = 'invalid_client | client_id is missing | client_id is missing, or no client of the sandbox';
const BAD_DEVICE = `${INVALID} | device_id is invalid | device_id is missing, or not the one from the authorization response`;
const BAD_VERIFIER = `${INVALID} | verifier is missing or invalid | code_verifier does not match code_challenge, or has a character that the network rejects`;
const BAD_GRANT_TYPE = `${INVALID} | grant_type is missing or invalid | grant_type is missing or invalid`;
const BAD_CODE = ['invalid_grant', 'code is invalid or expired'] as const;
const BAD_REFRESH = ['invalid_request', 'refresh_token is missing or invalid'] as const;
const BAD_TOKEN = ['invalid_token', 'access_token is missing or invalid'] as const;
const BAD_ID_TOKEN = ['invalid_request', 'id_token is missing or invalid'] as const;

const cells = (row: string) => row.split(' | ') as [error: string, description: string, reason: string];

/** Changes of a right request, and the reason. */
const REJECTED = rows(`
  -client_id                       | client_id is missing
  client_id=51000001               | client_id is no client of the sandbox
  -response_type                   | response_type is not "code"
  -redirect_uri                    | redirect_uri is missing, empty or given twice
  -code_challenge                  | code_challenge is missing, which this network needs
  code_challenge=${HEX_CHALLENGE}  | code_challenge is no SHA-256 in base64url
  code_challenge_method=plain      | code_challenge_method is not "S256"
  -code_challenge_method           | code_challenge_method is not "S256"
  code_verifier=${VERIFIER}        | code_verifier is sent along with code_challenge
  scope=email+openid               | scope names one that the application does not have: openid
  prompt=always                    | prompt has a value that does not exist
  provider=google                  | provider has a value that does not exist
  lang_id=en                       | lang_id has a value that does not exist
  scheme=pink                      | scheme has a value that does not exist`);

describe("The sandbox's social network, VK ID", () => {
  const sandbox = eachSandbox({ vkIdCallback: 'flat' });
  const client = new VkIdClient(sandbox);

  /** Expects an error response: HTTP 200, with the `state` of the request. */
  function expectRefused(reply: Reply, error: string, error_description: string, reason: string, state = '') {
    expectError(sandbox, reply, 200, { error, error_description, state }, reason);
  }

  describe('authorization', () => {
    it('redirects back with one parameter per value', async () => {
      const { code, device_id, ext_id, ...others } = await client.authorize();
      expect(others).to.deep.equal({ expires_in: '600', state: STATE, type: 'code_v2' });
      expect(code).to.match(/^vk2\.a\.[A-Za-z0-9_-]{220}$/);
      expect(device_id).to.match(/^[A-Za-z0-9_-]{86}$/);
      expect(ext_id).to.match(/^[A-Za-z0-9_-]{64}$/);
    });

    it('redirects back with both forms in turn by default, flat first, also after a reset', () =>
      withSandbox({}, async (other) => {
        const logIn = async () => 'payload' in (await new VkIdClient(other).authorize());
        expect([await logIn(), await logIn(), await logIn()]).to.deep.equal([false, true, false]);
        other.reset();
        expect([await logIn(), await logIn()]).to.deep.equal([false, true]);
      }));

    it('redirects back with one payload parameter, when the sandbox is started that way', () =>
      withSandbox({ vkIdCallback: 'payload' }, async (other) => {
        const otherClient = new VkIdClient(other);
        const parameters = await otherClient.authorize();
        expect(parameters).to.have.all.keys('payload');
        const payload: Record<string, string> = JSON.parse(parameters.payload ?? '');
        expect(payload).to.have.all.keys('code', 'state', 'type', 'device_id');
        expect(payload).to.include({ state: STATE, type: 'code_v2' });
        expect((await otherClient.exchange(payload)).json).to.have.property('access_token');
      }));

    for (const [what, changes, error, error_description] of [
      ['when the user declines', { auto: 'deny' }, 'access_denied', 'User cancelled the login'],
      ['for prompt=none, without sessions', { prompt: 'none' }, 'login_required', 'User is not logged in'],
    ] as const) {
      it(`redirects back with ${error} ${what}`, async () => {
        const parameters = responseParameters(await get(client.authorization(changes)));
        expect(parameters).to.deep.equal({ error, error_description, state: STATE });
      });
    }

    for (const changes of [
      { prompt: 'none' },
      { prompt: 'login consent', provider: 'mail_ru', lang_id: '3', scheme: 'dark', scope: 'email phone' },
      { code_challenge_method: 's256' },
    ]) {
      it(`accepts ${JSON.stringify(changes)}`, async () => {
        expect(await client.authorize(changes)).to.include.keys('code');
      });
    }

    it('returns a short state as it is, and removes dots', async () => {
      expect(await client.authorize({ state: 'short' })).to.include({ state: 'short' });
      expect(await client.authorize({ state: `a.${STATE}.b` })).to.include({ state: `a${STATE}b` });
      expect(await client.authorize({ state: undefined })).not.to.have.property('state');
    });

    showsErrorPages(sandbox, client, REJECTED, () => ['<code>invalid_request</code>']);
  });

  describe('tokens', () => {
    const exchange = async (changes: Fields = {}) => client.exchange(await client.authorize(), changes);

    it('are issued for a code, with the user ID as a number', async () => {
      const reply = await client.exchange(await client.authorize({ scope: 'email phone' }), { state: STATE });
      expect(reply.status).to.equal(200);
      const { access_token, refresh_token, id_token, ...others } = reply.json as Record<string, unknown>;
      const echoed = { state: STATE, scope: 'email phone' };
      expect(others).to.deep.equal({
        token_type: 'Bearer',
        expires_in: 3600,
        user_id: 1000000001,
        ...echoed,
      });
      expect([typeof access_token, typeof refresh_token]).to.deep.equal(['string', 'string']);
      const [, claims = ''] = String(id_token).split('.');
      const subject = { sub: 1000000001, app: 51000002 };
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).to.include(subject);
    });

    it('are issued with an empty state when none was sent, and the default scope', async () => {
      expect((await exchange()).json).to.include({ state: '', scope: 'vkid.personal_info' });
    });

    it('are issued when only the code is in the body, and the rest in the query', async () => {
      const { code = '', device_id = '' } = await client.authorize();
      const reply = await client.token({ code }, { ...EXCHANGE, device_id });
      expect(reply.json).to.have.property('access_token');
    });

    it('are issued for a multipart body', async () => {
      const { tokenURL, profileURL, clientID: client_id } = client.options;
      const { code = '', device_id = '' } = await client.authorize({ scope: 'email' });
      const login = { client_id, code, device_id, state: STATE };
      const reply = await postMultipart(tokenURL, { ...EXCHANGE, ...login });
      expect(reply.json).to.include({ state: STATE, scope: 'email' });
      const access_token = stringIn(reply.json, 'access_token');
      const profile = await postMultipart(profileURL, { client_id, access_token });
      expect(profile.json).to.have.nested.property('user.email', 'alice@example.com');
    });

    it('are not issued for a file in a multipart body', async () => {
      const { json } = await postMultipart(client.options.tokenURL, { client_id: new Blob([client.id]) });
      expect(json).to.include({ error: 'invalid_client' });
    });

    it('are issued within ten minutes', async () => {
      const [first, second] = [await client.authorize(), await client.authorize()];
      sandbox.advance(599_000);
      expect((await client.exchange(first)).json).to.have.property('access_token');
      sandbox.advance(1_000);
      expectRefused(await client.exchange(second), ...BAD_CODE, 'code has expired');
    });

    const sends: Readonly<Record<string, () => Promise<Reply>>> = {
      'a code_verifier with a dot or tilde, even if it matches the challenge': async () => {
        const code_challenge = 'MCszY56Gd3m7VZdJJkYOD-BOAsI_-LNJZEiW-vopbjc';
        const code_verifier = `${'a'.repeat(43)}.~`;
        return client.exchange(await client.authorize({ code_challenge }), { code_verifier });
      },
      'a code that was used': async () => {
        const parameters = await client.authorize();
        await client.exchange(parameters);
        return client.exchange(parameters);
      },
      'no grant_type': () => client.token({ grant_type: '' }),
      'another grant_type': () => client.token({ grant_type: 'password' }),
      'a JSON body': () => postJson(client.options.tokenURL, { client_id: client.id }),
    };
    for (const [what = '', error = '', description = '', reason = '', state] of rows(`
      client_id=&state=${STATE}            | ${NO_CLIENT} | ${STATE}
      client_id=51000001&state=${STATE}    | ${NO_CLIENT} | ${STATE}
      device_id=                           | ${BAD_DEVICE}
      device_id=foreign                    | ${BAD_DEVICE}
      code_verifier=                       | ${BAD_VERIFIER}
      code_verifier=${'A'.repeat(43)}      | ${BAD_VERIFIER}
      code_verifier=${'v'.repeat(129)}     | ${BAD_VERIFIER}
      a code_verifier with a dot or tilde, even if it matches the challenge | ${BAD_VERIFIER}
      redirect_uri=${REDIRECT_URI}/        | ${INVALID} | redirect_uri is missing or invalid | redirect_uri differs from the authorization request: it was ${REDIRECT_URI}, now it is ${REDIRECT_URI}/
      service_token=wrong                  | invalid_client | service_token is invalid | service_token is invalid
      a code that was used                 | ${BAD_CODE.join(' | ')} | code was used before
      no grant_type                        | ${BAD_GRANT_TYPE}
      another grant_type                   | ${BAD_GRANT_TYPE}
      a JSON body                          | ${NO_CLIENT}`)) {
      it(`are not issued for ${what}`, async () => {
        const reply = await (sends[what]?.() ?? exchange(Object.fromEntries(new URLSearchParams(what))));
        expectRefused(reply, error, description, reason, state);
      });
    }

    it('are not issued for GET, or at a similar path', async () => {
      const { tokenURL } = client.options;
      expect((await get(tokenURL)).status).to.equal(404);
      expect((await postJson(tokenURL.replace('/oauth2/auth', '/oauth2/token'), {})).status).to.equal(404);
      const request = { network: 'social-network', endpoint: 'unknown', method: 'POST', status: 404 };
      const refused = { path: '/vk-id/oauth2/token', refused: 'no endpoint has this path' };
      expect(sandbox.requests().at(-1)).to.include({ ...request, ...refused });
    });

    it('end when a used refresh token comes back', async () => {
      const tokens = await client.tokens();
      const { json } = await client.refresh(tokens);
      expectRefused(await client.refresh(tokens), ...BAD_REFRESH, 'refresh_token was used before');
      const fresh = { ...tokens, refresh_token: stringIn(json, 'refresh_token') };
      const reason = 'refresh_token belongs to another client, or its consent has ended';
      expectRefused(await client.refresh(fresh), ...BAD_REFRESH, reason);
      const access_token = stringIn(json, 'access_token');
      expect((await client.userInfo({ access_token })).json).to.include({ error: 'invalid_token' });
    });

    for (const end of ['revoke', 'logout'] as const) {
      it(`of the login all end on ${end}`, async () => {
        const tokens = await client.tokens();
        const { access_token } = tokens;
        const reply = await client[end](access_token);
        expect(reply.status).to.equal(200);
        expect(reply.json).to.deep.equal({ response: 1 });
        expect((await client.userInfo({ access_token })).json).to.include({ error: 'invalid_token' });
        expect((await client.refresh(tokens)).json).to.include({ error: 'invalid_request' });
        const reason = 'access_token belongs to another client, or its consent has ended';
        expectRefused(await client[end](access_token), ...BAD_TOKEN, reason);
      });
    }
  });

  describe('user info', () => {
    it('has the user ID as a string, and the values of the granted scopes', async () => {
      const { access_token } = await client.tokens({ scope: 'vkid.personal_info email phone' });
      const reply = await client.userInfo({ access_token });
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({
        user: {
          user_id: '1000000001',
          first_name: 'Alice',
          last_name: 'Example',
          avatar: `${sandbox.url}/pictures/alice.svg?size=50`,
          sex: 1,
          verified: true,
          birthday: '17.05.1990',
          email: 'alice@example.com',
          phone: '79991234567',
        },
      });
    });

    it('has an empty e-mail address for a user without one, and none without the scope', async () => {
      const { access_token: granted } = await client.tokens({ person: 'ned', scope: 'email' });
      const { json } = await client.userInfo({ access_token: granted });
      expect(json).to.have.nested.property('user.email', '');
      const { access_token } = await client.tokens({ person: 'anna' });
      const { user } = (await client.userInfo({ access_token })).json as { user: object };
      expect(user).to.not.have.any.keys('email', 'phone', 'birthday');
    });

    it("is not returned without client_id, for GET, or for an unknown, expired or classic protocol's token", async () => {
      const { access_token } = await client.tokens();
      expectRefused(await client.userInfo({ access_token, client_id: '' }), ...cells(NO_CLIENT));
      expect((await get(client.options.profileURL)).status).to.equal(404);
      const unknown = await client.userInfo({ access_token: 'unknown' });
      expectRefused(unknown, ...BAD_TOKEN, `access_token is missing, or ${NOT_ISSUED}`);
      const classic = await client.userInfo({ access_token: await new ClassicClient(sandbox).accessToken() });
      const otherClient = 'access_token belongs to another client, or its consent has ended';
      expectRefused(classic, ...BAD_TOKEN, otherClient);
      sandbox.advance(3_600_000);
      expectRefused(await client.userInfo({ access_token }), ...BAD_TOKEN, 'access_token has expired');
    });
  });

  describe('public info', () => {
    const idToken = async (changes: Changes = {}) =>
      stringIn((await client.exchange(await client.authorize(changes))).json, 'id_token');

    it('has the name with an initial, a small picture, and phone number and e-mail address masked', async () => {
      const reply = await client.publicInfo({ id_token: await idToken({ scope: 'email phone' }) });
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({
        user: {
          user_id: '1000000001',
          first_name: 'Alice',
          last_name: 'E.',
          phone: '+7999 *** ** 67',
          avatar: `${sandbox.url}/pictures/alice.svg?size=50`,
          email: 'al***@example.com',
        },
      });
    });

    it('has neither phone number nor e-mail address without their scopes', async () => {
      const { json } = await client.publicInfo({ id_token: await idToken({ person: 'layla' }) });
      expect(json).to.have.property('user').that.includes({ last_name: '', phone: '', email: '' });
    });

    it('is not returned for an unknown or expired ID token, or another client', async () => {
      const id_token = await idToken();
      const unknown = await client.publicInfo({ id_token: 'unknown' });
      expectRefused(unknown, ...BAD_ID_TOKEN, `id_token is missing, or ${NOT_ISSUED}`);
      expectRefused(await client.publicInfo({ id_token, client_id: '' }), ...cells(NO_CLIENT));
      sandbox.advance(3_600_000);
      expectRefused(await client.publicInfo({ id_token }), ...BAD_ID_TOKEN, 'id_token has expired');
    });
  });
});
