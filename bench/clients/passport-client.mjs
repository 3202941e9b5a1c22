// One login through Passport: the start and the callback, each with a request as Express passes it on. There is no web server
// between, so that only the strategy is measured.
import passport from 'passport';
import { agreeing } from '../network/networks.mjs';

/**
 * @typedef {object} Client
 * @property {string[]} subject - The network, with its version.
 * @property {string} client - Package name, or what it is.
 * @property {() => Promise<void>} login - One login; rejects if no user is logged in at its end.
 */
/** A Passport strategy of one package for one network. @typedef {{ network: string, client: string, adapter: import('./strategies.mjs').Subject, facts: import('../network/networks.mjs').Network, options: object }} Setup */
/**
 * `start`: returns the redirect's URL; `finish`: rejects if no user is logged in.
 *
 * @typedef {Client & { start: (browser: Browser) => Promise<string>, finish: (browser: Browser, location: string) => Promise<void> }} PassportClient
 */

/** What a browser and an application without a web server keep. */
export class Browser {
  /** @type {Map<string, string>} */
  cookies = new Map();
  session = '{}';

  get cookieHeader() {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** @param {unknown} lines - Values of the `Set-Cookie` headers. */
  setCookies(lines = []) {
    for (const line of [lines].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** @param {Setup} setup @returns {PassportClient} */
export function passportClient({ client, network, adapter, facts, options }) {
  const authenticator = new passport.Passport();
  authenticator.use('login', new (adapter.load())(options, verify));
  const authenticate = authenticator.authenticate('login', { session: false });
  const start = async (/** @type {Browser} */ browser) => {
    const { location } = await handle(authenticate, browser, '/login', {});
    if (location === undefined) throw new Error('the login began without a redirect');
    return location;
  };
  const finish = async (/** @type {Browser} */ browser, /** @type {string} */ location) => {
    const query = agreeing(facts, location);
    const url = `/callback?${new URLSearchParams(query).toString()}`;
    const ended = await handle(authenticate, browser, url, query);
    if (typeof ended.user !== 'string' || ended.user === '') throw new Error('no user is logged in');
  };
  return {
    subject: [network],
    client,
    start,
    finish,
    async login() {
      const browser = new Browser();
      await finish(browser, await start(browser));
    },
  };
}

// These are classes, as in the web frameworks. V8 would allocate object literals in old memory once many of them have survived, and
// everything they refer to would survive with them: the benchmark would measure that instead of the strategy.

class Request {
  method = 'GET';
  protocol = 'https';
  /** @type {unknown} */
  user = undefined;

  /** @param {Browser} browser @param {string} url @param {Record<string, string>} query @param {(response: Response, text?: string) => void} ended */
  constructor(browser, url, query, ended) {
    this.browser = browser;
    this.url = url;
    this.originalUrl = url;
    this.query = query;
    const cookie = ['session=s%3A0123456789abcdef.0123456789abcdef', browser.cookieHeader];
    this.headers = { host: 'app.example', cookie: cookie.filter(Boolean).join('; ') };
    this.session = JSON.parse(browser.session);
    this.res = new Response(this, ended);
  }
}

class Response {
  statusCode = 200;
  headersSent = false;
  /** @type {Map<string, unknown>} */
  sent = new Map();

  /** @param {Request} request @param {(response: Response, text?: string) => void} ended */
  constructor(request, ended) {
    this.request = request;
    this.ended = ended;
  }

  /** @param {string} name @param {unknown} value */
  setHeader(name, value) {
    this.sent.set(name.toLowerCase(), value);
  }

  /** @param {string} name */
  getHeader(name) {
    return this.sent.get(name.toLowerCase());
  }

  /** @param {string} name @param {unknown} value */
  appendHeader(name, value) {
    this.setHeader(name, [this.getHeader(name) ?? [], value].flat());
  }

  /** @param {string} [text] */
  end(text) {
    this.headersSent = true;
    const { browser, session } = this.request;
    browser.session = JSON.stringify(session);
    browser.setCookies(this.getHeader('set-cookie'));
    this.ended(this, text);
  }
}

/**
 * @param {(request: any, response: any, next: (error?: unknown) => void) => unknown} authenticate
 * @param {Browser} browser
 * @param {string} url
 * @param {Record<string, string>} query
 * @returns {Promise<{ location?: string, user?: unknown }>}
 */
function handle(authenticate, browser, url, query) {
  return new Promise((resolve, reject) => {
    const request = new Request(browser, url, query, (response, text = '') => {
      const location = response.getHeader('location');
      if (typeof location === 'string') resolve({ location });
      else if (response.statusCode === 200) resolve({ user: request.user });
      else reject(new Error(`HTTP ${response.statusCode} ${text}`.trim()));
    });
    authenticate(request, request.res, (error) => {
      if (error) reject(error);
      else request.res.end();
    });
  });
}

/** The verify function of every strategy: the user is the profile's ID. */
const verify = (
  /** @type {string} */ _token,
  /** @type {string} */ _refreshToken,
  /** @type {{ id: string | number }} */ profile,
  /** @type {(error: unknown, user: string) => void} */ done,
) => done(null, String(profile.id));
