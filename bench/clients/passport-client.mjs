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
      /** @type {Record<string, unknown>} */
      const session = {};
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

/**
 * @param {(request: any, response: any, next: (error?: unknown) => void) => unknown} authenticate
 * @param {string} url
 * @param {Record<string, string>} query
 * @param {object} session
 * @returns {Promise<{ location?: string, user?: unknown }>}
 */
export function handle(authenticate, url, query, session) {
  return new Promise((resolve, reject) => {
    /** @type {Record<string, unknown>} */
    const sent = {};
    const response = {
      statusCode: 200,
      headersSent: false,
      setHeader: (/** @type {string} */ name, /** @type {unknown} */ value) => {
        sent[name.toLowerCase()] = value;
      },
      getHeader: (/** @type {string} */ name) => sent[name.toLowerCase()],
      appendHeader: (/** @type {string} */ name, /** @type {unknown} */ value) => {
        sent[name.toLowerCase()] = [sent[name.toLowerCase()] ?? [], value].flat();
      },
      end(/** @type {string | undefined} */ text) {
        if (typeof sent.location === 'string') resolve({ location: sent.location });
        else reject(new Error(`HTTP ${this.statusCode} ${text ?? ''}`.trim()));
      },
    };
    const request = {
      method: 'GET',
      url,
      originalUrl: url,
      protocol: 'https',
      headers: HEADERS,
      query,
      session,
      res: response,
    };
    authenticate(request, response, (error) => {
      if (error) reject(error);
      else resolve({ user: /** @type {{ user?: unknown }} */ (request).user });
    });
  });
}

const parameter = (/** @type {string} */ location, /** @type {string} */ name) =>
  decodeURIComponent(new RegExp(`[?&]${name}=([^&]*)`).exec(location)?.[1] ?? '');

const CODE = 'aUthOrIzAtIoN-cOdE_0123456789*1!6138.e1';

/** A person who agrees, in OAuth 2.0. @type {Person} */
export const agreeing = (location) => ({ code: CODE, state: parameter(location, 'state') });

/** In VK ID, which tells the device as well. @type {Person} */
export const agreeingWithDevice = (location) => ({
  ...agreeing(location),
  device_id: 'DeViCe-0123456789abcdef',
});

/** In OAuth 1.0a. @type {Person} */
export const agreeingToToken = (location) => ({
  oauth_token: parameter(location, 'oauth_token'),
  oauth_verifier: 'vErIfIeR-0123456789',
});

/** Verify of every strategy: the account is the identifier. */
export const verify = (
  /** @type {string} */ _token,
  /** @type {string} */ _refreshToken,
  /** @type {{ id: string | number }} */ profile,
  /** @type {(error: unknown, user: string) => void} */ done,
) => done(null, String(profile.id));
