import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { RefusedError } from '../../../lib/index.js';
import { Browser } from '../../support/browser.js';
import { start } from '../../support/journey.js';
import { rejectionOf } from '../../support/thrown.js';
import { TOKENS } from './network.js';
import { comeBack, onlyError, onlyLogin, responseURL, vkIdTests } from './vk-id.js';

const NAME = 'social-network';

describe("VK ID's token request", () => {
  const { atNetwork } = vkIdTests();

  it('posts one form with device_id, state and the verifier, and no client secret', async () => {
    const { app, network } = await atNetwork();
    const browser = new Browser();
    const authorization = new URL(await start(browser, app, NAME)).searchParams;
    const state = authorization.get('state') ?? '';
    await browser.get(responseURL(app, { state, code: 'THE-CODE', device_id: 'DEVICE' }));

    const tokenRequest = network.requests.find(({ path }) => path === '/oauth2/auth');
    const { code_verifier = '', ...form } = Object.fromEntries(tokenRequest?.form ?? []);
    expect(form).to.deep.equal({
      grant_type: 'authorization_code',
      client_id: 'CLIENT-ID',
      code: 'THE-CODE',
      device_id: 'DEVICE',
      redirect_uri: `${app.url}/api/auth/callback/social-network`,
      state,
    });
    expect(code_verifier).to.match(/^[A-Za-z0-9_-]{43,128}$/);
    expect(createHash('sha256').update(code_verifier).digest('base64url')).to.equal(
      authorization.get('code_challenge'),
    );
    expect(tokenRequest?.method).to.equal('POST');
    expect(tokenRequest?.url).to.equal('/oauth2/auth');
    expect(tokenRequest?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    expect(tokenRequest?.headers.authorization).to.equal(undefined);
  });

  it('is followed by a user info request with the token in its body, not in a URL or header', async () => {
    const { network, ...vkId } = await atNetwork();
    await comeBack(vkId);
    const [, userInfo, ...others] = network.requests;
    expect(others).to.deep.equal([]);
    expect(userInfo?.method).to.equal('POST');
    expect(userInfo?.url).to.equal('/oauth2/user_info');
    expect(userInfo?.body).to.equal('client_id=CLIENT-ID&access_token=ACCESS-TOKEN');
    expect(userInfo?.headers.authorization).to.equal(undefined);
  });

  it('ends the login if a bot protection responds instead of the network', async () => {
    const wall = {
      headers: { 'x-challenge': 'required', 'content-type': 'text/html' },
      body: '<html></html>',
    };
    const vkId = await atNetwork({ token: () => wall });
    expect((await comeBack(vkId)).status).to.equal(502);
    const { name, networkCode, message } = onlyError(vkId) as RefusedError;
    expect({ name, networkCode }).to.deep.equal({ name: 'RefusedError', networkCode: 'challenge' });
    expect(message).to.include('try again later');
  });

  it('ends the login if the response has the state of another login', async () => {
    const states: string[] = [];
    const { network, ...vkId } = await atNetwork({
      token: ({ form }) => {
        states.push(form.get('state') ?? '');
        return { body: { ...TOKENS, state: states[0] } };
      },
    });

    expect((await comeBack(vkId)).status).to.equal(200);
    const page = await comeBack(vkId);

    expect(page.status).to.equal(502);
    const { error } = vkId.app.endings[1] ?? {};
    expect(error).to.include({ name: 'MalformedError', code: 'state_mismatch', step: 'token' });
    expect(error)
      .to.have.property('message')
      .that.includes(
        ': the response belongs to another request: its state is not the one that was sent. Check tokenURL.',
      );
    expect(vkId.verified).to.have.length(1);
    // The token request and the user info of the first login, and the token request of the second.
    expect(network.requests).to.have.length(3);
  });

  it('rejects a refresh response with the state of another request, and accepts one without a state', async () => {
    const { strategy } = await atNetwork({ token: () => ({ body: { ...TOKENS, state: 'a'.repeat(43) } }) });
    expect(await rejectionOf(strategy.refresh('REFRESH-TOKEN', 'DEVICE'))).to.include({
      name: 'MalformedError',
      code: 'state_mismatch',
      step: 'refresh',
    });
    const silent = await atNetwork({ token: () => ({ body: { ...TOKENS, state: '' } }) });
    expect((await silent.strategy.refresh('REFRESH-TOKEN', 'DEVICE')).accessToken).to.equal('ACCESS-TOKEN');
  });

  it('is made once per device for concurrent refreshes of one token', async () => {
    const { network, strategy } = await atNetwork({ token: () => ({ body: TOKENS }) });
    await Promise.all(['ONE', 'ONE', 'OTHER'].map((device) => strategy.refresh('REFRESH-TOKEN', device)));
    expect(network.requests.map(({ form }) => form.get('device_id'))).to.have.members(['ONE', 'OTHER']);
  });

  for (const [what, response] of Object.entries({
    'an empty state': { ...TOKENS, state: '' },
    'no state': TOKENS,
    'no token type': { ...TOKENS, token_type: undefined },
    'a token type in capitals': { ...TOKENS, token_type: 'BEARER' },
  })) {
    it(`logs the user in if the response has ${what}`, async () => {
      const vkId = await atNetwork({ token: () => ({ body: response }) });
      expect((await comeBack(vkId)).status).to.equal(200);
      expect(onlyLogin(vkId).token).to.equal('ACCESS-TOKEN');
    });
  }

  it('uses the device_id of the authorization response, even if the token response has another', async () => {
    const vkId = await atNetwork({ token: () => ({ body: { ...TOKENS, device_id: 'ANOTHER-DEVICE' } }) });
    await comeBack(vkId);
    expect(onlyLogin(vkId).params.device_id).to.equal('DEVICE');
  });

  it('gives verify no refresh token if the network returned none', async () => {
    const vkId = await atNetwork({ token: () => ({ body: { ...TOKENS, refresh_token: undefined } }) });
    await comeBack(vkId);
    expect(onlyLogin(vkId).refreshToken).to.equal(undefined);
  });
});
