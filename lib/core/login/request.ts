import { LoginFailure } from '../errors/index.js';
import { parseURL } from '../hosts.js';

/** The parts of a request that strategies read, whatever the framework. */
export interface LoginRequest {
  /** Read for Passport's user alone. */
  readonly session?: unknown;
  /** The user who is signed in. */
  readonly user?: unknown;
  /** The response, where the framework offers it. */
  readonly res?: unknown;
  /** `GET` if it is absent. */
  readonly method?: string | undefined;
  /** The path with the query. */
  readonly url?: string | undefined;
  /** The parsed query, if the framework parses it. */
  readonly query?: unknown;
  /** Keyed by lower-case name. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

/**
 * Makes sure that a start is a browser's navigation, by GET or by a form of this site. Images, frames and forms of foreign pages, scripts and
 * pages loaded in advance would set cookies, and cost requests to the network, without the user. Programs send no `Sec-Fetch-Dest`, and pass.
 *
 * @returns Whether another site sent the browser here.
 * @throws {@link LoginFailure} `not_a_navigation`, 403.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function requireNavigation(req: LoginRequest): boolean {
  const { method = 'GET', headers = {} } = req;
  const destination = headers['sec-fetch-dest'];
  const isCrossSite = isFromElsewhere(headers);
  const isNavigation =
    (destination === undefined || destination === 'document') &&
    (destination === undefined || (headers['sec-fetch-mode'] ?? 'navigate') === 'navigate') &&
    (method === 'GET' || (method === 'POST' && !isCrossSite));
  if (isNavigation && !isPrefetch(req)) return isCrossSite;
  throw new LoginFailure(
    'not_a_navigation',
    'A login starts when a browser opens its page: by a link, a redirect, window.location or a form of this site, but not by fetch, a service worker, a frame, an image or a page loaded in advance. Open the page that starts the login.',
  );
}

/** Makes sure that a page of the application sent a `fetch`: by `Sec-Fetch-Site`, or by `Origin`, which comes with POST alone. */
export function requireOwnFetch(req: LoginRequest): void {
  const { method = 'GET', headers = {} } = req;
  const { 'sec-fetch-dest': destination = 'empty', 'sec-fetch-mode': mode = 'cors' } = headers;
  const site = headers['sec-fetch-site'] ?? (headers.origin === undefined ? 'unknown' : 'same-origin');
  const isOwn = ['same-origin', 'same-site'].includes(String(site)) && !isFromElsewhere(headers);
  const isFetch = destination === 'empty' && (mode === 'cors' || mode === 'same-origin');
  const isAllowed = ['GET', 'POST'].includes(method) && !isPrefetch(req) && !isLoginResponse(req);
  if (isOwn && isFetch && isAllowed) return;
  throw new LoginFailure(
    'not_a_navigation',
    "This route starts a login for a script of the application's own pages. Call it with fetch(url, { method: 'POST' }) from a page of this site; to open it in a browser is not enough.",
  );
}

/**
 * Whether another site sent the browser here. `Sec-Fetch-Site` says so over https and to this machine. Over plain http, and in Safari before
 * 16.4, only the origin of a form and the referrer do, and the other site can leave out the referrer.
 */
function isFromElsewhere(headers: NonNullable<LoginRequest['headers']>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !['same-origin', 'same-site', 'none'].includes(String(site));
  const from = headers.origin ?? headers.referer;
  if (typeof from !== 'string') return false;
  const hosts = [headers.host, headers[':authority'], headers['x-forwarded-host']];
  const url = parseURL(from);
  return !url || !hosts.includes(url.host);
}

/** Older browsers say so in other headers than `Sec-Purpose`. */
function isPrefetch({ headers = {} }: LoginRequest): boolean {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']];
  return /prefetch|prerender|preview/i.test(purposes.join());
}

/** Each parameter came once, as a string of bounded length. */
export type AuthorizationResponse = Readonly<Record<string, string>>;

/** Longest value of one parameter in characters. The longest documented one has about 600. */
export const LONGEST_PARAMETER = 8_192;

/** Parameters of any network's response. A response that is meant for another strategy must not start a login here. */
const RESPONSE_PARAMETERS: ReadonlySet<string> = new Set(
  'code state error error_description error_uri iss oauth_token oauth_verifier denied payload device_id ext_id error_reason scopes errCode error_type'.split(
    ' ',
  ),
);

/**
 * Whether a request carries the response of a network, of any strategy. A guard that sends users away who are signed in must let it through.
 *
 * @example
 * if (req.isAuthenticated() && !isLoginResponse(req)) return res.redirect('/');
 */
export function isLoginResponse(req: LoginRequest): boolean {
  return Array.from(parametersOf(req)).some(([name]) => isResponseParameter(name));
}

export const isResponseParameter = (name: string) => RESPONSE_PARAMETERS.has(nameIn(name));

/**
 * Reads an authorization response from the query of a request, never from its body: all networks answer in the query, and a code from one
 * place with a state from the other is an attack (RFC 6749 section 4.1.2).
 *
 * @param required - Parameters that must not be empty.
 * @returns `undefined` if it has no parameter of any network: the request starts a login.
 * @throws {@link LoginFailure} `malformed_response` (400) for a parameter that comes twice, is no string, is empty or too long;
 *   `method_not_allowed` (405) if the request is no navigation.
 */
export function readAuthorizationResponse(
  req: LoginRequest,
  names: ReadonlySet<string>,
  required: readonly string[],
): AuthorizationResponse | undefined {
  const found: Record<string, string> = {};
  let isResponse = false;
  for (const [key, value] of parametersOf(req)) {
    const name = key.includes('[') ? nameIn(key) : key;
    isResponse ||= names.has(name) || RESPONSE_PARAMETERS.has(name);
    if (!names.has(name)) continue;
    const isOne = key === name && typeof value === 'string' && found[name] === undefined;
    if (!isOne || value.length > LONGEST_PARAMETER || (value === '' && required.includes(name))) {
      throw new LoginFailure(
        'malformed_response',
        `The callback's parameter ${name} was sent twice, is empty, is too long or is not a string. Start the login again.`,
      );
    }
    found[name] = value;
  }
  if (!isResponse) return undefined;
  // A HEAD, which frameworks route to GET handlers, and a page loaded in advance would spend the code, and log in whoever sent them.
  if ((req.method ?? 'GET') === 'GET' && !isPrefetch(req)) return found;
  throw new LoginFailure(
    'method_not_allowed',
    'Only a GET request, by a browser that opens the page, finishes a login. Nothing was used up: open the URL of the callback again.',
  );
}

/** Parameters that query parsers read; they drop the others. */
const MOST_PARSED = 1_000;

/** Query parsers disagree about `state[]=x`: an array named `state`, or a parameter named `state[]`. */
function nameIn(key: string): string {
  return key.split('[', 1)[0] ?? key;
}

function parametersOf({ query, url = '' }: LoginRequest): Iterable<[name: string, value: unknown]> {
  const parsed = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  const begin = url.indexOf('?');
  const text = begin < 0 ? '' : url.slice(begin + 1);
  // Counted in the URL, because some may have the same name.
  const isWhole = text.split('&', MOST_PARSED).length < MOST_PARSED;
  return parsed.length > 0 && isWhole ? parsed : new URLSearchParams(text);
}
