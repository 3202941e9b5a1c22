// The user: consents at the network, and follows the redirects between an application and the network.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Browser as Tab, wordsIn } from 'passport-social-networks-sandbox';

/** Where the applications are, as the user's browser sees it. */
export const ORIGIN = 'https://app.example';
export const CALLBACK = `${ORIGIN}/callback`;
/** Who logs in: the first person of the sandbox. */
export const PERSON = 'alice';

/** The network or the server shows the user an error instead of asking for consent. @param {number} status @param {string} text */
const refusal = (status, text) => new Error(`HTTP ${status}: ${wordsIn(text)}`);

/** Consents at the sandbox, whose page answers itself. @param {string | URL} authorizationURL @param {string} [person] @param {'allow' | 'deny'} [decision] @returns {Promise<URL>} The redirect URI with the authorization response. @throws {Error} if the sandbox refuses. */
export async function consent(authorizationURL, person = PERSON, decision = 'allow') {
  const url = new URL(authorizationURL);
  url.searchParams.set('auto', decision);
  url.searchParams.set('person', person);
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (location !== null) return new URL(location);
  const text = await response.text();
  // An application without a redirect URI gets a PIN, which the user types.
  const [pin] = (response.ok && /\b\d{7}\b/.exec(text)) || [];
  if (pin !== undefined) return new URL(`oob:?oauth_verifier=${pin}`);
  throw refusal(response.status, text);
}

const isElsewhere = (/** @type {string} */ url) => new URL(url).origin !== ORIGIN;

/** @typedef {(request: Request) => Promise<Response>} Application - Answers requests for `ORIGIN`. */
/** @typedef {(authorizationURL: URL) => Promise<URL>} Authorize - Resolves to the redirect URI with the authorization response. */

/** A browser with one application. */
export class Browser {
  /** @param {Application} application @param {Authorize} [authorize] - What the user does at the authorization server. */
  constructor(application, authorize = consent) {
    this.authorize = authorize;
    this.tab = new Tab({ fetch: (url, init) => application(new Request(url, init)) });
  }

  /**
   * Opens a URL and follows redirects, also through the authorization server.
   *
   * @param {string | URL} url
   * @param {import('passport-social-networks-sandbox').Navigation} [init]
   * @returns {Promise<Response>} Of the application.
   */
  async open(url, init) {
    const { location, response } = await this.tab.open(new URL(url, ORIGIN).href, init, isElsewhere);
    if (location === undefined) return response;
    const { href } = await this.authorize(new URL(location));
    return (await this.tab.open(href, { from: 'cross-site' }, isElsewhere)).response;
  }
}

/** Follows the redirects of an authorization server that asks nothing. @type {Authorize} */
export async function followRedirects({ href }) {
  const { location, response } = await new Tab().open(href, {}, (url) => !isElsewhere(url));
  if (location === undefined) throw refusal(response.status, await response.text());
  return new URL(location);
}

/** Serves on a free port of this machine. @param {import('node:http').Server} server */
export async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, url: `http://127.0.0.1:${port}`, close };
}

/** An HTTP server as an application. @template T @param {import('node:http').RequestListener} listener @param {(application: Application) => Promise<T>} use */
export async function serve(listener, use) {
  const { url, close } = await listen(createServer(listener));
  /** @type {Application} */
  const application = async (request) => {
    const { method, headers } = request;
    const body = method === 'GET' ? null : await request.text();
    return fetch(request.url.replace(ORIGIN, url), { method, headers, body, redirect: 'manual' });
  };
  return use(application).finally(close);
}

// Requests that a client's README leaves to the application: who the user is.

/** @param {string} url @param {string} path - Of the user's ID in the response. @param {string} token @param {RequestInit} [init] */
async function userAt(url, path, token, init = { headers: { authorization: `Bearer ${token}` } }) {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const id = path.split('.').reduce((value, key) => value?.[key], JSON.parse(text));
  if (id === undefined) throw new Error(`no ${path} in ${text}`);
  return String(id);
}

const TIKTOK_USER = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name';
/** @param {string} token */
export const tiktokUser = (token) => userAt(TIKTOK_USER, 'data.user.open_id', token);

/** @param {string} token @param {string} [host] */
export const xUser = (token, host = 'api.x.com') => userAt(`https://${host}/2/users/me`, 'data.id', token);

/** @param {string} token @param {string} [url] */
export const vkUser = (token, url = 'https://api.vk.ru/method/users.get?v=5.199') =>
  userAt(url, 'response.0.id', token);

/** @param {string} access_token @param {string} client_id */
export const vkIdUser = (access_token, client_id) =>
  userAt('https://id.vk.ru/oauth2/user_info', 'user.user_id', access_token, {
    method: 'POST',
    body: new URLSearchParams({ client_id, access_token }),
  });
