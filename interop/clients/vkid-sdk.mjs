import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express from 'express';
import { chromium } from 'playwright-core';
import { CALLBACK, listen, ORIGIN } from '../browser.mjs';
import { HOSTS } from '../rewrite.mjs';
import { applicationWith, keepID } from './passport.mjs';

const CHROMIUM = '/usr/bin/chromium-headless-shell';
const require = createRequire(import.meta.url);
/** The SDK as its README gets it from a CDN: it sets the global `VKIDSDK`. */
const SDK = join(require.resolve('@vkid/sdk/package.json'), '..', 'dist-sdk/umd/index.js');
const PAGE = '<!doctype html><meta charset="utf-8"><title>Application</title><script src="/sdk.js"></script>';
const { SocialNetworkStrategy } = require('../../dist/index.js');

export const vkIdSdk = {
  package: '@vkid/sdk',
  needs: CHROMIUM,
  logins: ({ vkId, relay }) => ({
    'VK ID': () =>
      inBrowser(relay, express(), async (opener) => {
        const config = `VKIDSDK.Config.init({ app: ${vkId.id}, redirectUrl: '${CALLBACK}', scope: 'email' })`;
        const returned = opener.waitForRequest((request) => request.url().startsWith(CALLBACK));
        await allowIn(opener, () => opener.evaluate(`${config}; void VKIDSDK.Auth.login()`));
        const { search } = new URL((await returned).url());
        await opener.goto(ORIGIN);
        const user = await opener.evaluate(`(async () => {
          ${config};
          const response = new URLSearchParams('${search}');
          const tokens = await VKIDSDK.Auth.exchangeCode(response.get('code'), response.get('device_id'));
          await VKIDSDK.Auth.publicInfo(tokens.id_token);
          return (await VKIDSDK.Auth.userInfo(tokens.access_token)).user.user_id;
        })().catch((error) => { throw new Error(JSON.stringify(error) + error.stack) })`);
        return String(user);
      }),
    'VK ID, One Tap, `SocialNetworkStrategy` at the server': () =>
      oneTap(vkId, relay, 'ConfigResponseMode.Redirect'),
    'VK ID, One Tap, responseMode Callback, `SocialNetworkStrategy` at the server': () =>
      oneTap(vkId, relay, 'ConfigResponseMode.Callback'),
  }),
};

/** The SDK's button, with what a strategy's `authorizationRequest` gives it. */
function oneTap({ id: clientID }, relay, responseMode) {
  const client = { clientID, clientSecret: 'the-protected-key', callbackURL: CALLBACK, proxy: true };
  const strategy = new SocialNetworkStrategy({ version: '2.1', ...client }, keepID);
  const app = applicationWith(strategy);
  app.post('/begin', async (request, response) => {
    const { searchParams } = await strategy.authorizationRequest(request);
    const { state, scope, code_challenge: codeChallenge } = Object.fromEntries(searchParams);
    response.json({ app: Number(clientID), redirectUrl: CALLBACK, state, codeChallenge, scope });
  });
  return inBrowser(relay, app, async (opener) => {
    await opener.evaluate(`fetch('/begin', { method: 'POST' }).then((response) => response.json()).then((given) => {
      VKIDSDK.Config.init({ ...given, responseMode: VKIDSDK.${responseMode} });
      new VKIDSDK.OneTap()
        .on(VKIDSDK.OneTapInternalEvents.LOGIN_SUCCESS, (payload) => location.assign('${CALLBACK}?' + new URLSearchParams(payload)))
        .render({ container: document.body, fastAuthEnabled: false });
    })`);
    await allowIn(opener, () => opener.locator('button').click());
    await opener.waitForURL(`${CALLBACK}?**`);
    return String(JSON.parse(await opener.locator('body').innerText()).id);
  });
}

/** Consents in the tab that the SDK opens. */
async function allowIn(opener, open) {
  const opened = opener.context().waitForEvent('page');
  await open();
  await (await opened).getByRole('button', { name: 'Allow' }).click();
}

/** A page of an application with the SDK, in Chromium. */
async function inBrowser(relay, app, use) {
  app.get('/', (_request, response) => void response.send(PAGE));
  app.get('/sdk.js', (_request, response) => response.sendFile(SDK));
  const { url, close } = await listen(createServer(app));
  const led = HOSTS.map((host) => `MAP ${host} 127.0.0.1:${relay.port}`);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--ignore-certificate-errors',
      // Chromium would ask the user before a page connects to this machine, where the relay is.
      '--disable-features=LocalNetworkAccessChecks',
      `--host-resolver-rules=${[...led, 'MAP * ~NOTFOUND'].join(',')}`,
    ],
  });
  try {
    const context = await browser.newContext();
    await context.route(`${ORIGIN}/**`, async (route, request) => {
      const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': new URL(ORIGIN).host };
      const headers = { ...(await request.allHeaders()), ...forwarded };
      const response = await route.fetch({
        url: request.url().replace(ORIGIN, url),
        headers,
        maxRedirects: 0,
      });
      await route.fulfill({ response });
    });
    const opener = await context.newPage();
    await opener.goto(ORIGIN);
    return await use(opener);
  } finally {
    await browser.close();
    close();
  }
}
