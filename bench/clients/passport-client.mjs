// One login through Passport: the start and the callback, each with a request as Express passes it on. There is no web server
// between, so that only the strategy is measured.
import passport from 'passport';

/**
 * @typedef {object} Client
 * @property {string[]} subject - The network, with its version.
 * @property {string} client - Package name, or what it is.
 * @property {() => Promise<void>} login - One login; rejects if no user is logged in at its end.
 */
/** @typedef {Client & { start: (browser: Browser) => Promise<string> }} PassportClient - `start` returns the redirect's URL. */
/** @typedef {(location: string) => Record<string, string>} User - Returns the query of the authorization response. */

export const CALLBACK_URL = 'https://app.example/callback';

/**
 * @param {string} client
 * @param {string} network
 * @param {import('passport').Strategy} strategy
 * @param {User} user
 * @returns {PassportClient}
 */
export function passportClient(client, network, strategy, user) {
  const authenticator = new passport.Passport();
  authenticator.use('login', strategy);
  const authenticate = authenticator.authenticate('login', { session: false });
  const start = async (/** @type {Browser} */ browser) => {
    const { location } = await handle(authenticate, browser, '/login', {});
    if (location === undefined) throw new Error('the login began without a redirect');
    return location;
  };
  return {
    subject: [network],
    client,
    start,
    async login() {
      const browser = new Browser();
      const query = user(await start(browser));
      const url = `/callback?${new URLSearchParams(query).toString()}`;
      const ended = await handle(authenticate, browser, url, query);
      if (typeof ended.user !== 'string' || ended.user === '') throw new Error('no user is logged in');
    },
  };
}

// These are classes, as in the web frameworks. V8 would allocate object literals in old memory once many of them have survived, and
// everything they refer to would survive with them: the benchmark would measure that instead of the strategy.
class Session {
  #browser;

  /** @param {Browser} browser */
  constructor(browser) {
    this.#browser = browser;
    Object.assign(this, JSON.parse(browser.session));
  }

  /** As sessions that are kept on the server have. @param {() => void} done */
  save(done) {
    this.#browser.session = JSON.stringify(this);
    done();
  }
}

class Request {
  method = 'GET';
  protocol = 'https';
  /** @type {unknown} */
  user = undefined;

  /** @param {Browser} browser @param {string} url @param {Record<string, string>} query @param {Response} res */
  constructor(browser, url, query, res) {
    this.url = url;
    this.originalUrl = url;
    this.query = query;
    this.headers = { host: 'app.example', cookie: browser.cookieHeader };
    this.session = new Session(browser);
    this.res = res;
  }
}

class Response {
  statusCode = 200;
  headersSent = false;
  /** @type {Map<string, unknown>} */
  sent = new Map();

  /** @param {Browser} browser @param {(response: Response, text: string | undefined) => void} [ended] */
  constructor(browser, ended) {
    this.browser = browser;
    this.ended = ended;
  }

  /** @param {string} name @param {unknown} value */
  setHeader(name, value) {
    const key = name.toLowerCase();
    this.sent.set(key, value);
    if (key === 'set-cookie') for (const line of [value].flat()) this.browser.setCookie(String(line));
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
    this.ended?.(this, text);
  }
}

/** What the application knows of one browser: its session and its cookies. */
export class Browser {
  /** As the application's session store keeps it. */
  session = '{}';
  /** @type {Map<string, string> | undefined} */
  cookies = undefined;

  get cookieHeader() {
    if (!this.cookies) return 'session=s%3A0123456789abcdef.0123456789abcdef';
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** @param {string} line - Value of a `Set-Cookie` header. */
  setCookie(line) {
    this.cookies ??= new Map();
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
    // A real browser has memory of its own.
    if (this.cookies.size === 0) this.cookies = undefined;
  }

  /** @param {string} [url] @param {Record<string, string>} [query] @param {(response: Response, text?: string) => void} [ended] */
  request(url = '/', query = {}, ended) {
    return new Request(this, url, query, new Response(this, ended));
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
    const request = browser.request(url, query, ({ statusCode, sent }, text) => {
      const location = sent.get('location');
      if (typeof location === 'string') resolve({ location });
      else reject(new Error(`HTTP ${statusCode} ${text ?? ''}`.trim()));
    });
    authenticate(request, request.res, (error) => {
      if (error) reject(error);
      else resolve({ user: request.user });
    });
  });
}

const parameter = (/** @type {string} */ location, /** @type {RegExp} */ pattern) =>
  decodeURIComponent(pattern.exec(location)?.[1] ?? '');

const STATE = /[?&]state=([^&]*)/;
const REQUEST_TOKEN = /[?&]oauth_token=([^&]*)/;
const CODE = 'aUthOrIzAtIoN-cOdE_0123456789*1!6138.e1';

/** A user who agrees, in OAuth 2.0. @type {User} */
export const agreeing = (location) => ({ code: CODE, state: parameter(location, STATE) });

/** In VK ID, which also sends the device's ID. @type {User} */
export const agreeingWithDevice = (location) => ({
  ...agreeing(location),
  device_id: 'DeViCe-0123456789abcdef',
});

/** In OAuth 1.0a. @type {User} */
export const agreeingToToken = (location) => ({
  oauth_token: parameter(location, REQUEST_TOKEN),
  oauth_verifier: 'vErIfIeR-0123456789',
});

/** The verify function of every strategy: the user is the profile's ID. */
export const verify = (
  /** @type {string} */ _token,
  /** @type {string} */ _refreshToken,
  /** @type {{ id: string | number }} */ profile,
  /** @type {(error: unknown, user: string) => void} */ done,
) => done(null, String(profile.id));
