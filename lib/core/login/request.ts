import { LoginFailure } from '../errors/index.js';

/** What strategies read of a request: whatever the framework hands to Passport. */
export interface LoginRequest {
  /** Read only to know who is signed in. */
  readonly session?: unknown;
  /** The user who is signed in, if any. */
  readonly user?: unknown;
  /** The response, where the framework offers it. */
  readonly res?: unknown;
  /** `GET` if it is absent. */
  readonly method?: string | undefined;
  /** With the query. */
  readonly url?: string | undefined;
  /** The parsed query, if the framework parses it. */
  readonly query?: unknown;
  /** Keyed by lower-case name. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

/** Headers by which browsers say that they load a page in advance; all but the first are those of older ones. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/**
 * Only a browser that opens the page starts a login, by GET or by a form of this site. Anything else would set cookies, and cost requests to
 * the network, without the user: images, frames and forms of foreign pages, scripts, pages loaded in advance. Programs, which send no
 * `Sec-Fetch-Dest`, may start one.
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

/**
 * Whether another site sent the browser here. Browsers say so over https and to this machine. Over plain http, and in Safari before 16.4, only
 * the origin of a form and the referrer tell, and the other site can leave out the referrer.
 */
function isFromElsewhere(headers: NonNullable<LoginRequest['headers']>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !['same-origin', 'same-site', 'none'].includes(String(site));
  const from = headers.origin ?? headers.referer;
  if (typeof from !== 'string') return false;
  const hosts = [headers.host, headers[':authority'], headers['x-forwarded-host']];
  return !URL.canParse(from) || !hosts.includes(new URL(from).host);
}

export function isPrefetch({ headers = {} }: LoginRequest): boolean {
  for (const name of PURPOSES) {
    if (/prefetch|prerender|preview/i.test(String(headers[name] ?? ''))) return true;
  }
  return false;
}
