// The user: consents at the network, and follows the redirects between an application and the network.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Browser as Tab, wordsIn } from 'passport-social-networks-sandbox';

/** Where the applications are, as the user's browser sees it. */
export const ORIGIN = 'https://app.example';
export const CALLBACK = `${ORIGIN}/callback`;
/** Who logs in: the first person of the sandbox. */
export const PERSON = 'alice';

/** The network or the server shows the user an error instead of asking for consent. */
const refusal = (status, text) => new Error(`HTTP ${status}: ${wordsIn(text)}`);

/** Consents at the sandbox, whose page answers itself. */
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

const isElsewhere = (url) => new URL(url).origin !== ORIGIN;

export class Browser {
  constructor(application, authorize = consent) {
    this.authorize = authorize;
    this.tab = new Tab({ fetch: (url, init) => application(new Request(url, init)) });
  }

  /** Opens a URL and follows redirects, also through the authorization server. */
  async open(url, init) {
    const { location, response } = await this.tab.open(new URL(url, ORIGIN).href, init, isElsewhere);
    if (location === undefined) return response;
    const { href } = await this.authorize(new URL(location));
    return (await this.tab.open(href, { from: 'cross-site' }, isElsewhere)).response;
  }
}

/** Follows the redirects of an authorization server that asks nothing. */
export async function followRedirects({ href }) {
  const { location, response } = await new Tab().open(href, {}, (url) => !isElsewhere(url));
  if (location === undefined) throw refusal(response.status, await response.text());
  return new URL(location);
}

/** Serves on a free port of this machine. */
export async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port, url: `http://127.0.0.1:${port}`, close };
}

/** An HTTP server as an application. */
export async function serve(listener, use) {
  const { url, close } = await listen(createServer(listener));
  const application = async (request) => {
    const { method, headers } = request;
    const body = method === 'GET' ? null : await request.text();
    return fetch(request.url.replace(ORIGIN, url), { method, headers, body, redirect: 'manual' });
  };
  return use(application).finally(close);
}

// Requests that a client's README leaves to the application: who the user is.

async function userAt(url, path, token, init = { headers: { authorization: `Bearer ${token}` } }) {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const id = path.split('.').reduce((value, key) => value?.[key], JSON.parse(text));
  if (id === undefined) throw new Error(`no ${path} in ${text}`);
  return String(id);
}

const TIKTOK_USER = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name';
export const tiktokUser = (token) => userAt(TIKTOK_USER, 'data.user.open_id', token);

export const xUser = (token, host = 'api.x.com') => userAt(`https://${host}/2/users/me`, 'data.id', token);

export const vkUser = (token, url = 'https://api.vk.ru/method/users.get?v=5.199') =>
  userAt(url, 'response.0.id', token);

export const vkIdUser = (access_token, client_id) =>
  userAt('https://id.vk.ru/oauth2/user_info', 'user.user_id', access_token, {
    method: 'POST',
    body: new URLSearchParams({ client_id, access_token }),
  });
