import { BOOLEAN, checkOptions, FUNCTION, isObject, type Shape, STRING } from '../core/checks.js';
import { REFUSED_HEADER } from '../core/http.js';
import { networkAt } from '../networks.js';
import {
  Browser,
  type BrowserCookie,
  type Fetch,
  type Navigation,
  type Visited,
  wordsIn,
} from './browser.js';

/** Whom to log in, and how. */
export interface LoginOptions {
  /** Who logs in: the ID of one of the sandbox's people. Default: the first one. */
  readonly person?: string | undefined;
  /** Whether the person says no at the consent page. Default: `false`. */
  readonly deny?: boolean | undefined;
  /**
   * Sends the requests, instead of what a browser sends: of `Sec-Fetch-*` it gets `Sec-Fetch-Site` alone, because the global `fetch` calls
   * none of its requests a navigation.
   */
  readonly fetch?: typeof fetch | undefined;
}

/** Whose login to link, and with which form. */
export interface LinkOptions extends Omit<LoginOptions, 'fetch'> {
  /** The fields of the form, such as a token against forged forms. Default: none. */
  readonly form?: Readonly<Record<string, string>> | undefined;
}

const DECISION: Shape = { 'person?': STRING, 'deny?': BOOLEAN };
const OPTIONS: Shape = { ...DECISION, 'fetch?': FUNCTION };
const LINK_OPTIONS: Shape = { ...DECISION, 'form?': [isObject, 'must be an object of names and values'] };

/** A login that went through the sandbox, as the application left it. */
export interface Login {
  /** The cookies of the application, in the form of Playwright's `context.addCookies()`. */
  readonly cookies: readonly BrowserCookie[];
  /** The same as a `Cookie` header, for supertest's `.set('Cookie', cookie)`. */
  readonly cookie: string;
  /** The last response: the page to which the callback leads. Its body is unread. */
  readonly response: Response;
  /** URL of that page. */
  readonly url: string;
  /**
   * Sends a request as the user, with the cookies, and keeps those that the application sets. A relative URL is one of the application.
   * Follows redirects, unless `init.redirect` is `manual`.
   */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * Links another login to the user's account, as a form of the application does: sends a POST to the URL, which must lead to a network, and
   * consents there. A relative URL is one of the application.
   *
   * @throws As {@link login}.
   */
  readonly link: (url: string | URL, options?: LinkOptions) => Promise<Login>;
}

/**
 * Logs one of the sandbox's people in at an application whose strategies use the sandbox, as a browser would.
 *
 * @param url - Where the application starts the login, such as `http://127.0.0.1:3000/api/auth/signin/short-video`.
 * @example
 * const alice = await login(`${app}/api/auth/signin/short-video`, { person: 'alice' });
 * const page = await alice.fetch('/profile');
 * @throws Error if the URL does not lead to a sandbox, or the sandbox refuses the request of the application.
 * @throws TypeError for an unknown or wrong option.
 */
export async function login(url: string | URL, options: LoginOptions = {}): Promise<Login> {
  checkOptions('login', options, OPTIONS);
  const { fetch: own, ...decision } = options;
  return through(new Browser(own && { fetch: own as Fetch }), String(url), {}, decision);
}

/** A login from the request that starts it to the page at which it ends. */
async function through(
  browser: Browser,
  url: string,
  start: Navigation,
  { person, deny = false }: LoginOptions,
): Promise<Login> {
  const authorization = await begin(browser, url, start);
  const callback = await decide(authorization, deny ? 'deny' : { person });
  const { url: last, response } = await browser.open(callback, { from: 'cross-site' });
  return {
    cookies: browser.cookies(),
    cookie: browser.cookieHeader(last),
    response,
    url: last,
    fetch: async (target, init = {}) => {
      const absolute = new URL(target, last).href;
      // It knows every form of a body, and the Content-Type of each.
      const request = new Request(absolute, init);
      const { method, redirect } = request;
      const navigation: Navigation = {
        method,
        headers: Object.fromEntries(request.headers),
        ...(request.body && { body: await request.arrayBuffer() }),
        ...(init.signal && { signal: init.signal }),
        from: new URL(absolute).origin === new URL(last).origin ? 'same-origin' : 'cross-site',
      };
      const visited = await (redirect === 'manual'
        ? browser.visit(absolute, navigation)
        : browser.open(absolute, navigation));
      return visited.response;
    },
    link: async (target, given = {}) => {
      checkOptions('link', given, LINK_OPTIONS);
      const { form = {}, ...decision } = given;
      const body = new URLSearchParams(form).toString();
      const { href } = new URL(target, last);
      return through(browser, href, { method: 'POST', body, from: 'same-origin' }, decision);
    },
  };
}

/** Starts a login at the application. @returns The authorization URL at the sandbox. @throws Error */
async function begin(browser: Browser, url: string, start: Navigation): Promise<string> {
  const fail = (cause: Error): never => {
    throw new Error(`${url}: ${reasonOf(cause)}`, { cause });
  };
  const { response, location, url: last } = await browser.open(url, start, isAuthorization).catch(fail);
  if (location !== undefined) return location;
  const words = wordsIn(await response.text());
  throw new Error(
    `${last} answered with HTTP ${response.status}, not with a redirect to the network: "${words}"`,
  );
}

export const isTimeout = ({ name }: Error): boolean => /^(Abort|Timeout)Error$/.test(name);

/** Codes of Node for what is wrong with a certificate. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

/** Why no response came from the application. */
export function reasonOf(error: Error): string {
  if (isTimeout(error)) return 'The application did not answer in time.';
  // The message of fetch has no reason.
  const { code, message } = ((error.message === 'fetch failed' && error.cause) ||
    error) as NodeJS.ErrnoException;
  if (CERTIFICATE.test(code ?? '')) return `The certificate is not trusted: ${message} (${code}).`;
  if (code !== 'ECONNREFUSED') return message;
  return 'Nothing answers there: the application does not run, or listens on another port.';
}

/** Decides at the sandbox. @param ca - As {@link Browser} takes it. @returns The redirect URI with the authorization response. @throws Error with the sandbox's reason. */
export async function decide(
  authorization: string,
  decision: 'deny' | { readonly person?: string | undefined },
  ca?: string,
): Promise<string> {
  const url = new URL(authorization);
  // Never asks a real network.
  if (networkAt(url.pathname) === undefined) throw new Error(noSandbox(url));
  url.searchParams.set('auto', decision === 'deny' ? 'deny' : 'allow');
  if (decision !== 'deny' && decision.person !== undefined) url.searchParams.set('person', decision.person);
  let visited: Visited;
  try {
    visited = await new Browser({ ca }).visit(url.href);
  } catch (cause) {
    const reason = reasonOf(cause as Error);
    const isCertificate = reason.startsWith('The certificate');
    const found = isCertificate ? `is not trusted. ${reason}` : 'does not answer';
    throw new Error(`${url.origin}, where the application sends its users, ${found}`, { cause });
  }
  const { response, location } = visited;
  if (location !== undefined && !isAuthorization(location)) return location;
  const reason = response.headers.get(REFUSED_HEADER);
  if (reason !== null) throw new Error(`The sandbox refuses the login: ${reason}`);
  throw new Error(noSandbox(url));
}

const noSandbox = ({ origin }: URL): string =>
  `${origin}, where the application sends its users, is not a sandbox: spread sandbox.options(...) into the strategy's options`;

/** Whether a URL is an authorization request, of OAuth 2.0 or 1.0a. */
export function isAuthorization(url: string): boolean {
  const { searchParams } = new URL(url);
  const isResponse = ['code', 'error', 'oauth_verifier', 'payload', 'denied'].some((name) =>
    searchParams.has(name),
  );
  return !isResponse && ['client_id', 'client_key', 'oauth_token'].some((name) => searchParams.has(name));
}
