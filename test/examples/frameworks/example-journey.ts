import type { Browser } from '../../support/browser.js';
import { allow } from '../../support/journey.js';
import type { TestServer } from '../../support/server.js';

export { allow, deny } from '../../support/journey.js';

/** Starts a login at an example. @returns The URL of the authorization request. */
export async function start(browser: Browser, app: TestServer, name: string): Promise<string> {
  const page = await browser.get(`${app.url}/api/auth/signin/${name}`);
  if (page.status === 302) return page.location;
  throw new Error(`expected a redirect, but got HTTP ${page.status}: ${page.text.slice(0, 300)}`);
}

/** Starts a login and gives consent. @returns The URL with the authorization response. */
export async function callbackOf(
  browser: Browser,
  app: TestServer,
  name: string,
  person?: string,
): Promise<string> {
  return allow(browser, await start(browser, app, name), person);
}
