import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { allow, logIn, start } from '../../support/journey.js';
import { comeBack, onlyLogin, vkIdTests } from './vk-id.js';

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
});
