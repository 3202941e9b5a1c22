// One login through Passport: the start and the callback, each with a request as Express passes it on. There is no web server
// between, so that only the strategy is measured.
import passport from 'passport';
import { agreeing } from '../network/networks.mjs';

/** `subject`: the network, with its version; `client`: package name, or what it is; `login`: rejects if no user is logged in at its end. @typedef {{ subject: string[], client: string, login: () => Promise<void> }} Client */
/** A Passport strategy of one package for one network. @typedef {{ network: string, client: string, adapter: import('./strategies.mjs').Subject, facts: import('../network/networks.mjs').Network, options: object }} Setup */

// These are classes, as in the web frameworks. V8 would allocate object literals in old memory once many of them have survived, and
// everything they refer to would survive with them: the benchmark would measure that instead of the strategy.

/** What a browser and an application without a web server keep. */
class Browser {
  /** @type {Map<string, string>} */
  cookies = new Map();
  session = '{}';

  /** @param {unknown} lines - Values of the `Set-Cookie` headers. */
  setCookies(lines = []) {
    for (const line of [lines].flat().map(String)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

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
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    const cookie = ['session=s%3A0123456789abcdef.0123456789abcdef', ...cookies].join('; ');
    this.headers = { host: 'app.example', cookie };
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

/** @param {Setup} setup @returns {Client} */
export function passportClient({ client, network, adapter, facts, options }) {
  const authenticator = new passport.Passport();
  authenticator.use('login', new (adapter.load())(options, verify));
  const authenticate = authenticator.authenticate('login', { session: false });
  /** @param {Browser} browser @param {string} url @param {Record<string, string>} query @returns {Promise<{ location?: string, user?: unknown }>} */
  const open = (browser, url, query) =>
    new Promise((resolve, reject) => {
      const request = new Request(browser, url, query, (response, text = '') => {
        const location = response.getHeader('location');
        if (typeof location === 'string') resolve({ location });
        else if (response.statusCode === 200) resolve({ user: request.user });
        else reject(new Error(`HTTP ${response.statusCode} ${text}`.trim()));
      });
      authenticate(request, request.res, (/** @type {unknown} */ error) => {
        if (error) reject(error);
        else request.res.end();
      });
    });
  return {
    subject: [network],
    client,
    async login() {
      const browser = new Browser();
      const { location } = await open(browser, '/login', {});
      if (location === undefined) throw new Error('the login began without a redirect');
      const query = agreeing(facts, location);
      const url = `/callback?${new URLSearchParams(query).toString()}`;
      const { user } = await open(browser, url, query);
      if (typeof user !== 'string' || user === '') throw new Error('no user is logged in');
    },
  };
}

/** The verify function of every strategy: the user is the profile's ID. @param {string} _token @param {string} _refreshToken @param {{ id: string | number }} profile @param {(error: unknown, user: string) => void} done */
const verify = (_token, _refreshToken, profile, done) => done(null, String(profile.id));
