/** A response, as far as frameworks let a strategy reach it. */
export interface ReachableResponse {
  /** Whether it is too late for another header. */
  readonly isSent: boolean;
  set(name: string, value: string): void;
  /** Adds a `Set-Cookie` header to those that are there. */
  addCookie(cookie: string): void;
}

type Setter = (this: object, name: string, value: string) => unknown;

interface AnyResponse {
  readonly headersSent?: unknown;
  readonly sent?: unknown;
  readonly setHeader?: Setter;
  readonly appendHeader?: Setter;
  readonly header?: Setter;
}

/**
 * The response to a request: Express shows Node's own at `req.res`, koa-passport at `req.ctx.res` (at `req.res` it has a
 * stand-in that can only replace headers). An application may put Fastify's reply at `req.res`, which has one method for both
 * purposes.
 *
 * @returns `undefined` where the framework shows none.
 */
export function responseOf(req: object): ReachableResponse | undefined {
  const { res, ctx } = req as { readonly res?: unknown; readonly ctx?: { readonly res?: unknown } };
  return reachable(ctx?.res) ?? reachable(res);
}

function reachable(response: unknown): ReachableResponse | undefined {
  if (typeof response !== 'object' || response === null) return undefined;
  const res: AnyResponse = response;
  const set = res.setHeader ?? res.header;
  const append = res.appendHeader ?? res.header;
  if (typeof set !== 'function' || typeof append !== 'function') return undefined;
  return {
    isSent: res.headersSent === true || res.sent === true,
    set: (name, value) => void set.call(res, name, value),
    addCookie: (cookie) => void append.call(res, 'Set-Cookie', cookie),
  };
}

/**
 * Keeps the answers to both ends of a login out of caches, and the callback's address, with its code, out of `Referer`
 * headers (RFC 9700 sections 4.2.4 and 4.3.1). Where the framework shows no response, nothing happens.
 */
export function keepPrivate(req: object): void {
  const response = responseOf(req);
  if (!response || response.isSent) return;
  response.set('Cache-Control', 'no-store');
  response.set('Referrer-Policy', 'no-referrer');
}
