import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express from 'express';
import { Passport } from 'passport';
import { CALLBACK, ORIGIN, serve } from '../browser.mjs';
import { HOSTS } from '../rewrite.mjs';

const CHROMIUM = '/usr/bin/chromium-headless-shell';
const require = createRequire(import.meta.url);
/** The SDK as its README gets it from a CDN: it sets the global `VKIDSDK`. */
const SDK = readFileSync(
  join(require.resolve('@vkid/sdk/package.json'), '..', 'dist-sdk/umd/index.js'),
  'utf8',
);
const PAGE = '<!doctype html><meta charset="utf-8"><title>Application</title><script src="/sdk.js"></script>';
/** @type {typeof import('../../lib/index.js')} */
const { SocialNetworkStrategy } = require('../../dist/index.js');

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('../main.mjs').Client} */
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

/**
 * The SDK's button, with what a strategy's `authorizationRequest` gives it.
 *
 * @param {import('../main.mjs').Given['vkId']} vkId @param {import('../rewrite.mjs').Relay} relay @param {string} responseMode
 */
function oneTap({ id: clientID }, relay, responseMode) {
  const client = { clientID, clientSecret: 'the-protected-key', callbackURL: CALLBACK, proxy: true };
  const strategy = new SocialNetworkStrategy(
    { version: '2.1', ...client },
    async (_token, _refreshToken, { id }) => ({ id }),
  );
  const app = express();
  app.post('/begin', async (request, response) => {
    const { searchParams } = await strategy.authorizationRequest(request);
    const [state, codeChallenge, scope] = ['state', 'code_challenge', 'scope'].map((name) =>
      searchParams.get(name),
    );
    response.json({ app: Number(clientID), redirectUrl: CALLBACK, state, codeChallenge, scope });
  });
  const login = new Passport().use(strategy);
  app.get(
    new URL(CALLBACK).pathname,
    login.authenticate('social-network', { session: false, failWithError: true }),
    (request, response) => {
      response.json(request.user);
    },
  );
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

/** Consents in the tab that the SDK opens. @param {Page} opener @param {() => Promise<unknown>} open */
async function allowIn(opener, open) {
  const opened = opener.context().waitForEvent('page');
  await open();
  await (await opened).getByRole('button', { name: 'Allow' }).click();
}

/**
 * A page of an application with the SDK, in Chromium.
 *
 * @param {import('../rewrite.mjs').Relay} relay @param {import('express').Express} app @param {(opener: Page) => Promise<string>} use
 */
async function inBrowser(relay, app, use) {
  app.get('/', (_request, response) => void response.send(PAGE));
  app.get('/sdk.js', (_request, response) => void response.type('js').send(SDK));
  /** @type {typeof import('playwright-core')} */
  const { chromium } = require('playwright-core');
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
    return await serve(app, async (application) => {
      const context = await browser.newContext();
      await context.route(`${ORIGIN}/**`, async (route) => {
        const request = route.request();
        const headers = {
          ...(await request.allHeaders()),
          'x-forwarded-proto': 'https',
          'x-forwarded-host': new URL(ORIGIN).host,
        };
        const response = await application(new Request(request.url(), { method: request.method(), headers }));
        await route.fulfill({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text(),
        });
      });
      const opener = await context.newPage();
      await opener.goto(ORIGIN);
      return use(opener);
    });
  } finally {
    await browser.close();
  }
}
