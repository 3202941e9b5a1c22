import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CALLBACK, ORIGIN } from '../browser.mjs';
import { HOSTS } from '../rewrite.mjs';

const CHROMIUM = '/usr/bin/chromium-headless-shell';
const require = createRequire(import.meta.url);
/** The SDK as its README gets it from a CDN: it sets the global `VKIDSDK`. */
const SDK = readFileSync(
  join(require.resolve('@vkid/sdk/package.json'), '..', 'dist-sdk/umd/index.js'),
  'utf8',
);
const PAGE = '<!doctype html><meta charset="utf-8"><title>Application</title><script src="/sdk.js"></script>';

/** @type {import('../main.mjs').Client} */
export const vkIdSdk = {
  package: '@vkid/sdk',
  needs: CHROMIUM,
  logins: ({ vkId, relay }) => ({
    async 'VK ID'() {
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
        const context = await browser.newContext();
        await context.route(`${ORIGIN}/**`, (route) => {
          const isScript = new URL(route.request().url()).pathname === '/sdk.js';
          return route.fulfill({
            contentType: isScript ? 'text/javascript' : 'text/html',
            body: isScript ? SDK : PAGE,
          });
        });
        const opener = await context.newPage();
        await opener.goto(ORIGIN);
        const config = `VKIDSDK.Config.init({ app: ${vkId.id}, redirectUrl: '${CALLBACK}', scope: 'email' })`;
        const opened = context.waitForEvent('page');
        await opener.evaluate(`${config}; void VKIDSDK.Auth.login()`);
        const page = await opened;
        // Nothing listens at the callback. Its URL is all that the page needs that opened the popup.
        const returned = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
        await page.getByRole('button', { name: 'Allow' }).click();
        const { search } = new URL((await returned).url());
        const user = await opener.evaluate(`(async () => {
          ${config};
          const response = new URLSearchParams('${search}');
          const tokens = await VKIDSDK.Auth.exchangeCode(response.get('code'), response.get('device_id'));
          await VKIDSDK.Auth.publicInfo(tokens.id_token);
          return (await VKIDSDK.Auth.userInfo(tokens.access_token)).user.user_id;
        })().catch((error) => { throw new Error(JSON.stringify(error) + error.stack) })`);
        return String(user);
      } finally {
        await browser.close();
      }
    },
  }),
};
