import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { allow, start } from '../../support/journey.js';
import { backendRequests, onlyLogin, responseURL, type VkIdApp, vkIdTests } from './vk-id.js';

const NAME = 'social-network';

/** Starts a login and returns with a payload made from its state, and with other parameters. */
async function comeBackWith(
  { app }: VkIdApp,
  payload: (state: string) => string,
  others: Readonly<Record<string, string>> = {},
) {
  const browser = new Browser();
  const state = new URL(await start(browser, app, NAME)).searchParams.get('state') ?? '';
  return browser.get(responseURL(app, { payload: payload(state), ...others }));
}

const packed = (state: string) =>
  JSON.stringify({ code: 'CODE', state, type: 'code_v2', device_id: 'DEVICE' });

describe("VK ID's authorization response in a payload", () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('logs the user in', async () => {
    const { network, ...vkId } = await atNetwork();
    expect((await comeBackWith(vkId, packed)).status).to.equal(200);
    const form = network.requests[0]?.form;
    expect(form?.get('code')).to.equal('CODE');
    expect(form?.get('device_id')).to.equal('DEVICE');
    expect(onlyLogin(vkId).params.device_id).to.equal('DEVICE');
  });

  it('logs the user in if it is encoded twice', async () => {
    const vkId = await atNetwork();
    expect((await comeBackWith(vkId, (state) => JSON.stringify(packed(state)))).status).to.equal(200);
    expect(onlyLogin(vkId).params.device_id).to.equal('DEVICE');
  });

  it('is a failure with 400 if it is encoded three times', async () => {
    const vkId = await atNetwork();
    const thrice = (state: string) => JSON.stringify(JSON.stringify(packed(state)));
    expect((await comeBackWith(vkId, thrice)).status).to.equal(400);
  });

  it('is ignored if there are flat parameters', async () => {
    const { network, ...vkId } = await atNetwork();
    const browser = new Browser();
    const state = new URL(await start(browser, vkId.app, NAME)).searchParams.get('state') ?? '';
    const flat = { code: 'FLAT-CODE', device_id: 'FLAT-DEVICE', state };
    const page = await browser.get(responseURL(vkId.app, { ...flat, payload: packed('OTHER-STATE') }));
    expect(page.status).to.equal(200);
    const form = network.requests[0]?.form;
    expect(form?.get('code')).to.equal('FLAT-CODE');
    expect(form?.get('device_id')).to.equal('FLAT-DEVICE');
    expect(onlyLogin(vkId).params.device_id).to.equal('FLAT-DEVICE');
  });

  it('C10: a payload is never mixed with flat parameters: a flat code without a flat state is 403', async () => {
    const { network, ...vkId } = await atNetwork();
    const flat = { code: 'FLAT-CODE', device_id: 'FLAT-DEVICE' };
    expect((await comeBackWith(vkId, packed, flat)).status).to.equal(403);
    expect(network.requests).to.deep.equal([]);
  });

  it('is ignored if there is a flat state, even an unknown one', async () => {
    const { network, ...vkId } = await atNetwork();
    const page = await comeBackWith(vkId, packed, { state: 'x'.repeat(43) });
    expect(page.status).to.equal(403);
    expect(network.requests).to.deep.equal([]);
  });

  it('may say that the user declined', async () => {
    const { network, ...vkId } = await atNetwork();
    const page = await comeBackWith(vkId, (state) => JSON.stringify({ error: 'access_denied', state }));
    expect(page.status).to.equal(401);
    expect(page.json.failure.code).to.equal('access_denied');
    expect(network.requests).to.deep.equal([]);
  });

  for (const [what, payload] of Object.entries({
    'a string that is not JSON': '{"code":"CODE"',
    'an empty string': '',
    'JSON null': 'null',
    'a JSON array': '["code","state"]',
    'a JSON number': '4608',
    'a JSON string that is not JSON itself': '"code"',
    'more than 8192 characters': JSON.stringify({ code: 'x'.repeat(8_192) }),
  })) {
    it(`is a failure with 400, with no request, if it is ${what}, and leaves the pending login intact`, async () => {
      const { app, sandbox } = await atSandbox();
      const browser = new Browser();
      const callback = await allow(browser, await start(browser, app, NAME));

      const page = await browser.get(responseURL(app, { payload }));

      expect(page.status).to.equal(400);
      expect(page.json.failure.code).to.equal('malformed_response');
      expect(backendRequests(sandbox)).to.deep.equal([]);
      expect((await browser.get(callback)).status).to.equal(200);
    });
  }

  it('may have 8192 characters', async () => {
    const vkId = await atNetwork();
    const padded = (state: string) => packed(state).padEnd(8_192);
    expect((await comeBackWith(vkId, padded)).status).to.equal(200);
  });

  it('is a failure with 403 if its state is not a string', async () => {
    const vkId = await atNetwork();
    const page = await comeBackWith(vkId, (state) =>
      JSON.stringify({ code: 'CODE', device_id: 'DEVICE', state: [state] }),
    );
    expect(page.status).to.equal(403);
    expect(page.json.failure.code).to.equal('unknown_login');
  });

  for (const [name, code] of Object.entries({
    'a number': 4608,
    'an object': { value: 'CODE' },
    'an empty string': '',
  })) {
    it(`is a failure with 400 if its code is ${name}`, async () => {
      const { network, ...vkId } = await atNetwork();
      const page = await comeBackWith(vkId, (state) => JSON.stringify({ code, state, device_id: 'DEVICE' }));
      expect(page.status).to.equal(400);
      expect(page.json.failure.code).to.equal('malformed_response');
      expect(network.requests).to.deep.equal([]);
    });
  }

  it('is not read from its prototype', async () => {
    const { network, ...vkId } = await atNetwork();
    const page = await comeBackWith(
      vkId,
      (state) => `{"__proto__":{"code":"CODE"},"state":"${state}","device_id":"DEVICE"}`,
    );
    expect(page.status).to.equal(400);
    expect(network.requests).to.deep.equal([]);
  });

  it('is a failure with 400 if it occurs twice', async () => {
    const { app } = await atNetwork();
    const browser = new Browser();
    const state = new URL(await start(browser, app, NAME)).searchParams.get('state') ?? '';
    const callback = responseURL(app, { payload: packed(state) });
    expect((await browser.get(`${callback}&payload=x`)).status).to.equal(400);
    expect((await browser.get(`${callback}&payload%5B%5D=x`)).status).to.equal(400);
  });

  it('without device_id is a failure with 400 and uses up the pending login', async () => {
    const { app, network } = await atNetwork();
    const browser = new Browser();
    const state = new URL(await start(browser, app, NAME)).searchParams.get('state') ?? '';
    const incomplete = responseURL(app, { payload: JSON.stringify({ code: 'CODE', state }) });
    expect((await browser.get(incomplete)).status).to.equal(400);
    const complete = await browser.get(responseURL(app, { payload: packed(state) }));
    expect(complete.status).to.equal(403);
    expect(complete.json.failure.code).to.equal('unknown_login');
    expect(network.requests).to.deep.equal([]);
  });
});
