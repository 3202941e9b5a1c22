import { warnOnce } from '../application-code.js';
import { LoginFailure } from '../errors/index.js';
import type { ProtocolFacts } from '../facts.js';
import { asciiURL, isLoopback, parseURL } from '../hosts.js';
import { BLANK, problemInURL } from '../spelling.js';
import type { PendingLogin } from './pending-logins.js';
import { isResponseParameter, type LoginRequest } from './request.js';

/** The parts of a request that tell under which URL it arrived. */
export interface AddressedRequest extends LoginRequest {
  readonly originalUrl?: string | undefined;
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  readonly socket?: unknown;
  /** Express's application, of which the setting `trust proxy` is read. */
  readonly app?: object | undefined;
}

export interface RedirectURIRule {
  readonly facts: Pick<ProtocolFacts, 'brand' | 'judgeRedirectURI'>;
  /** At a sandbox, on this machine, the rule does not apply. */
  readonly authorizationURL: string;
}

/** The redirect URI of a strategy: its option `callbackURL`, made absolute and checked against the network's rule. */
export class RedirectURI {
  /** The redirect URI; `undefined` if it takes a request to make it absolute. */
  readonly configured: string | undefined;
  /** `configured`, or the relative URL as it is written. Part of a login's ID, so that two routes or servers are two. */
  readonly written: string;
  private readonly isSandbox: boolean;

  /** @param strategy - The class's name, for messages. @param isDefault - Whether `callbackURL` was made from the strategy's name. */
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
   * The redirect URI of a login that begins, and whether it was resolved against the request.
   *
   * @throws {@link LoginFailure} `malformed_request`, 400, if the request's host is needed, and is missing or ambiguous.
   */
  resolve(req: AddressedRequest, callbackURL?: string): { uri: string; isResolved: boolean } {
    // As in passport-oauth2, '' and null mean "left out".
    const given = callbackURL || this.callbackURL;
    const isOwn = given === this.callbackURL;
    if (isOwn && this.configured !== undefined) return { uri: this.configured, isResolved: false };
    const problem = isOwn ? undefined : callbackProblem(given);
    if (problem !== undefined)
      throw new TypeError(`${this.strategy}: the callbackURL given to authenticate ${problem}.`);
    const absolute = isOwn ? undefined : this.withoutRequest(given);
    const isResolved = absolute === undefined;
    const uri = absolute ?? absoluteURL(req, given, this.trustsForwardedHeaders);
    if (isResolved && process.env.NODE_ENV === 'production') {
      warnOnce(
        this,
        `${this.strategy}: option baseURL is missing. A relative callbackURL follows the Host header, which any client can set: set baseURL: 'https://your.domain', or an absolute callbackURL.`,
      );
    }
    this.warn(uri, isResolved ? req : undefined);
    return { uri, isResolved };
  }

  /**
   * The redirect URI with which a pending login began.
   *
   * The callback must arrive at a redirect URI that was resolved against the request, or that only the start gave. Otherwise anyone could send a
   * browser to a start over plain http or under another host name, where cookies are not protected; and a staging server can have the same client.
   *
   * @throws {@link LoginFailure} `unknown_login`, 403, if it arrives elsewhere, or if the login has another callback URL.
   */
  of(req: AddressedRequest, { redirectURI = this.configured, isResolved }: PendingLogin, given?: string) {
    const trusted = this.trustsForwardedHeaders;
    const expected = given ? (this.withoutRequest(given) ?? absoluteURL(req, given, trusted)) : undefined;
    const isKnown = !isResolved && (this.configured ?? expected) !== undefined;
    const isThere = isKnown || originOf(req, trusted) === (redirectURI && new URL(redirectURI).origin);
    if (redirectURI !== undefined && redirectURI === (expected ?? redirectURI) && isThere) return redirectURI;
    throw new LoginFailure(
      'unknown_login',
      'This login began under another host name, port or protocol. Start the login again, at the address of this page. If callbackURL is given to authenticate, give it at both routes.',
    );
  }

  /** Makes a callback URL absolute, with a host beyond ASCII as punycode; `undefined` if that takes a request. */
  withoutRequest(callbackURL: string): string | undefined {
    if (parseURL(callbackURL)) return asciiURL(callbackURL);
    return this.baseURL === undefined ? undefined : new URL(callbackURL, this.baseURL).href;
  }

  /** Warns once of a redirect URI that the network rejects, or that begins with http because a proxy is not trusted. */
  private warn(uri: string, req?: LoginRequest): void {
    const url = new URL(uri);
    const { brand, judgeRedirectURI } = this.rule.facts;
    const verdict = this.isSandbox ? undefined : judgeRedirectURI(url, uri);
    const isRefused = verdict?.isAccepted === false;
    const demand = isRefused ? ` ${brand} ${verdict.says}. ${verdict.remedy ?? ''}`.trimEnd() : '';
    const hint = url.protocol === 'http:' ? proxyHint(req) : '';
    if (demand === '' && hint === '') return;
    const warning = `${this.strategy}: option callbackURL is ${url.origin}${url.pathname}${url.search && ', with a query'}.${demand}${hint}`;
    warnOnce(this, warning, 'callbackURL');
  }
}

/** What is wrong with a callback URL, as the end of a sentence; `undefined` if nothing is. */
export function callbackProblem(callbackURL: unknown): string | undefined {
  const base = 'https://relative.invalid';
  const url = typeof callbackURL === 'string' ? parseURL(callbackURL, base) : undefined;
  if (typeof callbackURL !== 'string' || callbackURL.trim() === '') return 'must be a URL or a path';
  const problem = problemInURL(callbackURL);
  if (problem !== undefined) return problem;
  if (!url) return 'must be a URL or a path';
  if (BLANK.test(callbackURL)) return 'contains white space';
  const isAbsolute = parseURL(callbackURL) !== undefined;
  if (!isAbsolute && /^[^/.?#]+\.[^/]/.test(callbackURL)) {
    return 'must begin with https:// or, for a path of this application, with a slash';
  }
  const { protocol, origin, username, password, hash, searchParams } = url;
  // Browsers read //host and /\host as another host.
  if (!isAbsolute && origin !== base) return 'leaves the application: a path begins with one slash';
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://, http:// or a slash';
  for (const name of searchParams.keys()) {
    if (isResponseParameter(name))
      return `has the parameter ${name}, which belongs to the network's response. Give a state of your own to authenticate`;
  }
  // The network and the browser's history would get a password. A fragment: RFC 6749 section 3.1.2.
  const isBare = [username, password, hash].every((part) => part === '');
  return isBare ? undefined : 'must hold neither a user name, nor a password, nor a fragment';
}

/** Behind a proxy that the framework does not trust, a relative URL begins with http although the browser uses https. */
export function proxyHint(req: LoginRequest | undefined): string {
  if (!String(req?.headers?.['x-forwarded-proto']).startsWith('https')) return '';
  return ' A proxy says that the browser came with https: tell your framework to trust it (trust proxy in Express and NestJS, trustProxy in Fastify, app.proxy in Koa), or give an absolute callbackURL.';
}

function absoluteURL(req: AddressedRequest, callbackURL: string, trustForwarded: boolean): string {
  const origin = originOf(req, trustForwarded);
  // Two slashes at its beginning would make the path a host.
  const path = (req.originalUrl ?? req.url ?? '').replace(/^[/\\]+/, '');
  const url = origin === undefined ? undefined : parseURL(callbackURL, `${origin}/${path}`);
  if (url && url.origin === origin) return url.href;
  throw new LoginFailure(
    'malformed_request',
    'The Host header of the request is missing, malformed or ambiguous, and the redirect URI depends on it. Set baseURL, or an absolute callbackURL.',
  );
}

/** The origin of a request; `undefined` if its host is missing or ambiguous. */
export function originOf(req: AddressedRequest, trustForwarded: boolean): string | undefined {
  const { headers = {}, protocol: reported, socket } = req;
  const encrypted = (socket as { encrypted?: boolean } | undefined)?.encrypted === true;
  const forwarded = trustForwarded ? single(headers['x-forwarded-proto']) : undefined;
  const protocol = forwarded?.split(',', 1)[0]?.trim() ?? reported ?? (encrypted ? 'https' : 'http');
  const direct = single(headers.host) ?? single(headers[':authority']);
  const trusted = trustForwarded || frameworkTrustsProxy(req, direct);
  const host = (trusted ? single(headers['x-forwarded-host']) : undefined) ?? direct;
  if (hostnameOf(host) === undefined) return undefined;
  return parseURL(`${protocol.toLowerCase() === 'https' ? 'https' : 'http'}://${host}`)?.origin;
}

/** Express says so in a setting. Other frameworks report the forwarded host name as the request's own if they trust the proxy. */
function frameworkTrustsProxy({ app, hostname, headers, socket }: AddressedRequest, direct?: string) {
  const settings = app as { get?(setting: string): unknown } | undefined;
  const trust: unknown = settings?.get?.('trust proxy fn');
  if (typeof trust === 'function') {
    return Boolean(trust((socket as { remoteAddress?: string } | undefined)?.remoteAddress, 0));
  }
  // koa-passport offers Koa's `app.proxy` under Express's name, but its host name does not follow the setting.
  if (settings?.get?.('trust proxy') === true) return true;
  const reported = hostname?.toLowerCase();
  const forwarded = single(headers?.['x-forwarded-host']);
  const own = hostnameOf(direct);
  if (reported === undefined || forwarded === undefined || own === undefined || reported === own)
    return false;
  // A list of forwarded hosts is trusted as well, and then rejected as ambiguous.
  return [reported, undefined].includes(hostnameOf(forwarded));
}

/** A host with an optional port, and not a list of them, whose first entry anyone can write. */
const HOST = /^(?<hostname>[\w.-]{1,253}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function hostnameOf(host: string | undefined): string | undefined {
  return HOST.exec(host ?? '')?.groups?.hostname?.toLowerCase();
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
