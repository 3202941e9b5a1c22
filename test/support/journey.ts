import { Browser, type Page } from './browser.js';

/** An application, as far as a person needs it. */
interface Application {
  readonly url: string;
}

/** Starts a login of one strategy. @returns The address that the person is sent to. */
export async function start(
  browser: Browser,
  app: Application,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  return redirectOf(await browser.get(`${app.url}/login/${name}`, headers));
}

/** The person says yes at the sandbox. @returns The address of the callback. */
export async function allow(browser: Browser, authorization: string, person = 'alice'): Promise<string> {
  return redirectOf(await browser.get(`${authorization}&auto=allow&person=${person}`));
}

/** The person says no at the sandbox. @returns The address of the callback. */
export async function deny(browser: Browser, authorization: string): Promise<string> {
  return redirectOf(await browser.get(`${authorization}&auto=deny`));
}

/** Starts a login and says yes. @returns The address of the callback. */
export async function callbackOf(
  browser: Browser,
  app: Application,
  name: string,
  person?: string,
): Promise<string> {
  return allow(browser, await start(browser, app, name), person);
}

/** A whole login. @returns The application's answer to the callback. */
export async function logIn(
  app: Application,
  name: string,
  person?: string,
  browser = new Browser(),
): Promise<Page> {
  return browser.get(await callbackOf(browser, app, name, person));
}

/** The address with other parameters: each is replaced, or with `undefined` taken out. */
export function withParameters(
  address: string,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

function redirectOf(page: Page): string {
  if (page.status === 302) return page.location;
  throw new Error(`expected a redirect, but got HTTP ${page.status}: ${page.text.slice(0, 300)}`);
}
