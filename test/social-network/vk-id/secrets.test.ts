import { expect } from 'chai';
import { RefusedError } from '../../../lib/index.js';
import { shownBy } from '../../contract/exposure.js';
import { logIn } from '../../support/journey.js';
import type { Reply, SeenRequest } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';
import { comeBack, onlyError, onlyLogin, vkIdTests } from './vk-id.js';

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
});
