import { expect } from 'chai';
import type { RefusedError } from '../../../lib/index.js';
import { Browser } from '../../support/browser.js';
import { allow, deny, start, withParameters } from '../../support/journey.js';
import { backendRequests, comeBack, onlyError, vkIdTests } from './vk-id.js';

const NAME = 'social-network';

describe("VK ID's authorization response", () => {
  const { atSandbox, atNetwork } = vkIdTests();

  it('that declines the login is a failure with 401, with no request to the network', async () => {
    const { app, sandbox, verified } = await atSandbox();
    const browser = new Browser();
    const page = await browser.get(await deny(browser, await start(browser, app, NAME)));
    expect(page.status).to.equal(401);
    expect(page.json.failure).to.deep.equal({
      message: 'The user declined the login at the network.',
      code: 'access_denied',
    });
    expect(backendRequests(sandbox)).to.deep.equal([]);
    expect(verified).to.deep.equal([]);
  });

  it('without device_id is a failure with 400, with no request, and uses up the pending login', async () => {
    const { app, sandbox } = await atSandbox();
    const browser = new Browser();
    const callback = await allow(browser, await start(browser, app, NAME));

    const page = await browser.get(withParameters(callback, { device_id: undefined }));

    expect(page.status).to.equal(400);
    expect(page.json.failure).to.deep.equal({
      code: 'malformed_response',
      message:
        'The callback has no device_id, without which the network issues no token. Start the login again.',
    });
    const again = await browser.get(callback);
    expect(again.status).to.equal(403);
    expect(again.json.failure.code).to.equal('unknown_login');
    expect(backendRequests(sandbox)).to.deep.equal([]);
  });

  it('with an empty device_id is a failure with 400, with no request', async () => {
    const vkId = await atNetwork();
    const page = await comeBack(vkId, { code: 'CODE', device_id: '' });
    expect(page.status).to.equal(400);
    expect(page.json.failure.code).to.equal('malformed_response');
    expect(vkId.network.requests).to.deep.equal([]);
  });

  it('to prompt none with nobody logged in is an error that names the prompt', async () => {
    const vkId = await atSandbox({ start: { prompt: 'none' } });
    const browser = new Browser();
    const authorization = await start(browser, vkId.app, NAME);
    const { location } = await browser.get(authorization);

    const page = await browser.get(location);

    expect(page.status).to.equal(502);
    const { name, step, networkCode, message } = onlyError(vkId) as RefusedError;
    expect({ name, step, networkCode }).to.deep.equal({
      name: 'RefusedError',
      step: 'authorization',
      networkCode: 'login_required',
    });
    expect(message).to.include("prompt 'none'");
    expect(backendRequests(vkId.sandbox)).to.deep.equal([]);
  });

  it('passes the decoded code and device_id unchanged to the token request', async () => {
    const { network, ...vkId } = await atNetwork();
    await comeBack(vkId, { code: 'vk2.a.co+de/=%2B ä', device_id: 'dev+ice/=%2B_-' });
    const form = network.requests[0]?.form;
    expect(form?.get('code')).to.equal('vk2.a.co+de/=%2B ä');
    expect(form?.get('device_id')).to.equal('dev+ice/=%2B_-');
  });

  it('may contain type, expires_in and ext_id, which are ignored', async () => {
    const { network, ...vkId } = await atNetwork();
    const parameters = { code: 'CODE', device_id: 'DEVICE', type: 'x', expires_in: '-1', ext_id: 'y' };
    expect((await comeBack(vkId, parameters)).status).to.equal(200);
    expect([...(network.requests[0]?.form.keys() ?? [])]).not.to.include('type');
    expect(vkId.verified[0]?.params.expires_in).to.equal(3600);
  });
});
