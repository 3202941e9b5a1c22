import { expect } from 'chai';
import { type ProviderError, RefusedError } from '../../../lib/index.js';
import { shownBy } from '../../contract/exposure.js';
import { logIn } from '../../support/journey.js';
import type { Reply, SeenRequest } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';
import { TOKENS } from './network.js';
import { comeBack, onlyError, onlyLogin, vkIdStrategy, vkIdTests } from './vk-id.js';

const SECRET = 'PROTECTED-KEY-CANARY';
const SERVICE_TOKEN = 'SERVICE-TOKEN-CANARY';

/** A response that echoes the whole request, as a careless network might. */
function echo({ body, headers }: SeenRequest): Reply {
  const echoed = `${body} ${decodeURIComponent(body)} ${headers.authorization ?? ''}`;
  return { status: 400, body: { error: 'invalid_request', error_description: echoed, hint: echoed } };
}

describe("VK ID's secrets", () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('the service token is sent only in the token request and the refresh', async () => {
    const { network, ...vkId } = await atNetwork(
      {},
      { options: { serviceToken: SERVICE_TOKEN, profileFields: 'sex' } },
    );
    await comeBack(vkId);
    await vkId.strategy.refresh('REFRESH-TOKEN', 'DEVICE');
    await vkId.strategy.revoke('ACCESS-TOKEN');
    await vkId.strategy.logout('ACCESS-TOKEN');

    const seen = network.requests.filter(({ body, url, headers }) =>
      `${body}${url}${JSON.stringify(headers)}`.includes('CANARY'),
    );
    expect(seen.map(({ form }) => form.get('grant_type'))).to.deep.equal([
      'authorization_code',
      'refresh_token',
    ]);
    for (const { form } of seen) expect(form.get('service_token')).to.equal(SERVICE_TOKEN);
  });

  it('the client secret, the key of pending logins, is never sent', async () => {
    const options = { clientSecret: SECRET, profileFields: 'sex' } as const;
    const { network, ...vkId } = await atNetwork({}, { options });
    await comeBack(vkId);
    await vkId.strategy.refresh('REFRESH-TOKEN', 'DEVICE');
    await vkId.strategy.revoke('ACCESS-TOKEN');
    await vkId.strategy.logout('ACCESS-TOKEN');
    expect(network.requests).to.have.length(6);
    for (const { body, url, headers } of network.requests) {
      expect(`${body}${url}${JSON.stringify(headers)}`).not.to.match(/client_secret|service_token|CANARY/);
    }
  });

  it('a confidential application logs in and refreshes at the sandbox', async () => {
    const vkId = await atSandbox({ options: { serviceToken: 'vk-id-sandbox-service-token' } });
    expect((await logIn(vkId.app, 'social-network')).status).to.equal(200);
    const { refreshToken = '', params } = onlyLogin(vkId);
    const tokens = await vkId.strategy.refresh(refreshToken, params.device_id);
    expect(tokens.accessToken).to.match(/^vk2\.a\./);
  });

  it('a wrong service token is an error that does not show it', async () => {
    const vkId = await atSandbox({ options: { serviceToken: SERVICE_TOKEN } });
    expect((await logIn(vkId.app, 'social-network')).status).to.equal(502);
    const error = onlyError(vkId) as RefusedError;
    expect(error.networkCode).to.equal('invalid_client');
    expect(error.message).to.include('serviceToken');
    expect(shownBy(error)).not.to.include('CANARY');
  });

  it('a printed strategy shows no secret', () => {
    const strategy = vkIdStrategy({ clientSecret: SECRET, serviceToken: SERVICE_TOKEN });
    const { protocol, settings, _oauth2 } = strategy as unknown as Record<string, object>;
    expect(shownBy(strategy)).not.to.include('CANARY');
    expect(shownBy(settings)).not.to.include('CANARY');
    expect(shownBy(_oauth2)).not.to.include('CANARY');
    expect(Object.keys(strategy)).not.to.include('protocol');
    expect(protocol).to.be.an('object');
  });

  for (const endpoint of ['token', 'user'] as const) {
    it(`an error of the ${endpoint} endpoint shows no secret, even if the network echoes all of them`, async () => {
      const requests: SeenRequest[] = [];
      const vkId = await atNetwork(
        {
          token: () => ({
            body: {
              ...TOKENS,
              access_token: 'ACCESS-CANARY',
              refresh_token: 'REFRESH-CANARY',
              id_token: 'ID-CANARY',
            },
          }),
          [endpoint]: (request: SeenRequest) => {
            requests.push(request);
            return echo(request);
          },
        },
        { options: { serviceToken: SERVICE_TOKEN } },
      );

      await comeBack(vkId, { code: 'CODE-CANARY', device_id: 'DEVICE' });

      const error = onlyError(vkId) as ProviderError;
      expect(error).to.be.instanceOf(RefusedError);
      const shown = shownBy(error);
      expect(shown).not.to.include('CANARY');
      const verifier = requests[0]?.form.get('code_verifier');
      if (endpoint === 'token') expect(shown).not.to.include(verifier);
    });
  }

  it('an error of a refresh, a revocation or a logout shows no secret', async () => {
    const { strategy } = await atNetwork(
      { token: echo, revocation: echo, logout: echo },
      { options: { serviceToken: SERVICE_TOKEN } },
    );
    for (const calling of [
      strategy.refresh('REFRESH-CANARY', 'DEVICE'),
      strategy.revoke('ACCESS-CANARY'),
      strategy.logout('ACCESS-CANARY'),
    ]) {
      const error = await rejectionOf(calling);
      expect(error).to.be.instanceOf(RefusedError);
      expect(shownBy(error)).not.to.include('CANARY');
    }
  });

  it('an error response shows neither state nor code, even if the network echoes them', async () => {
    const vkId = await atNetwork();
    const page = await comeBack(vkId, {
      error: 'server_error',
      error_description: 'failed for CODE-CANARY',
      code: 'CODE-CANARY',
    });
    expect(page.status).to.equal(502);
    const error = onlyError(vkId) as RefusedError;
    expect(error.networkMessage).to.equal('failed for [redacted]');
    expect(shownBy(error)).not.to.include('CANARY');
  });
});
