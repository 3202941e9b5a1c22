// One login through Passport: the start and the callback, each a request as Express hands it on, without a server between,
// so that what is measured is the strategy. The same for every strategy.
import passport from 'passport';

/**
 * @typedef {object} Client
 * @property {string} name - Package, or what it is.
 * @property {string} network - Which network, and which version of it.
 * @property {() => Promise<void>} login - One login; rejects when nobody is logged in at its end.
 */
/** @typedef {(location: string) => Record<string, string>} Person - Answers a redirect with the callback's query. */

export const CALLBACK_URL = 'https://app.example/callback';
const HEADERS = { host: 'app.example', cookie: 'session=s%3A0123456789abcdef.0123456789abcdef' };

/**
 * @param {string} name
 * @param {string} network
 * @param {import('passport').Strategy} strategy
 * @param {Person} person
 * @returns {Client}
 */
export function passportClient(name, network, strategy, person) {
  const authenticator = new passport.Passport();
  authenticator.use('login', strategy);
  const authenticate = authenticator.authenticate('login', { session: false });
  return {
    name,
    network,
    async login() {
      const session = new Session();
      const { location } = await handle(authenticate, '/login', {}, session);
      if (location === undefined) throw new Error('the start ended without a redirect');
      const query = person(location);
      const { user } = await handle(
        authenticate,
        `/callback?${new URLSearchParams(query).toString()}`,
        query,
        session,
      );
      if (typeof user !== 'string' || user === '') throw new Error('nobody is logged in');
    },
  };
}

// Classes, as in the frameworks: objects from literals are made in the engine's old memory once enough of them have survived there, and
// then everything that a login touches survives with them. That would be measured, and be none of the strategy's doing.
class Session {}

class Request {
  method = 'GET';
  protocol = 'https';
  headers = HEADERS;
  /** @type {unknown} */
  user = undefined;

  /** @param {string} url @param {Record<string, string>} query @param {Session} session @param {Response} res */
  constructor(url, query, session, res) {
    this.url = url;
    this.originalUrl = url;
    this.query = query;
    this.session = session;
    this.res = res;
  }
}

class Response {
  statusCode = 200;
  headersSent = false;
  /** @type {Map<string, unknown>} */
  sent = new Map();

  /** @param {(response: Response, text: string | undefined) => void} ended */
  constructor(ended) {
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
    this.ended(this, text);
  }
}

/**
 * @param {(request: any, response: any, next: (error?: unknown) => void) => unknown} authenticate
 * @param {string} url
 * @param {Record<string, string>} query
 * @param {Session} session
 * @returns {Promise<{ location?: string, user?: unknown }>}
 */
function handle(authenticate, url, query, session) {
  return new Promise((resolve, reject) => {
    const response = new Response(({ statusCode, sent }, text) => {
      const location = sent.get('location');
      if (typeof location === 'string') resolve({ location });
      else reject(new Error(`HTTP ${statusCode} ${text ?? ''}`.trim()));
    });
    const request = new Request(url, query, session, response);
    authenticate(request, response, (error) => {
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

/** A person who agrees, in OAuth 2.0. @type {Person} */
export const agreeing = (location) => ({ code: CODE, state: parameter(location, STATE) });

/** In VK ID, which tells the device as well. @type {Person} */
export const agreeingWithDevice = (location) => ({
  ...agreeing(location),
  device_id: 'DeViCe-0123456789abcdef',
});

/** In OAuth 1.0a. @type {Person} */
export const agreeingToToken = (location) => ({
  oauth_token: parameter(location, REQUEST_TOKEN),
  oauth_verifier: 'vErIfIeR-0123456789',
});

/** Verify of every strategy: the account is the identifier. */
export const verify = (
  /** @type {string} */ _token,
  /** @type {string} */ _refreshToken,
  /** @type {{ id: string | number }} */ profile,
  /** @type {(error: unknown, user: string) => void} */ done,
) => done(null, String(profile.id));
