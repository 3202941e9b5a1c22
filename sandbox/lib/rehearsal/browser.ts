import { type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { isLoopback } from '../core/redirect-uri.js';

/** A cookie in the form that Playwright's `context.addCookies()` takes. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  /** Host name, without a port: browsers share cookies between ports. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since 1970; -1 for a cookie that ends with the browser. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
}

/** Where a navigation comes from, as browsers say it in `Sec-Fetch-Site`. */
export type Initiator = 'none' | 'same-origin' | 'same-site' | 'cross-site';

/** A request of a browser's tab. */
export interface Navigation {
  /** Default: `GET`. */
  readonly method?: string | undefined;
  /** Text is a form. */
  readonly body?: string | ArrayBuffer | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: `none`, as if somebody typed the URL. */
  readonly from?: Initiator | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The body follows the headers then: bodies of several requests arrive at one moment. */
  readonly until?: Promise<unknown> | undefined;
}

/** A response and its URL. */
export interface Visited {
  readonly url: string;
  readonly response: Response;
  /** Absolute URL of a redirect; missing for any other response. */
  readonly location?: string | undefined;
}

/** The part of `fetch` that a browser needs. */
export type Fetch = (url: string, init: RequestInit & Pick<Navigation, 'until'>) => Promise<Response>;

/** How a browser sends its requests. */
export interface BrowserSettings {
  /** Sends the requests. Default: as a browser, each on a connection of its own. */
  readonly fetch?: Fetch | undefined;
  /** Those that it has from the beginning. */
  readonly cookies?: readonly BrowserCookie[] | undefined;
  /** Whether a script of the page sends a request, by `fetch`. The first URL in the JSON that it gets counts as a redirect: the script goes there. */
  readonly isScript?: (pathname: string, navigation: Navigation) => boolean;
  /** A certificate in PEM, trusted besides Node's authorities. */
  readonly ca?: string | undefined;
  /** Milliseconds that the next request may take. */
  readonly timeout?: (() => number) | undefined;
}

const MOST_REDIRECTS = 10;
/** Milliseconds, and bytes. */
const LONGEST_REQUEST = 20_000;
const LARGEST_PAGE = 10_000_000;
/** What stands there if a URL of the configuration is missing, or begins without `http://`. */
const NO_SCHEME = /^(?:localhost|undefined|null):/i;
/** Browsers drop a cookie whose name and value are longer. */
const LARGEST_COOKIE = 4_096;

/**
 * Plays a browser: keeps cookies as browsers do, and sends what browsers send with a navigation (`Accept-Language`, `Sec-Fetch-*`,
 * `Origin`, `Referer`). Treats the sandbox as another site, which it is not on one machine.
 */
export class Browser {
  /** Cookies that a browser would not keep, with the reason. */
  readonly dropped: { readonly name: string; readonly reason: string }[] = [];
  /** The cookies without SameSite, by name. */
  private readonly unstated = new Set<string>();
  private jar: readonly BrowserCookie[];
  private readonly fetch: Fetch;
  private readonly isFetch: boolean;
  private readonly timeout: () => number;
  /** Whether the page that is open hides where its requests come from. */
  private isHidden = false;
  private readonly isScript: NonNullable<BrowserSettings['isScript']>;

  constructor({ fetch, cookies = [], ca, timeout, isScript = () => false }: BrowserSettings = {}) {
    this.isScript = isScript;
    this.jar = cookies;
    this.timeout = timeout ?? (() => LONGEST_REQUEST);
    this.fetch = fetch ?? ((url, init) => navigate(url, init, ca));
    this.isFetch = fetch !== undefined;
  }

  /** Those that did not expire. */
  cookies(): readonly BrowserCookie[] {
    return this.jar.filter(({ expires }) => expires === -1 || expires * 1000 > Date.now());
  }

  /** Those that Safari and Firefox send with the form of another site, and Chrome in their first two minutes. */
  sentByForms(): readonly BrowserCookie[] {
    return this.cookies().filter(({ name, sameSite }) => sameSite === 'None' || this.unstated.has(name));
  }

  /** The `Cookie` header for a URL; empty without cookies. */
  cookieHeader(url: string, from: Initiator = 'none'): string {
    const { protocol, hostname, pathname } = new URL(url);
    const sent = this.cookies().filter(
      ({ domain, path, secure, sameSite }) =>
        matchesDomain(hostname, domain) &&
        (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)) &&
        (!secure || protocol === 'https:' || isLoopback(hostname)) &&
        (from !== 'cross-site' || sameSite !== 'Strict'),
    );
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Sends one request. Does not follow a redirect. */
  async visit(url: string, navigation: Navigation = {}): Promise<Visited> {
    const { body, headers = {}, until } = navigation;
    const isScript = this.isScript(new URL(url).pathname, navigation);
    const { method = 'GET', from = 'none' } = isScript ? OWN_FETCH : navigation;
    const { signal = AbortSignal.timeout(this.timeout()) } = navigation;
    const cookie = this.cookieHeader(url, from);
    const response = await this.fetch(url, {
      method,
      headers: {
        // The global fetch says by itself that its requests are no navigation, and nothing may contradict it.
        ...(!this.isFetch && (isScript ? OWN_FETCH.headers : NAVIGATION)),
        ...originHeaders(new URL(url).origin, from, method, this.isHidden && !isScript),
        ...(cookie !== '' && { cookie }),
        ...(typeof body === 'string' && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body !== undefined && { body }),
      signal,
      ...(until && { until }),
    });
    if (/"(?:cookies|\*)"/.test(response.headers.get('clear-site-data') ?? '')) this.jar = [];
    for (const line of response.headers.getSetCookie()) this.keep(new URL(url), line);
    const [, found] = (isScript && /"(https?:\/\/[^"\\]+)"/.exec(await response.clone().text())) || [];
    if (found !== undefined) return { url, response, location: found };
    const location = response.headers.get('location');
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    if (!isRedirect) this.isHidden = hidesOrigin(response);
    if (isRedirect && (!URL.canParse(location, url) || NO_SCHEME.test(location)))
      throw new Error(
        `${new URL(url).pathname} redirects to ${location.split(/[?#]/)[0]?.slice(0, 100)}, which is no URL`,
      );
    return { url, response, ...(isRedirect && { location: new URL(location, url).href }) };
  }

  /** Follows redirects to a page, to an application's own scheme, or until one leads where `isEnd` says. @throws Error after ten redirects. */
  async open(
    url: string,
    navigation: Navigation = {},
    isEnd: (url: string) => boolean = () => false,
  ): Promise<Visited> {
    let visited = await this.visit(url, navigation);
    let { from = 'none' } = navigation;
    const { method: _method, body: _body, until: _until, ...next } = navigation;
    for (let count = 0; isWeb(visited.location) && !isEnd(visited.location); count += 1) {
      if (count === MOST_REDIRECTS)
        throw new Error(`${url.split('?', 1)[0]} leads to more than ${MOST_REDIRECTS} redirects`);
      const isRepeated = visited.response.status === 307 || visited.response.status === 308;
      const isElsewhere = new URL(visited.location).origin !== new URL(visited.url).origin;
      // Whatever follows a redirect to another site comes from another site.
      if (isElsewhere) from = 'cross-site';
      visited = await this.visit(visited.location, {
        ...(isRepeated ? navigation : next),
        ...(isElsewhere && { headers: withoutCredentials(navigation.headers) }),
        from,
      });
    }
    return visited;
  }

  /** Keeps the cookie of a `Set-Cookie` line, if browsers do. */
  keep(url: URL, line: string): void {
    const [pair = '', ...rest] = line.split(';');
    const [name = '', ...parts] = pair.split('=');
    const value = parts.join('=').trim();
    const attributes = new Map(
      rest.map((attribute) => {
        const [key = '', ...words] = attribute.split('=');
        return [key.trim().toLowerCase(), words.join('=').trim()] as const;
      }),
    );
    const path = attributes.get('path') ?? '';
    const cookie: BrowserCookie = {
      name: name.trim(),
      value,
      domain: attributes.get('domain')?.replace(/^\./, '') || url.hostname,
      // RFC 6265 section 5.1.4: the folder of the URL.
      path: path.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
      expires: expiryOf(attributes),
      httpOnly: attributes.has('httponly'),
      secure: attributes.has('secure'),
      sameSite: sameSiteOf(attributes.get('samesite')),
    };
    this.jar = this.jar.filter(
      (other) => other.name !== cookie.name || other.domain !== cookie.domain || other.path !== cookie.path,
    );
    const reason = refusal(cookie, url, pair.length, attributes.has('domain'));
    if (attributes.has('samesite')) this.unstated.delete(cookie.name);
    else this.unstated.add(cookie.name);
    if (reason === undefined) this.jar = [...this.jar, cookie];
    else this.dropped.push({ name: cookie.name, reason });
  }
}

/** Whether a browser itself goes there. */
export const isWeb = (location: string | undefined): location is string =>
  location !== undefined && /^https?:/.test(location);

/** Why browsers do not keep a cookie; `undefined` if they do. */
function refusal(
  { name, domain, path, secure, sameSite }: BrowserCookie,
  { protocol, hostname }: URL,
  length: number,
  hasDomain: boolean,
): string | undefined {
  const isHostBound = secure && path === '/' && !hasDomain;
  if (length > LARGEST_COOKIE) return `it has more than ${LARGEST_COOKIE} characters`;
  if (!matchesDomain(hostname, domain)) return 'its Domain is another host';
  if (sameSite === 'None' && !secure) return 'SameSite=None needs Secure';
  if (secure && protocol !== 'https:' && !isLoopback(hostname)) return 'it is Secure, and set over http';
  if (name.startsWith('__Host-') && !isHostBound) return '__Host- needs Secure, Path=/ and no Domain';
  return name.startsWith('__Secure-') && !secure ? '__Secure- needs Secure' : undefined;
}

const withoutCredentials = (headers: Navigation['headers'] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(proxy-)?authorization$|^cookie$/i.test(name)),
  );

const matchesDomain = (hostname: string, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`);

function expiryOf(attributes: ReadonlyMap<string, string>): number {
  const age = attributes.get('max-age');
  if (age !== undefined && /^-?\d+$/.test(age)) return Math.floor(Date.now() / 1000) + Number(age);
  const date = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(date) ? -1 : Math.floor(date / 1000);
}

function sameSiteOf(value = ''): BrowserCookie['sameSite'] {
  if (/^strict$/i.test(value)) return 'Strict';
  return /^none$/i.test(value) ? 'None' : 'Lax';
}

const OF_BROWSER = { 'accept-language': 'en-US,en;q=0.9', 'user-agent': 'Mozilla/5.0 (rehearsal)' };

const NAVIGATION: Readonly<Record<string, string>> = {
  ...OF_BROWSER,
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
};

/** What a browser sends with `fetch(url, { method: 'POST' })` of a page of the application. */
const OWN_FETCH: Navigation & { readonly headers: Readonly<Record<string, string>> } = {
  method: 'POST',
  from: 'same-origin',
  headers: { ...OF_BROWSER, accept: '*/*', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
};

/** https://www.w3.org/TR/referrer-policy/#referrer-policies */
const REFERRER_POLICIES =
  'no-referrer no-referrer-when-downgrade same-origin origin strict-origin origin-when-cross-origin strict-origin-when-cross-origin unsafe-url'.split(
    ' ',
  );

/** Whether the forms of a page have `Origin: null`: https://fetch.spec.whatwg.org/#append-a-request-origin-header. */
export function hidesOrigin({ headers }: Pick<Response, 'headers'>): boolean {
  const tokens = (headers.get('referrer-policy') ?? '').toLowerCase().split(',');
  // Browsers take the last one that they know.
  const known = tokens.map((token) => token.trim()).filter((token) => REFERRER_POLICIES.includes(token));
  return known.at(-1) === 'no-referrer';
}

/** Where a request comes from. Browsers send `Origin` with what is neither GET nor HEAD; it is `null` where the page sends no `Referer`. */
function originHeaders(
  origin: string,
  from: Initiator,
  method: string,
  isHidden: boolean,
): Readonly<Record<string, string>> {
  const isOwn = from === 'same-origin' && !isHidden;
  const hasOrigin = from !== 'none' && method !== 'GET' && method !== 'HEAD';
  return {
    'sec-fetch-site': from,
    ...(isOwn && { referer: `${origin}/` }),
    ...(hasOrigin && { origin: isOwn ? origin : 'null' }),
  };
}

/** Reading all certificates takes longer than a request. */
const contexts = new Map<string, SecureContext>();

function trusting(ca: string): SecureContext {
  const context = contexts.get(ca) ?? createSecureContext({ ca: [...rootCertificates, ca] });
  contexts.set(ca, context);
  return context;
}

/** As `fetch`, but with any header: `fetch` has its own `Sec-Fetch-Mode`, and sends no foreign `Host`. Follows no redirect. */
export function navigate(url: string, init: Parameters<Fetch>[1], ca?: string): Promise<Response> {
  const { method = 'GET', headers, body, signal, until } = init;
  const options = {
    // Not that of a foreign `Host`, for which there is no certificate.
    servername: /^\[|^[\d.]+$/.test(new URL(url).hostname) ? '' : new URL(url).hostname,
    method,
    headers: headers as Record<string, string>,
    agent: false,
    ...(ca !== undefined && { secureContext: trusting(ca) }),
    ...(signal && { signal }),
  } as const;
  return new Promise((resolve, reject) => {
    const outgoing = (url.startsWith('https:') ? secureRequest : request)(url, options, (incoming) => {
      contentOf(incoming)
        .then((content) => responseOf(incoming, content))
        .then(resolve, (error: Error) => reject(signal?.aborted ? signal.reason : error));
    });
    outgoing.on('error', reject);
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error(`${url} switches to another protocol`));
    });
    const content = body instanceof ArrayBuffer ? new Uint8Array(body) : (body ?? undefined);
    if (until === undefined) return outgoing.end(content);
    if (typeof content === 'string') outgoing.setHeader('content-length', Buffer.byteLength(content));
    if (content !== undefined) outgoing.flushHeaders();
    return until.then(() => outgoing.end(content));
  });
}

async function contentOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > LARGEST_PAGE) throw new Error(`a page has more than ${LARGEST_PAGE} bytes`);
  }
  return Buffer.concat(chunks);
}

/** The first words of a page, for a message: without markup, styles and scripts, and without what a terminal would act on. */
export function wordsIn(text: string): string {
  const visible = text.slice(0, 200_000).replace(/<(style|script)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ');
  const plain = visible.replace(/<[^<>]*>|&nbsp;|[\p{Cc}\p{Cf}]/gu, ' ');
  return plain.replace(/\s+/g, ' ').trim().slice(0, 160);
}

function responseOf({ statusCode: status = 0, rawHeaders }: IncomingMessage, content: Buffer): Response {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : new Uint8Array(content), { status, headers });
}
