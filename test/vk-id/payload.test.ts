import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import { backendRequests, callbackAddress, onlyLogin, type VkIdApp, vkIdTests } from './vk-id.js';

const NAME = 'social-network';

/** Starts a login and comes back with a payload made from its state, and with other parameters. */
async function comeBackWith(
  { app }: VkIdApp,
  payload: (state: string) => string,
  others: Readonly<Record<string, string>> = {},
) {
  const browser = new Browser();
  const state = new URL(await start(browser, app, NAME)).searchParams.get('state') ?? '';
  return browser.get(callbackAddress(app, { payload: payload(state), ...others }));
}

const packed = (state: string) =>
  JSON.stringify({ code: 'CODE', state, type: 'code_v2', device_id: 'DEVICE' });

describe("VK ID's callback packed into payload", () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('lets the person in', async () => {
    const { network, ...vkId } = await atNetwork();
    expect((await comeBackWith(vkId, packed)).status).to.equal(200);
    const form = network.requests[0]?.form;
    expect(form?.get('code')).to.equal('CODE');
    expect(form?.get('device_id')).to.equal('DEVICE');
    expect(onlyLogin(vkId).params.device_id).to.equal('DEVICE');
  });

  it('lets the person in when it is encoded twice', async () => {
    const vkId = await atNetwork();
    expect((await comeBackWith(vkId, (state) => JSON.stringify(packed(state)))).status).to.equal(200);
    expect(onlyLogin(vkId).params.device_id).to.equal('DEVICE');
  });

  it('lets nobody in when it is encoded three times', async () => {
    const vkId = await atNetwork();
    const thrice = (state: string) => JSON.stringify(JSON.stringify(packed(state)));
    expect((await comeBackWith(vkId, thrice)).status).to.equal(400);
  });

  it('gives way to flat parameters beside it', async () => {
    const { network, ...vkId } = await atNetwork();
    const browser = new Browser();
    const state = new URL(await start(browser, vkId.app, NAME)).searchParams.get('state') ?? '';
    const flat = { code: 'FLAT-CODE', device_id: 'FLAT-DEVICE', state };
    const page = await browser.get(callbackAddress(vkId.app, { ...flat, payload: packed('OTHER-STATE') }));
    expect(page.status).to.equal(200);
    const form = network.requests[0]?.form;
    expect(form?.get('code')).to.equal('FLAT-CODE');
    expect(form?.get('device_id')).to.equal('FLAT-DEVICE');
    expect(onlyLogin(vkId).params.device_id).to.equal('FLAT-DEVICE');
  });

  it('C10: is never mixed with flat parameters: a code beside it brings no state', async () => {
    const { network, ...vkId } = await atNetwork();
    const flat = { code: 'FLAT-CODE', device_id: 'FLAT-DEVICE' };
    expect((await comeBackWith(vkId, packed, flat)).status).to.equal(403);
    expect(network.requests).to.deep.equal([]);
  });

  it('gives way to a flat state, even to one that belongs to no login', async () => {
    const { network, ...vkId } = await atNetwork();
    const page = await comeBackWith(vkId, packed, { state: 'x'.repeat(43) });
    expect(page.status).to.equal(403);
    expect(network.requests).to.deep.equal([]);
  });

  it('may bring the denial', async () => {
    const { network, ...vkId } = await atNetwork();
    const page = await comeBackWith(vkId, (state) => JSON.stringify({ error: 'access_denied', state }));
    expect(page.status).to.equal(401);
    expect(page.json.failure.code).to.equal('access_denied');
    expect(network.requests).to.deep.equal([]);
  });

  for (const [what, payload] of Object.entries({
    'text that is no JSON': '{"code":"CODE"',
    'an empty text': '',
    'JSON null': 'null',
    'a JSON array': '["code","state"]',
    'a JSON number': '4608',
    'a JSON text that is no JSON itself': '"code"',
    'more than 8192 characters': JSON.stringify({ code: 'x'.repeat(8_192) }),
  })) {
    it(`is a failure with 400 after no request when it is ${what}, and disturbs no pending login`, async () => {
      const { app, sandbox } = await atSandbox();
      const browser = new Browser();
      const callback = await allow(browser, await start(browser, app, NAME));

      const page = await browser.get(callbackAddress(app, { payload }));

      expect(page.status).to.equal(400);
      expect(page.json.failure.code).to.equal('malformed_callback');
      expect(backendRequests(sandbox)).to.deep.equal([]);
      expect((await browser.get(callback)).status).to.equal(200);
    });
  }

  it('may have 8192 characters', async () => {
    const vkId = await atNetwork();
    const padded = (state: string) => packed(state).padEnd(8_192);
    expect((await comeBackWith(vkId, padded)).status).to.equal(200);
  });

  it('is a failure with 403 when its state is no text', async () => {
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
    'an empty text': '',
  })) {
    it(`is a failure with 400 when its code is ${name}`, async () => {
      const { network, ...vkId } = await atNetwork();
      const page = await comeBackWith(vkId, (state) => JSON.stringify({ code, state, device_id: 'DEVICE' }));
      expect(page.status).to.equal(400);
      expect(page.json.failure.code).to.equal('malformed_callback');
      expect(network.requests).to.deep.equal([]);
    });
  }

  it('has no say through its prototype', async () => {
    const { network, ...vkId } = await atNetwork();
    const page = await comeBackWith(
      vkId,
      (state) => `{"__proto__":{"code":"CODE"},"state":"${state}","device_id":"DEVICE"}`,
    );
    expect(page.status).to.equal(400);
    expect(network.requests).to.deep.equal([]);
  });

  it('is a failure with 400 when it comes twice', async () => {
    const { app } = await atNetwork();
    const browser = new Browser();
    const state = new URL(await start(browser, app, NAME)).searchParams.get('state') ?? '';
    const callback = callbackAddress(app, { payload: packed(state) });
    expect((await browser.get(`${callback}&payload=x`)).status).to.equal(400);
    expect((await browser.get(`${callback}&payload%5B%5D=x`)).status).to.equal(400);
  });

  it('without a device is a failure with 400, and spends the pending login', async () => {
    const { app, network } = await atNetwork();
    const browser = new Browser();
    const state = new URL(await start(browser, app, NAME)).searchParams.get('state') ?? '';
    const incomplete = callbackAddress(app, { payload: JSON.stringify({ code: 'CODE', state }) });
    expect((await browser.get(incomplete)).status).to.equal(400);
    const complete = await browser.get(callbackAddress(app, { payload: packed(state) }));
    expect(complete.status).to.equal(403);
    expect(complete.json.failure.code).to.equal('used_login');
    expect(network.requests).to.deep.equal([]);
  });
});
