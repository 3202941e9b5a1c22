import { strictPercent } from './redaction.js';

/** A request, as far as its own address matters. */
export interface AddressedRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly protocol?: string | undefined;
  readonly hostname?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
  readonly socket?: unknown;
  /** Express's application. */
  readonly app?: { get?(setting: string): unknown } | undefined;
}

/** Whether a URL's host is this machine: `localhost`, `*.localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    /^127(\.\d{1,3}){3}$/.test(hostname) ||
    hostname === '[::1]'
  );
}

/** What an application adds, as texts; what is neither text, number nor truth value is left out. */
export function parameterTexts(parameters: object): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === 'string') texts[name] = value;
    else if (typeof value === 'number' || typeof value === 'boolean') texts[name] = String(value);
  }
  return texts;
}

/** Sets parameters in an address; the address's other parameters stay. A space becomes `%20`, which every network reads. */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const bare = upTo('#', address);
  const path = upTo('?', bare);
  const added = formText(parameters);
  const own = bare === path ? '' : ownQuery(bare.slice(path.length + 1), parameters);
  const query = own === '' || added === '' ? own + added : `${own}&${added}`;
  return query === '' ? path : `${path}?${query}`;
}

function ownQuery(query: string, parameters: Readonly<Record<string, string>>): string {
  const pairs = [...new URLSearchParams(query)].filter(([name]) => !Object.hasOwn(parameters, name));
  return pairs.map(([name, value]) => `${strictPercent(name)}=${strictPercent(value)}`).join('&');
}

/** Members as a query or as a form (application/x-www-form-urlencoded). */
export function formText(members: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name of Object.keys(members)) {
    const separator = text === '' ? '' : '&';
    text += `${separator}${strictPercent(name)}=${strictPercent(String(members[name]))}`;
  }
  return text;
}

function upTo(end: string, text: string): string {
  const index = text.indexOf(end);
  return index < 0 ? text : text.slice(0, index);
}

/** Like {@link withQuery}, but what the address says already wins. */
export function withDefaultQuery(address: string, defaults: Readonly<Record<string, string>>): string {
  const own = new URL(address).searchParams;
  return withQuery(address, Object.fromEntries(Object.entries(defaults).filter(([name]) => !own.has(name))));
}

/**
 * Makes a callback address absolute.
 *
 * A relative one is resolved against the request, by the framework's own idea of protocol and host (`trust proxy` in
 * Express, `trustProxy` in Fastify, `app.proxy` in Koa). With the option `proxy` the forwarded headers are believed.
 *
 * @throws TypeError when the request's host cannot be told.
 */
export function absoluteCallbackURL(req: AddressedRequest, callbackURL: string, proxy: boolean): string {
  if (callbackURL === lastAbsolute) return callbackURL;
  if (URL.canParse(callbackURL)) {
    lastAbsolute = callbackURL;
    return callbackURL;
  }
  const origin = `${requestProtocol(req, proxy)}://${requestHost(req, proxy)}`;
  const path = req.originalUrl ?? req.url ?? '/';
  // The path may begin with two slashes, which would name another host.
  const base = `${origin}/${path.replace(/^[/\\]+/, '')}`;
  if (!URL.canParse(callbackURL, base)) throw ambiguousHost();
  return new URL(callbackURL, base).href;
}

/** Nearly every login has the one address of the options. */
let lastAbsolute: string | undefined;

function requestProtocol(req: AddressedRequest, proxy: boolean): 'http' | 'https' {
  const forwarded = proxy ? single(req.headers?.['x-forwarded-proto'])?.split(',', 1)[0]?.trim() : undefined;
  const encrypted = (req.socket as { encrypted?: boolean } | undefined)?.encrypted === true;
  const protocol = forwarded ?? req.protocol ?? (encrypted ? 'https' : 'http');
  return protocol.toLowerCase() === 'https' ? 'https' : 'http';
}

function requestHost(req: AddressedRequest, proxy: boolean): string {
  const direct = single(req.headers?.host) ?? single(req.headers?.[':authority']);
  const forwarded = single(req.headers?.['x-forwarded-host']);
  const host = proxy || trustsProxy(req, direct) ? (forwarded ?? direct) : direct;
  // Several forwarded hosts: whoever sent the request may have written the first one.
  if (host === undefined || !/^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i.test(host))
    throw ambiguousHost();
  return host;
}

/** Express says so; of other frameworks the host that they derive from the forwarded header gives it away. */
function trustsProxy(
  { app, hostname, headers, socket }: AddressedRequest,
  direct: string | undefined,
): boolean {
  const trust: unknown = app?.get?.('trust proxy fn');
  if (typeof trust === 'function') {
    return Boolean(trust((socket as { remoteAddress?: string } | undefined)?.remoteAddress, 0));
  }
  // koa-passport shows Koa's `app.proxy` under Express's name, and a host name that does not follow it.
  if (app?.get?.('trust proxy') === true) return true;
  if (hostname === undefined || direct === undefined || !headers?.['x-forwarded-host']) return false;
  return withoutPort(hostname) !== withoutPort(direct);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function ambiguousHost(): TypeError {
  return new TypeError(
    "The callback address is relative and the request's host is missing or ambiguous. Pass an absolute callbackURL.",
  );
}
