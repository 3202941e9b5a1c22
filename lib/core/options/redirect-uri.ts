import { LoginFailure } from '../errors/index.js';
import { isLoopback } from '../http/index.js';
import type { LoginRequest, PendingLogin } from '../login/index.js';

/** The parts of a request that tell under which URL it arrived. */
interface AddressedRequest extends LoginRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  readonly socket?: unknown;
  /** Express's application. */
  readonly app?: { get?(setting: string): unknown } | undefined;
}

/** What a network demands of redirect URIs. */
export interface RedirectURIRule {
  /** A sentence for the warning. */
  readonly text: string;
  /** Whether the network accepts plain http on this machine like any other address. */
  readonly loopback: boolean;
  /** The authorization endpoint: a sandbox on this machine demands nothing. */
  readonly authorizationURL: string;
}

/** The redirect URI of a strategy: the option `callbackURL`, made absolute and checked against the network's rule. */
export class RedirectURI {
  private readonly strategy: string;
  private readonly rule: RedirectURIRule;
  private readonly trustsForwardedHeaders: boolean;
  private readonly defaultURL: string | undefined;
  private hasWarned = false;
  private hasWarnedOfName = false;

  /**
   * @param strategy - The class's name, for messages.
   * @param trustsForwardedHeaders - The option `proxy`.
   * @param defaultURL - The default of the option `callbackURL`, unless the option is given.
   */
  constructor(strategy: string, rule: RedirectURIRule, trustsForwardedHeaders: boolean, defaultURL?: string) {
    this.strategy = strategy;
    this.rule = rule;
    this.trustsForwardedHeaders = trustsForwardedHeaders;
    this.defaultURL = defaultURL;
  }

  /**
   * Makes a callback URL absolute, and warns once if the network would reject it.
   *
   * A relative one is resolved against the request, with the protocol and host that the framework reports (`trust proxy` in Express,
   * `trustProxy` in Fastify, `app.proxy` in Koa). With the option `proxy` the forwarded headers are trusted.
   *
   * @throws TypeError if the request's host is missing or ambiguous.
   */
  resolve(req: AddressedRequest, callbackURL: string): { callbackURL: string; isRelative: boolean } {
    const absolute = absoluteURL(req, callbackURL, this.trustsForwardedHeaders);
    const isRelative = !URL.canParse(callbackURL);
    this.warn(absolute, isRelative ? req : undefined);
    if (callbackURL === this.defaultURL) this.warnOfOtherName(req, callbackURL);
    return { callbackURL: absolute, isRelative };
  }

  /**
   * A relative callback URL was resolved against the request that began the login. Anyone can send a browser to such a request, also over
   * plain http or under another host name, where cookies that only this host can set do not protect the login.
   *
   * @throws {@link LoginFailure} `unknown_login`, 403, if the request has another protocol or host name.
   */
  requireSameHost(req: AddressedRequest, { callbackURL, isRelative }: PendingLogin): void {
    if (!isRelative) return;
    const origin = originOf(req, this.trustsForwardedHeaders);
    const [here, there] = [URL.canParse(origin) ? new URL(origin) : undefined, new URL(callbackURL)];
    // Cookies do not depend on the port.
    if (here?.protocol === there.protocol && here.hostname === there.hostname) return;
    throw new LoginFailure(
      'unknown_login',
      403,
      'This login began under another host name or protocol. Start the login again, at the address of this page.',
    );
  }

  /**
   * Warns once about an absolute URL that the network rejects, or that a browser reaches without TLS, and about a proxy that is not trusted,
   * also at a sandbox: there the browser comes back to an address that nobody serves, or without its cookies.
   *
   * @param req - The request against which a relative URL was resolved.
   */
  warn(callbackURL: string, req?: LoginRequest): void {
    if (this.hasWarned || !URL.canParse(callbackURL)) return;
    const { text, loopback, authorizationURL } = this.rule;
    const url = new URL(callbackURL);
    const isFine = isLoopback(url) ? loopback : url.protocol === 'https:';
    const demand = isFine || isLoopback(new URL(authorizationURL)) ? '' : ` ${text}`;
    const hint = url.protocol === 'http:' ? proxyHint(req) : '';
    if (demand === '' && hint === '') return;
    this.hasWarned = true;
    const { origin, pathname } = url;
    process.emitWarning(`${this.strategy}: option callbackURL is ${origin}${pathname}.${demand}${hint}`);
  }

  /**
   * Passport can know a strategy under another name than the strategy itself, and does not tell it. The default callback URL then has a name for
   * which the application has no route. Only the sign-in route shows it, so this is a guess, for development.
   */
  private warnOfOtherName(req: AddressedRequest, callbackURL: string): void {
    if (this.hasWarnedOfName || process.env.NODE_ENV === 'production') return;
    const [, name] = SIGN_IN_ROUTE.exec(req.originalUrl ?? req.url ?? '') ?? [];
    if (name === undefined || callbackURL.endsWith(`/${name}`)) return;
    this.hasWarnedOfName = true;
    process.emitWarning(
      `${this.strategy}: a login began at .../signin/${name}, and its callback URL is ${callbackURL}. If Passport knows the strategy as ${name}, set the option name, too; otherwise set callbackURL.`,
    );
  }
}

/** The name in a sign-in route of the form that the documentation uses. */
const SIGN_IN_ROUTE = /\/signin\/([\w.-]{1,64})\/?(?:\?|$)/;

/** Behind a proxy that the framework does not trust, a relative URL begins with http although the browser uses https. */
function proxyHint(req: LoginRequest | undefined): string {
  if (!String(req?.headers?.['x-forwarded-proto'] ?? '').startsWith('https')) return '';
  return ' A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.';
}

function absoluteURL(req: AddressedRequest, callbackURL: string, trustForwarded: boolean): string {
  if (URL.canParse(callbackURL)) return callbackURL;
  const origin = originOf(req, trustForwarded);
  const path = req.originalUrl ?? req.url ?? '/';
  // A path that begins with two slashes would name another host.
  const base = `${origin}/${path.replace(/^[/\\]+/, '')}`;
  if (!URL.canParse(callbackURL, base)) throw ambiguousHost();
  return new URL(callbackURL, base).href;
}

/** May be no origin that `URL` can parse. */
function originOf(req: AddressedRequest, trustForwarded: boolean): string {
  return `${requestProtocol(req, trustForwarded)}://${requestHost(req, trustForwarded)}`;
}

function requestProtocol(req: AddressedRequest, trustForwarded: boolean): 'http' | 'https' {
  const forwarded = trustForwarded
    ? single(req.headers?.['x-forwarded-proto'])?.split(',', 1)[0]?.trim()
    : undefined;
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted === true;
  const protocol = forwarded ?? req.protocol ?? (encrypted ? 'https' : 'http');
  return protocol.toLowerCase() === 'https' ? 'https' : 'http';
}

function requestHost(req: AddressedRequest, trustForwarded: boolean): string {
  const direct = single(req.headers?.host) ?? single(req.headers?.[':authority']);
  const forwarded = single(req.headers?.['x-forwarded-host']);
  const host = trustForwarded || frameworkTrustsProxy(req, direct) ? (forwarded ?? direct) : direct;
  if (host === undefined || hostnameOf(host) === undefined) throw ambiguousHost();
  return host;
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
const HOST = /^(?<hostname>[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function hostnameOf(host: string | undefined): string | undefined {
  return HOST.exec(host ?? '')?.groups?.hostname?.toLowerCase();
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function ambiguousHost(): TypeError {
  return new TypeError(
    "The callback URL is relative and the request's host is missing or ambiguous. Pass an absolute callbackURL.",
  );
}
