// @ts-check
import { identifierOf } from './people.js';

/** @typedef {import('./browser.js').Browser} Browser */

/** The application or the balancer answered with an error: the person sees it, and can try again. */
export class ErrorAnswer extends Error {}

/**
 * One login.
 *
 * @typedef {object} Login
 * @property {string} home Address of the application, without a slash at its end
 * @property {string} network
 * @property {import('./people.js').SandboxPerson} person
 */

/**
 * How one variant of the application is logged in at.
 *
 * @typedef {object} Journey
 * @property {readonly string[]} networks Names of the strategies
 * @property {(browser: Browser, login: Login) => Promise<string | undefined>} logIn From the link to the page that says who
 *   it is: resolves to the identifier at the network, or to nothing where nobody is logged in; rejects with an
 *   {@link ErrorAnswer} as soon as anybody answers with an error
 */

/** The login example: the session knows who it is. @type {Journey} */
export const LOGIN_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1.0', 'social-network', 'social-network-vk-id'],
  async logIn(browser, login) {
    if (!(await comeBack(browser, login))) return undefined;
    const profile = await see(browser, `${login.home}/profile`);
    return /<code id="identifier">([^<]+)<\/code>/.exec(profile.text)?.[1];
  },
};

/** The sessionless example: the callback answers with a token. @type {Journey} */
export const STATELESS_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1.0', 'social-network', 'social-network-2.1'],
  async logIn(browser, login) {
    const answer = await comeBack(browser, login);
    const [, token] = /^\{"token":"([^"]+)"\}$/.exec(answer?.text ?? '') ?? [];
    if (token === undefined) return undefined;
    const me = await see(browser, `${login.home}/api/me`, { authorization: `Bearer ${token}` });
    return JSON.parse(me.text).id;
  },
};

/** As many requests as a login has, to an application that logs nobody in. @type {Journey} */
export const BARE_JOURNEY = {
  networks: ['social-network'],
  async logIn(browser, { home, network, person }) {
    await see(browser, `${home}/signin`);
    await see(browser, `${home}/callback`);
    const { text } = await see(browser, `${home}/${identifierOf(person, network)}`);
    return text.slice(1);
  },
};

/**
 * From the link to the answer to the callback.
 *
 * @param {Browser} browser
 * @param {Login} login
 * @returns {Promise<import('./browser.js').Page | undefined>} Nothing where the way ends before
 */
async function comeBack(browser, { home, network, person }) {
  const start = await see(browser, `${home}/api/auth/signin/${network}`);
  // Whoever is logged in already is not sent away: the answer of an earlier attempt was cut off after its work was done.
  if (start.location.startsWith(`${home}/`)) return start;
  if (start.location === '') return undefined;
  const consent = await see(browser, `${start.location}&auto=allow&person=${person.id}`);
  return consent.location.startsWith(`${home}/`) ? see(browser, consent.location) : undefined;
}

/**
 * @param {Browser} browser
 * @param {string} address
 * @param {Readonly<Record<string, string>>} [headers]
 */
async function see(browser, address, headers) {
  const page = await browser.get(address, headers);
  if (page.status >= 400) throw new ErrorAnswer(`HTTP ${page.status}`);
  return page;
}
