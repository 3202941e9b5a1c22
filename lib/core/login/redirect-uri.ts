import { LoginFailure } from '../errors/index.js';
import type { ProtocolFacts } from '../facts.js';
import { isLoopback, parseURL } from '../hosts.js';
import { missingIn } from '../spelling.js';
import type { PendingLogin } from './pending-logins.js';
import { isResponseParameter, type LoginRequest } from './request.js';

/** The parts of a request that tell under which URL it arrived. */
export interface AddressedRequest extends LoginRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  readonly socket?: unknown;
  /** Express's application. */
  readonly app?: { get?(setting: string): unknown } | undefined;
}

/** Who judges redirect URIs. */
export interface RedirectURIRule {
  readonly facts: Pick<ProtocolFacts, 'brand' | 'judgeRedirectURI'>;
  /** The authorization endpoint: a sandbox on this machine demands nothing. */
  readonly authorizationURL: string;
}

/** The redirect URI of a strategy: the option `callbackURL`, made absolute and checked against the network's rule. */
export class RedirectURI {
  /** The redirect URI, if the options say it whole. */
  readonly configured: string | undefined;
  /** The same, or else the option as it is written: it tells logins of two routes or servers apart. */
  readonly written: string;
  private readonly isSandbox: boolean;
  /** What the console was told already. */
  private readonly warned = new Set<string>();

  /**
   * @param strategy - The class's name, for messages.
   * @param trustsForwardedHeaders - The option `proxy`.
   * @param isDefault - Whether `callbackURL` is the default, made from the strategy's name.
   */
  constructor(
    readonly strategy: string,
    private readonly rule: RedirectURIRule,
    readonly trustsForwardedHeaders: boolean,
    readonly callbackURL: string,
    private readonly baseURL: string | undefined,
    readonly isDefault: boolean,
  ) {
    this.isSandbox = isLoopback(new URL(rule.authorizationURL));
    this.configured = this.withoutRequest(callbackURL);
    this.written = this.configured ?? callbackURL;
    if (this.configured !== undefined) this.warn(this.configured);
  }

  /**
   * The redirect URI of a login that begins with a request.
   *
   * A relative callback URL is resolved against the option `baseURL`, without it against the request, with the protocol and host that the
   * framework reports (`trust proxy` in Express, `trustProxy` in Fastify, `app.proxy` in Koa). With the option `proxy` the forwarded headers
   * are trusted.
   *
   * @param callbackURL - The option of `authenticate`, which takes precedence.
   * @returns Also whether it was resolved against the request.
   * @throws {@link LoginFailure} `malformed_request`, 400, if the request's host is needed, and is missing or ambiguous.
   * @throws TypeError for a callback URL that cannot be used.
   */
  resolve(req: AddressedRequest, callbackURL?: string): { uri: string; isResolved: boolean } {
    // As in passport-oauth2, '' and null mean "left out".
    const given = callbackURL || this.callbackURL;
    if (this.configured !== undefined && given === this.callbackURL) {
      return { uri: this.configured, isResolved: false };
    }
    const problem = callbackProblem(given);
    if (problem !== undefined)
      throw new TypeError(`${this.strategy}: the callbackURL given to authenticate ${problem}.`);
    const absolute = this.withoutRequest(given);
    const isResolved = absolute === undefined;
    const uri = absolute ?? absoluteURL(req, given, this.trustsForwardedHeaders);
    if (isResolved && process.env.NODE_ENV === 'production') {
      this.warnOnce(
        'host',
        "option baseURL is missing. A relative callbackURL follows the Host header, which anyone can send: set baseURL: 'https://your.domain', or an absolute callbackURL.",
      );
    }
    this.warn(uri, isResolved ? req : undefined);
    return { uri, isResolved };
  }

  /**
   * The redirect URI that a pending login was begun with.
   *
   * If nothing here says which one is right, the request must come to it: anyone can send a browser to a request that begins a login, also over
   * plain http or under another host name, where cookies that only this host can set do not protect it; and a staging server may have the same
   * client.
   *
   * @param given - The option `callbackURL` of `authenticate` at the callback, if it is given there, too.
   * @throws {@link LoginFailure} `unknown_login`, 403, if such a request had another protocol, host or port, or the login another callback URL.
   */
  of(
    req: AddressedRequest,
    { redirectURI = this.configured, isResolved }: PendingLogin,
    given?: string,
  ): string {
    const expected = given ? this.withoutRequest(given) : undefined;
    const isKnown = !isResolved && (this.configured ?? expected) !== undefined;
    const isThere =
      isKnown || originOf(req, this.trustsForwardedHeaders) === (redirectURI && new URL(redirectURI).origin);
    if (redirectURI !== undefined && redirectURI === (expected ?? redirectURI) && isThere) return redirectURI;
    throw new LoginFailure(
      'unknown_login',
      'This login began under another host name, port or protocol. Start the login again, at the address of this page. If callbackURL is given to authenticate, give it at both routes.',
    );
  }

  /** @returns `undefined` if it takes a request to make the URL absolute. A host beyond ASCII is sent as punycode. */
  withoutRequest(callbackURL: string): string | undefined {
    // As it is written, because networks compare it character by character.
    const url = parseURL(callbackURL);
    if (url) return isASCII(callbackURL) ? callbackURL : url.href;
    return this.baseURL === undefined ? undefined : new URL(callbackURL, this.baseURL).href;
  }

  /**
   * Warns once about an absolute URL that the network rejects, or that a browser reaches without TLS, and about a proxy that is not trusted,
   * also at a sandbox: there the browser comes back to an address that nobody serves, or without its cookies.
   *
   * @param req - The request against which a relative URL was resolved.
   */
  private warn(uri: string, req?: LoginRequest): void {
    if (this.warned.has('rule')) return;
    const url = new URL(uri);
    const demand = this.isSandbox ? '' : this.demandOn(url, uri);
    const hint = url.protocol === 'http:' ? proxyHint(req) : '';
    if (demand === '' && hint === '') return;
    const { origin, pathname } = url;
    this.warnOnce('rule', `option callbackURL is ${origin}${pathname}.${demand}${hint}`);
  }

  private demandOn(url: URL, written: string): string {
    const { brand, judgeRedirectURI } = this.rule.facts;
    const { isAccepted, says, remedy = '' } = judgeRedirectURI(url, written);
    return isAccepted === false ? ` ${brand} ${says}. ${remedy}`.trimEnd() : '';
  }

  private warnOnce(about: string, warning: string): void {
    if (this.warned.has(about)) return;
    this.warned.add(about);
    process.emitWarning(`${this.strategy}: ${warning}`);
  }
}

/** What is wrong with a callback URL. @returns The end of a sentence; `undefined` if nothing is. */
export function callbackProblem(callbackURL: unknown): string | undefined {
  const base = 'https://relative.invalid';
  const url = typeof callbackURL === 'string' ? parseURL(callbackURL, base) : undefined;
  if (typeof callbackURL !== 'string' || !url) return 'must be a URL or a path';
  const missing = missingIn(callbackURL);
  if (missing !== undefined) return missing;
  if (/\s/.test(callbackURL)) return 'contains white space';
  const isAbsolute = parseURL(callbackURL) !== undefined;
  if (!isAbsolute && /^[^/.?#]+\.[^/]/.test(callbackURL)) {
    return 'must begin with https:// or, for a path of this application, with a slash';
  }
  const { protocol, origin, hash, searchParams } = url;
  // Browsers read //host and /\host as another host.
  if (!isAbsolute && origin !== base) return 'leaves the application: a path begins with one slash';
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://, http:// or a slash';
  for (const name of searchParams.keys()) {
    if (isResponseParameter(name))
      return `has the parameter ${name}, which belongs to the network's response. Give a state of your own to authenticate`;
  }
  // RFC 6749 section 3.1.2.
  return hash === '' ? undefined : 'must not have a fragment';
}

const isASCII = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** Behind a proxy that the framework does not trust, a relative URL begins with http although the browser uses https. */
export function proxyHint(req: LoginRequest | undefined): string {
  if (!String(req?.headers?.['x-forwarded-proto']).startsWith('https')) return '';
  return ' A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.';
}

function absoluteURL(req: AddressedRequest, callbackURL: string, trustForwarded: boolean): string {
  const host = requestHost(req, trustForwarded);
  const path = req.originalUrl ?? req.url ?? '/';
  // A path that begins with two slashes would name another host.
  const base = `${requestProtocol(req, trustForwarded)}://${host}/${path.replace(/^[/\\]+/, '')}`;
  const url = host === undefined ? undefined : parseURL(callbackURL, base);
  if (url) return url.href;
  throw new LoginFailure(
    'malformed_request',
    'The Host header of the request is missing, malformed or ambiguous, and the redirect URI depends on it. Set baseURL, or an absolute callbackURL.',
  );
}

/** The origin of a request; `undefined` if its host is ambiguous. */
export function originOf(req: AddressedRequest, trustForwarded: boolean): string | undefined {
  const url = `${requestProtocol(req, trustForwarded)}://${requestHost(req, trustForwarded) ?? ''}`;
  return parseURL(url)?.origin;
}

function requestProtocol(req: AddressedRequest, trustForwarded: boolean): 'http' | 'https' {
  const forwarded = trustForwarded
    ? single(req.headers?.['x-forwarded-proto'])?.split(',', 1)[0]?.trim()
    : undefined;
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted === true;
  const protocol = forwarded ?? req.protocol ?? (encrypted ? 'https' : 'http');
  return protocol.toLowerCase() === 'https' ? 'https' : 'http';
}

/** @returns `undefined` if it is missing or ambiguous. */
function requestHost(req: AddressedRequest, trustForwarded: boolean): string | undefined {
  const direct = single(req.headers?.host) ?? single(req.headers?.[':authority']);
  const forwarded = single(req.headers?.['x-forwarded-host']);
  const host = trustForwarded || frameworkTrustsProxy(req, direct) ? (forwarded ?? direct) : direct;
  return hostnameOf(host) === undefined ? undefined : host;
}

/** Express has a setting for this. Other frameworks report the forwarded host name as the request's own if they trust the proxy. */
function frameworkTrustsProxy(
  { app, hostname, headers, socket }: AddressedRequest,
  direct: string | undefined,
): boolean {
  const trust: unknown = app?.get?.('trust proxy fn');
  if (typeof trust === 'function') {
    return Boolean(trust((socket as { remoteAddress?: string } | undefined)?.remoteAddress, 0));
  }
  // koa-passport offers Koa's `app.proxy` under Express's name, but its host name does not follow the setting.
  if (app?.get?.('trust proxy') === true) return true;
  const reported = hostname?.toLowerCase();
  const forwarded = single(headers?.['x-forwarded-host']);
  const own = hostnameOf(direct);
  if (reported === undefined || forwarded === undefined || own === undefined || reported === own)
    return false;
  // A list of forwarded hosts is trusted as well, and then rejected as ambiguous.
  return [reported, undefined].includes(hostnameOf(forwarded));
}

/** A host with an optional port. A list of hosts is none: whoever sent the request may have written its first entry. */
const HOST = /^(?<hostname>[\w.-]{1,253}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function hostnameOf(host: string | undefined): string | undefined {
  return HOST.exec(host ?? '')?.groups?.hostname?.toLowerCase();
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
