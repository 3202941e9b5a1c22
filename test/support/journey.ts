import { Browser, type Page } from './browser.js';
import type { TestServer } from './server.js';

type Application = Pick<TestServer, 'url'>;

/** What a browser sends with `fetch` of a page of the application. */
export const OWN_FETCH = {
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
};

/** What a browser sends with a navigation that a page of another site began. */
export const FOREIGN = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Starts a login of one strategy. @returns The authorization URL. */
export async function start(
  browser: Browser,
  app: Application,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  return redirectOf(await browser.get(`${app.url}/login/${name}`, headers));
}

/** Approves the login at the sandbox. @returns The redirect URI with the authorization response. */
export async function allow(browser: Browser, authorization: string, person = 'alice'): Promise<string> {
  return redirectOf(await browser.get(`${authorization}&auto=allow&person=${person}`));
}

export async function deny(browser: Browser, authorization: string): Promise<string> {
  return redirectOf(await browser.get(`${authorization}&auto=deny`));
}

/** Starts a login and approves it. @returns The redirect URI with the authorization response. */
export async function callbackOf(
  browser: Browser,
  app: Application,
  name: string,
  person?: string,
): Promise<string> {
  return allow(browser, await start(browser, app, name), person);
}

/** Runs a whole login. @returns The application's response to the authorization response. */
export async function logIn(
  app: Application,
  name: string,
  person?: string,
  browser = new Browser(),
): Promise<Page> {
  return browser.get(await callbackOf(browser, app, name, person));
}

/** Replaces query parameters of a URL; `undefined` removes one. */
export function withParameters(
  original: string,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(original);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

/** Where a page redirects to. @throws Error with its text, if it does not. */
export function redirectOf(page: Page): string {
  if (page.status === 302) return page.location;
  throw new Error(`expected a redirect, but got HTTP ${page.status}: ${page.text.slice(0, 300)}`);
}
