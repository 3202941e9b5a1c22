// @ts-check
import { identifierOf } from './people.js';

/** @typedef {import('./browser.js').Browser} Browser */

/** The application or the balancer responded with an error, which the user sees and can retry. */
export class ErrorResponse extends Error {}

/**
 * A login to perform.
 *
 * @typedef {object} Login
 * @property {string} home URL of the application, without a trailing slash
 * @property {string} network
 * @property {import('./people.js').SandboxPerson} person
 */

/**
 * How users log in to one variant of the application.
 *
 * @typedef {object} Journey
 * @property {readonly string[]} networks Names of the strategies
 * @property {(browser: Browser, login: Login) => Promise<string | undefined>} logIn Performs a login, from the sign-in link to
 *   a page that identifies the user. Resolves to the user's ID at the network, or to `undefined` if no user is logged in.
 *   Rejects with {@link ErrorResponse} at the first error response
 */

/** The login example, where the session identifies the user. @type {Journey} */
export const LOGIN_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1.0', 'social-network', 'social-network-vk-id'],
  async logIn(browser, login) {
    if (!(await authorize(browser, login))) return undefined;
    const profile = await get(browser, `${login.home}/profile`);
    return /<code id="identifier">([^<]+)<\/code>/.exec(profile.text)?.[1];
  },
};

/** The sessionless example, where the callback route responds with a token. @type {Journey} */
export const STATELESS_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1.0', 'social-network', 'social-network-2.1'],
  async logIn(browser, login) {
    const page = await authorize(browser, login);
    const [, token] = /^\{"token":"([^"]+)"\}$/.exec(page?.text ?? '') ?? [];
    if (token === undefined) return undefined;
    const me = await get(browser, `${login.home}/api/me`, { authorization: `Bearer ${token}` });
    return JSON.parse(me.text).id;
  },
};

/** As many requests as a login makes, to an application without logins. @type {Journey} */
export const BARE_JOURNEY = {
  networks: ['social-network'],
  async logIn(browser, { home, network, person }) {
    await get(browser, `${home}/signin`);
    await get(browser, `${home}/callback`);
    const { text } = await get(browser, `${home}/${identifierOf(person, network)}`);
    return text.slice(1);
  },
};

/**
 * Performs a login from the sign-in link to the response of the callback route.
 *
 * @param {Browser} browser
 * @param {Login} login
 * @returns {Promise<import('./browser.js').Page | undefined>} `undefined` if the login ends earlier
 */
async function authorize(browser, { home, network, person }) {
  const start = await get(browser, `${home}/api/auth/signin/${network}`);
  // Already logged in: an earlier attempt succeeded, but its response was cut off.
  if (start.location.startsWith(`${home}/`)) return start;
  if (start.location === '') return undefined;
  const consent = await get(browser, `${start.location}&auto=allow&person=${person.id}`);
  return consent.location.startsWith(`${home}/`) ? get(browser, consent.location) : undefined;
}

/**
 * @param {Browser} browser
 * @param {string} url
 * @param {Readonly<Record<string, string>>} [headers]
 */
async function get(browser, url, headers) {
  const page = await browser.get(url, headers);
  if (page.status >= 400) throw new ErrorResponse(`HTTP ${page.status}`);
  return page;
}
