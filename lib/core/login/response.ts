import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Setter = (this: object, name: string, value: string) => unknown;

/** Node's, or Fastify's, with `header`, `sent` and `send`. */
interface AnyResponse extends Partial<Record<'setHeader' | 'appendHeader' | 'header', Setter>> {
  statusCode?: unknown;
  readonly headersSent?: unknown;
  readonly sent?: unknown;
  readonly raw?: AnyResponse;
  readonly end?: (this: object) => unknown;
  readonly send?: (this: object) => unknown;
}

interface RequestWithResponse {
  readonly res?: unknown;
  readonly ctx?: { readonly res?: unknown };
}

/**
 * Puts the response at `req.res`, where strategies look for it. Express and Koa need no such line.
 *
 * @example
 * app.use(exposeResponse); // Connect, Polka, Restify, before Passport
 * app.addHook('onRequest', exposeResponse); // Fastify, and NestJS on Fastify
 */
export function exposeResponse(req: object, res: object, next: () => void): void {
  (req as { res?: unknown }).res = res;
  next();
}

/**
 * The response to a request; `undefined` if the framework offers none. Node's own is at `req.res` in Express, and at `req.ctx.res` in Koa, whose
 * `req.res` is a stand-in that can only replace headers. {@link exposeResponse} puts it at `req.res`. Fastify's `header` both sets and appends.
 */
export function responseOf(req: object) {
  const { res: own, ctx } = req as RequestWithResponse;
  const response = ctx?.res ?? own;
  if (typeof response !== 'object' || response === null) return undefined;
  const res: AnyResponse = response;
  const set = res.setHeader ?? res.header;
  const append = res.appendHeader ?? res.header;
  if (typeof set !== 'function' || typeof append !== 'function') return undefined;
  return {
    isSent: res.headersSent === true || res.sent === true,
    set: (name: string, value: string) => void set.call(res, name, value),
    addCookie(cookie: string) {
      append.call(res, 'Set-Cookie', cookie);
      // Hooks of NestJS on Fastify add an `end` that sends Node's own response, without what `header` set. Fastify's `send` replaces its cookies.
      if (append === res.header && res.end) res.raw?.appendHeader?.('Set-Cookie', cookie);
    },
    /** Answers without a body, if nothing was sent. */
    end(status: number) {
      if (this.isSent) return;
      res.statusCode = status;
      (res.end ?? res.send)?.call(res);
    },
  };
}

const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } as const;

/** Keeps a response of a login out of caches, and the callback URL, with its code, out of `Referer` headers. @see RFC 9700 sections 4.2.4 and 4.3.1 */
export function keepPrivate(req: object): void {
  const response = responseOf(req);
  if (!response || response.isSent) return;
  for (const [name, value] of Object.entries(PRIVATE)) response.set(name, value);
}

/** Makes an error carry the headers of its login and of no former one: Koa drops those of the response, and sets those at `error.headers`. */
export function keepHeaders(req: object, error: unknown): void {
  const response = (req as RequestWithResponse).ctx?.res as Partial<ServerResponse> | null | undefined;
  if (typeof response?.getHeader !== 'function' || !(error instanceof Error)) return;
  const { 'Set-Cookie': own = [], ...others } = (error as { headers?: OutgoingHttpHeaders }).headers ?? {};
  const cookies = [
    ...[own].flat().filter((cookie) => !isRemoval(cookie)),
    ...[response.getHeader('Set-Cookie') ?? []].flat().filter(isRemoval),
  ];
  const headers = { ...others, ...PRIVATE, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) };
  // Unlike an assignment, it throws for no frozen error.
  Reflect.defineProperty(error, 'headers', { value: headers, configurable: true, writable: true });
}

const isRemoval = (cookie: unknown) => /; Max-Age=0(;|$)/.test(String(cookie));
