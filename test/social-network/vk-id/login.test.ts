import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { allow, logIn, start } from '../../support/journey.js';
import { backendRequests, comeBack, onlyLogin, vkIdTests } from './vk-id.js';

describe('a login through VK ID', () => {
  const { atSandbox, atNetwork } = vkIdTests();

  for (const vkIdCallback of ['flat', 'payload'] as const) {
    it(`logs a user in if the parameters of the authorization response are ${vkIdCallback}`, async () => {
      const vkId = await atSandbox({ sandbox: { vkIdCallback } });

      const page = await logIn(vkId.app, 'social-network', 'alice');

      expect(page.status).to.equal(200);
      expect(page.json.user).to.deep.equal({ id: '1000000001' });
      const { _raw, _json, photos: [photo] = [], ...mapped } = onlyLogin(vkId).profile;
      expect({ ...mapped, photos: undefined }).to.deep.equal({
        provider: 'social-network',
        id: '1000000001',
        displayName: 'Alice Example',
        name: { familyName: 'Example', givenName: 'Alice' },
        gender: 'female',
        photos: undefined,
        profileUrl: 'https://vk.ru/id1000000001',
      });
      expect(photo?.value).to.equal(_json.user.avatar);
      expect(JSON.parse(_raw)).to.deep.equal(_json);
    });
  }

  it('returns a Cyrillic name unchanged', async () => {
    const vkId = await atSandbox();
    await logIn(vkId.app, 'social-network', 'anna');
    const { profile } = onlyLogin(vkId);
    expect(profile.displayName).to.equal('Анна Примерова');
    expect(profile.name).to.deep.equal({ familyName: 'Примерова', givenName: 'Анна' });
  });

  it('makes two requests to the network: the token request and the user info', async () => {
    const { app, sandbox } = await atSandbox();
    await logIn(app, 'social-network');
    expect(backendRequests(sandbox)).to.deep.equal([
      'POST /vk-id/oauth2/auth',
      'POST /vk-id/oauth2/user_info',
    ]);
    expect(sandbox.requests().filter(({ refused }) => refused !== undefined)).to.deep.equal([]);
  });

  it('gives verify the tokens and the whole token response, with the device_id of the authorization response', async () => {
    const vkId = await atSandbox();
    const browser = new Browser();
    const callback = await allow(browser, await start(browser, vkId.app, 'social-network'));
    await browser.get(callback);

    const { token, refreshToken, params } = onlyLogin(vkId);
    const { device_id, state, user_id, scope, expires_in, token_type } = params;
    expect(token).to.match(/^vk2\.a\./);
    expect(token).to.equal(params.access_token);
    expect(refreshToken).to.match(/^vk2\.a\./);
    expect(refreshToken).to.equal(params.refresh_token);
    expect(refreshToken).not.to.equal(token);
    const { searchParams } = new URL(callback);
    expect({ device_id, state, user_id, scope, expires_in, token_type }).to.deep.equal({
      device_id: searchParams.get('device_id'),
      state: searchParams.get('state'),
      user_id: 1000000001,
      scope: 'vkid.personal_info',
      expires_in: 3600,
      token_type: 'Bearer',
    });
    expect(device_id).to.have.length(86);
  });

  it('gives the record and the raw response', async () => {
    const body = '{ "user" : {"user_id":"1234567890","first_name":"\\u0418ван"} }';
    const vkId = await atNetwork({ user: () => ({ body }) });
    await comeBack(vkId);
    const { profile } = onlyLogin(vkId);
    expect(profile._raw).to.equal(body);
    expect(profile._json).to.deep.equal({ user: { user_id: '1234567890', first_name: 'Иван' } });
    expect(profile.displayName).to.equal('Иван');
  });

  it('returns application state and keeps it out of the URL', async () => {
    const { app } = await atSandbox({ start: { state: { returnTo: '/basket' } } });
    const browser = new Browser();
    const authorization = await start(browser, app, 'social-network');
    const page = await browser.get(await allow(browser, authorization));
    expect(page.json.info).to.deep.equal({ state: { returnTo: '/basket' } });
    expect(authorization).not.to.include('basket');
  });

  it('finishes two tabs of one browser in reverse order', async () => {
    const { app, verified } = await atSandbox();
    const browser = new Browser();
    const first = await allow(browser, await start(browser, app, 'social-network'), 'alice');
    const second = await allow(browser, await start(browser, app, 'social-network'), 'anna');
    expect((await browser.get(second)).json.user).to.deep.equal({ id: '743784474' });
    expect((await browser.get(first)).json.user).to.deep.equal({ id: '1000000001' });
    expect(verified).to.have.length(2);
  });

  it('accepts an authorization response once: a reload is 403, with no request to the network', async () => {
    const { app, sandbox } = await atSandbox();
    const browser = new Browser();
    const callback = await allow(browser, await start(browser, app, 'social-network'));
    expect((await browser.get(callback)).status).to.equal(200);
    const again = await browser.get(callback);
    expect(again.status).to.equal(403);
    expect(again.json.failure.code).to.equal('used_login');
    expect(backendRequests(sandbox)).to.have.length(2);
  });
});
