/** A response, as far as frameworks let a strategy reach it. */
interface ReachableResponse {
  readonly headersSent?: boolean;
  setHeader?(name: string, value: string): unknown;
}

/**
 * Keeps the answers to both ends of a login out of caches, and the callback's address, with its code, out of `Referer`
 * headers (RFC 9700 sections 4.2.4 and 4.3.1). Express and Koa show the response at `req.res`; elsewhere nothing happens.
 */
export function keepPrivate(req: object): void {
  const { res } = req as { res?: ReachableResponse };
  if (typeof res?.setHeader !== 'function' || res.headersSent) return;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
}
