// @ts-check
import { pause } from './ports.js';
import { identifierOf, PEOPLE } from './sandbox.js';

/** @typedef {{ status: number, location: string, text: string }} Page `location` is the absolute URL of a redirect, or empty */
/** @typedef {{ home: string, network: string, person: import('./sandbox.js').SandboxPerson }} Login `home`: without a trailing slash */

/** The user sees an error and can retry: an error response, or the browser's own page for a response that was cut off. */
class ErrorPage extends Error {}

/** How long a browser waits for a response, in milliseconds. */
const TIMEOUT = 30_000;

/** Attempts at one login before it counts as lost. */
const MAX_ATTEMPTS = 6;

/** One user's browser. Keeps cookies by host name, as browsers do, and follows no redirects. */
export class Browser {
  jars = /** @type {Map<string, Map<string, string>>} */ (new Map());

  /**
   * @param {string} url
   * @param {Readonly<Record<string, string>>} headers
   * @returns {Promise<Page>} Rejects without a complete response
   */
  async get(url, headers = {}) {
    const { hostname } = new URL(url);
    const jar = this.jars.get(hostname) ?? new Map();
    this.jars.set(hostname, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      headers: { ...headers, ...(cookie && { cookie }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const text = await response.text().catch((cause) => {
      throw new ErrorPage('response cut off', { cause });
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*max-age=0\b/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    return { status: response.status, location: location === null ? '' : new URL(location, url).href, text };
  }
}

/**
 * How users log in to one variant of the application.
 *
 * @typedef {object} Journey
 * @property {readonly string[]} networks Names of the strategies
 * @property {(browser: Browser, login: Login) => Promise<string | undefined>} logIn Performs a login, from the sign-in link to
 *   a page that identifies the user. Resolves to the user's ID at the network, or to `undefined` if no user is logged in.
 *   Rejects with {@link ErrorPage} at the first error response
 */

/** The login example, where the session identifies the user. @type {Journey} */
export const LOGIN_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1-0', 'social-network', 'social-network-vk-id'],
  async logIn(browser, login) {
    if (!(await authorize(browser, login))) return undefined;
    const profile = await get(browser, `${login.home}/profile`);
    return /<code id="identifier">([^<]+)<\/code>/.exec(profile.text)?.[1];
  },
};

/** The sessionless example, where the callback route responds with a token. @type {Journey} */
export const STATELESS_JOURNEY = {
  networks: ['short-video', 'microblog', 'microblog-1-0', 'social-network', 'social-network-vk-id'],
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
 * @returns {Promise<Page | undefined>} `undefined` if the login ends earlier
 */
async function authorize(browser, { home, network, person }) {
  const start = await get(browser, `${home}/api/auth/signin/${network}`);
  // Already logged in: an earlier attempt succeeded, but its response was cut off.
  if (start.location.startsWith(`${home}/`)) return start;
  if (start.location === '') return undefined;
  const consent = await get(browser, `${start.location}&auto=allow&person=${person.id}`);
  return consent.location.startsWith(`${home}/`) ? get(browser, consent.location) : undefined;
}

/** @param {Browser} browser @param {string} url @param {Readonly<Record<string, string>>} [headers] */
async function get(browser, url, headers) {
  const page = await browser.get(url, headers);
  if (page.status >= 400) throw new ErrorPage(`HTTP ${page.status}`);
  return page;
}

/**
 * Counts of logins by outcome.
 *
 * @typedef {object} Tally
 * @property {number} tried
 * @property {number} finished The application identified the right user
 * @property {number} retried Logins that met an error and started again, once or more
 * @property {number} lost Logins that ended without success or error, or failed in every attempt
 * @property {number} wrongUser Logins that ended as another user
 * @property {Record<string, number>} errors Occurrences by error message
 * @property {string[]} losses Reasons of lost logins
 */

/** Simulated users who log in, each with a new browser, and try again after an error. */
export class Visitors {
  /** @type {Tally} */
  tally = { tried: 0, finished: 0, retried: 0, lost: 0, wrongUser: 0, errors: {}, losses: [] };
  /** Logins in progress. */
  inProgress = 0;

  /**
   * @param {Journey} journey
   * @param {string} home URL of the application, without a trailing slash
   * @param {number} [retryDelay] Pause before a user tries again after an error, in milliseconds
   */
  constructor(journey, home, retryDelay = 500) {
    this.journey = journey;
    this.home = home;
    this.retryDelay = retryDelay;
  }

  /**
   * Logs users in until `isDone`, then waits for the logins in progress.
   *
   * @param {number} concurrency
   * @param {() => boolean} isDone
   */
  async run(concurrency, isDone) {
    const queue = async () => {
      while (!isDone()) await this.logInNext();
    };
    await Promise.all(Array.from({ length: concurrency }, queue));
  }

  /** @private */
  async logInNext() {
    const { networks } = this.journey;
    const number = this.tally.tried;
    this.tally.tried += 1;
    this.inProgress += 1;
    const person = PEOPLE[number % PEOPLE.length];
    // Each user takes another network in the next round.
    const network = networks[(number + Math.floor(number / PEOPLE.length)) % networks.length];
    const problem = person && network && (await this.logIn({ home: this.home, network, person }));
    if (problem) {
      this.tally.lost += 1;
      this.tally.losses.push(`${network}: ${problem}`);
    }
    this.inProgress -= 1;
  }

  /** @private @param {Login} login @returns {Promise<string | undefined>} Why it is lost */
  async logIn(login) {
    const { tally } = this;
    const browser = new Browser();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      if (attempt === 2) tally.retried += 1;
      if (attempt > 1) await pause(this.retryDelay);
      try {
        const found = await this.journey.logIn(browser, login);
        if (found === undefined) return 'no user is logged in, and there was no error';
        if (found === identifierOf(login.person, login.network)) tally.finished += 1;
        else tally.wrongUser += 1;
        return undefined;
      } catch (error) {
        if (!(error instanceof ErrorPage)) return error instanceof Error ? error.message : 'no reason given';
        tally.errors[error.message] = (tally.errors[error.message] ?? 0) + 1;
      }
    }
    return `an error in each of ${MAX_ATTEMPTS} attempts`;
  }
}
