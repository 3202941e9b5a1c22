import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { bearer, get, stringIn } from '../requests.js';
import { VkIdClient } from './vk-id-client.js';
import { expectErrorResponse } from './vk-id-errors.js';

describe("The sandbox's social network, VK ID", () => {
  let sandbox: Sandbox;
  let client: VkIdClient;

  beforeEach(async () => {
    sandbox = await startSandbox();
    client = new VkIdClient(sandbox);
  });

  afterEach(() => sandbox.close());

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
      const granted = await client.tokens({ person: 'ned', scope: 'email' });
      expect((await client.userInfo({ access_token: granted.access_token })).json).to.have.nested.property(
        'user.email',
        '',
      );
      const { access_token } = await client.tokens({ person: 'anna' });
      expect((await client.userInfo({ access_token })).json).to.deep.equal({
        user: {
          user_id: '743784474',
          first_name: 'Анна',
          last_name: 'Примерова',
          avatar: `${sandbox.url}/pictures/anna.svg?size=50`,
          sex: 1,
          verified: false,
        },
      });
    });

    it('accepts a bearer token too', async () => {
      const { access_token } = await client.tokens();
      expect((await client.userInfo({}, bearer(access_token))).json).to.have.nested.property(
        'user.user_id',
        '1000000001',
      );
    });

    it('is not returned without client_id', async () => {
      const { access_token } = await client.tokens();
      const reply = await client.userInfo({ access_token, client_id: '' });
      const reason = 'client_id is missing, or no client of the sandbox';
      expectErrorResponse(sandbox, reply, 'invalid_client', 'client_id is missing', reason);
    });

    it('is not returned for an unknown or expired token', async () => {
      const { access_token } = await client.tokens();
      const rejected = ['invalid_token', 'access_token is missing or invalid'] as const;
      const reason = 'access_token is missing, or not one that this sandbox gave out';
      expectErrorResponse(sandbox, await client.userInfo({ access_token: 'unknown' }), ...rejected, reason);
      sandbox.advance(3_600_000);
      expectErrorResponse(
        sandbox,
        await client.userInfo({ access_token }),
        ...rejected,
        'access_token has expired',
      );
    });

    it('is not returned for GET', async () => {
      const { profileURL } = sandbox.options('social-network', { version: '2.1' });
      expect((await get(profileURL)).status).to.equal(404);
    });
  });

  describe('public info', () => {
    it('has the name with an initial, a small picture, and phone number and e-mail address masked', async () => {
      const { json } = await client.exchange(await client.authorize({ scope: 'email phone' }));
      const reply = await client.publicInfo({ id_token: stringIn(json, 'id_token') });
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
      const { json } = await client.exchange(await client.authorize({ person: 'layla' }));
      const reply = await client.publicInfo({ id_token: stringIn(json, 'id_token') });
      expect(reply.json).to.have.nested.property('user.last_name', '');
      expect(reply.json).to.have.nested.property('user.phone', '');
      expect(reply.json).to.have.nested.property('user.email', '');
    });

    it('is not returned for an unknown or expired ID token, or another client', async () => {
      const { json } = await client.exchange(await client.authorize());
      const id_token = stringIn(json, 'id_token');
      const rejected = ['invalid_request', 'id_token is missing or invalid'] as const;
      const reason = 'id_token is missing, or not one that this sandbox gave out';
      expectErrorResponse(sandbox, await client.publicInfo({ id_token: 'unknown' }), ...rejected, reason);
      expect((await client.publicInfo({ id_token, client_id: '' })).json).to.include({
        error: 'invalid_client',
      });
      sandbox.advance(3_600_000);
      expectErrorResponse(
        sandbox,
        await client.publicInfo({ id_token }),
        ...rejected,
        'id_token has expired',
      );
    });
  });

  for (const end of ['revoke', 'logout'] as const) {
    it(`ends all tokens of the login on ${end}`, async () => {
      const tokens = await client.tokens();
      const reply = await client[end](tokens.access_token);
      expect(reply.status).to.equal(200);
      expect(reply.json).to.deep.equal({ response: 1 });
      expect((await client.userInfo({ access_token: tokens.access_token })).json).to.include({
        error: 'invalid_token',
      });
      expect((await client.refresh(tokens)).json).to.include({ error: 'invalid_request' });
      expect((await client[end](tokens.access_token)).json).to.deep.equal({
        error: 'invalid_token',
        error_description: 'access_token is missing or invalid',
        state: '',
      });
    });
  }
});
