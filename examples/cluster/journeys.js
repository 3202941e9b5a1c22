// @ts-check
/** @typedef {import('./browser.js').Browser} Browser */

/** The application or the balancer answered with an error: the person sees it, and can try again. */
export class ErrorAnswer extends Error {}

/**
 * How one variant of the application is logged in at, and how it shows who is logged in.
 *
 * @typedef {object} Journey
 * @property {readonly string[]} networks Names of the strategies
 * @property {(browser: Browser, page: import('./browser.js').Page, home: string) => Promise<string | undefined>} whoIs Asks the
 *   application who is logged in: the identifier at the network, or nothing where nobody is. The page is the answer to the callback
 */

/** The login example: the session knows who it is. @type {Journey} */
export const LOGIN_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1.0', 'social-network', 'social-network-vk-id'],
  async whoIs(browser, _page, home) {
    const profile = await see(browser, `${home}/profile`);
    return /<code id="identifier">([^<]+)<\/code>/.exec(profile.text)?.[1];
  },
};

/** The sessionless example: the callback answers with a token. @type {Journey} */
export const STATELESS_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1.0', 'social-network', 'social-network-2.1'],
  async whoIs(browser, page, home) {
    const [, token] = /^\{"token":"([^"]+)"\}$/.exec(page.text) ?? [];
    if (token === undefined) return undefined;
    const me = await see(browser, `${home}/api/me`, { authorization: `Bearer ${token}` });
    return JSON.parse(me.text).id;
  },
};

/**
 * A whole login of one person, from the link to the page that says who it is.
 *
 * @param {Journey} journey
 * @param {Browser} browser
 * @param {object} login
 * @param {string} login.home Address of the application, without a slash at its end
 * @param {string} login.network
 * @param {string} login.person
 * @returns {Promise<string | undefined>} Who the application says is logged in
 * @throws {ErrorAnswer} as soon as anybody answers with an error
 */
export async function logIn(journey, browser, { home, network, person }) {
  const start = await see(browser, `${home}/api/auth/signin/${network}`);
  // Whoever is logged in already is not sent away: the answer of an earlier attempt was cut off after its work was done.
  if (start.location.startsWith(`${home}/`)) return journey.whoIs(browser, start, home);
  if (start.location === '') return undefined;
  const consent = await see(browser, `${start.location}&auto=allow&person=${person}`);
  if (!consent.location.startsWith(`${home}/`)) return undefined;
  return journey.whoIs(browser, await see(browser, consent.location), home);
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
