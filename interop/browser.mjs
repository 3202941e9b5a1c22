// The user: consents at the network, and follows the redirects between an application and the network.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Browser as Tab, wordsIn } from 'passport-social-networks-sandbox';

/** Where the applications are, as the user's browser sees it. */
export const ORIGIN = 'https://app.example';
export const CALLBACK = `${ORIGIN}/callback`;
/** The redirect URI of a program on the user's machine. */
export const LOOPBACK = 'http://127.0.0.1:3000/callback';
/** Who logs in: the first person of the sandbox. */
export const PERSON = 'alice';
/** More than any login needs. */
const REDIRECTS = 10;

/** The network or the server shows the user an error instead of asking for consent. */
class RefusalPage extends Error {
  /** @param {number} status @param {string} text */
  constructor(status, text) {
    super(`HTTP ${status}: ${wordsIn(text)}`);
  }
}

/** The sandbox's consent page, which answers itself. @param {string | URL} authorizationURL @param {string} [person] @returns {Promise<Response>} */
function answered(authorizationURL, person = PERSON) {
  const url = new URL(authorizationURL);
  url.searchParams.set('auto', 'allow');
  url.searchParams.set('person', person);
  return fetch(url, { redirect: 'manual' });
}

/** Consents at the sandbox. @param {string | URL} authorizationURL @param {string} [person] @returns {Promise<URL>} The redirect URI with the authorization response. @throws {RefusalPage} */
export async function consent(authorizationURL, person) {
  const response = await answered(authorizationURL, person);
  const location = response.headers.get('location');
  if (location === null) throw new RefusalPage(response.status, await response.text());
  return new URL(location);
}

/** The same for an application without a redirect URI. @param {string | URL} authorizationURL @returns {Promise<string>} The PIN that the page shows. @throws {RefusalPage} */
export async function readPin(authorizationURL) {
  const response = await answered(authorizationURL);
  const text = await response.text();
  const [pin] = /\b\d{7}\b/.exec(text) ?? [];
  if (pin === undefined) throw new RefusalPage(response.status, text);
  return pin;
}

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
   * Opens a URL and follows redirects.
   *
   * @param {string | URL} url
   * @param {import('passport-social-networks-sandbox').Navigation} [init]
   * @returns {Promise<Response>} Of the application.
   */
  async open(url, init = {}) {
    let visited = await this.tab.visit(new URL(url, ORIGIN).href, init);
    for (let redirects = 0; redirects < REDIRECTS; redirects++) {
      const { location } = visited;
      if (location === undefined) return visited.response;
      const isElsewhere = new URL(location).origin !== ORIGIN;
      const next = isElsewhere ? await this.authorize(new URL(location)) : location;
      visited = await this.tab.visit(String(next), { from: isElsewhere ? 'cross-site' : 'same-origin' });
    }
    throw new Error(`too many redirects, the last one from ${visited.url}`);
  }
}

/** Follows the redirects of an authorization server that asks nothing. @type {Authorize} */
export async function followRedirects(authorizationURL) {
  const isBack = (/** @type {string} */ url) => new URL(url).origin === ORIGIN;
  const { location, response } = await new Tab().open(authorizationURL.href, {}, isBack);
  if (location === undefined) throw new RefusalPage(response.status, await response.text());
  return new URL(location);
}

/** Listens on a free port of this machine. @param {import('node:net').Server} server @returns {Promise<number>} The port. */
export async function listenOn(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/**
 * Serves an HTTP server on this machine.
 *
 * @param {import('node:http').RequestListener} listener
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function listen(listener) {
  const server = createServer(listener);
  return {
    url: `http://127.0.0.1:${await listenOn(server)}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * An HTTP server as an application.
 *
 * @param {import('node:http').RequestListener} listener
 * @param {(application: Application) => Promise<string>} use
 */
export async function serve(listener, use) {
  const { url, close } = await listen(listener);
  try {
    return await use(async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === 'GET' ? null : await request.text();
      return fetch(`${url}${pathname}${search}`, { method, headers, body, redirect: 'manual' });
    });
  } finally {
    close();
  }
}

// Requests that a client's README leaves to the application: who the user is.

/** @param {string} accessToken */
export async function tiktokUser(accessToken) {
  const url = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name';
  return textAt(await getJSON(url, accessToken), 'data', 'user', 'open_id');
}

/** @param {string} accessToken @param {string} [host] */
export const xUser = async (accessToken, host = 'api.x.com') =>
  textAt(await getJSON(`https://${host}/2/users/me`, accessToken), 'data', 'id');

/** @param {string} accessToken @param {string} [url] */
export const vkUser = async (accessToken, url = 'https://api.vk.ru/method/users.get?v=5.199') =>
  textAt(await getJSON(url, accessToken), 'response', 0, 'id');

/** @param {string} accessToken @param {string} client_id */
export async function vkIdUser(accessToken, client_id) {
  const body = new URLSearchParams({ client_id, access_token: accessToken });
  const response = await fetch('https://id.vk.ru/oauth2/user_info', { method: 'POST', body });
  return textAt(await readJSON(response), 'user', 'user_id');
}

/** @param {string} url @param {string} accessToken @returns {Promise<unknown>} */
const getJSON = async (url, accessToken) =>
  readJSON(await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } }));

/**
 * A value within JSON, as text.
 *
 * @param {unknown} json
 * @param {(string | number)[]} path
 * @returns {string}
 * @throws {Error} when there is none.
 */
export function textAt(json, ...path) {
  let value = json;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Error(`no ${path.join('.')} in ${JSON.stringify(json)}`);
}

/** @param {Response} response @returns {Promise<unknown>} */
async function readJSON(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}
