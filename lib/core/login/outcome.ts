import { LoginFailure } from '../errors/index.js';

/** How a request ends if nothing fails: with a redirect to the network, a user, or verify's rejection. */
export type Outcome =
  | { readonly kind: 'redirect'; readonly url: string }
  | {
      readonly kind: 'success';
      readonly user: Express.User;
      readonly info: object;
      /** Called just before Passport's `success`. */
      readonly before: () => void;
    }
  | { readonly kind: 'rejected'; readonly info: unknown };

/** The actions that Passport attaches to a strategy for each request. */
interface Actions {
  redirect: (this: object, url: string) => unknown;
  success: (this: object, user: Express.User, info: object) => unknown;
  fail: (this: object, challenge?: unknown, status?: number) => unknown;
  error: (this: object, error: unknown) => unknown;
}

/**
 * Does the work of one request and calls exactly one of Passport's actions.
 *
 * The actions are read before the work begins: an application may pass the strategy itself to `passport.authenticate`, and the next
 * request overwrites them.
 *
 * @see https://github.com/jaredhanson/passport/issues/789
 */
export function settle(strategy: object, req: object, work: () => Promise<Outcome>): void {
  const { redirect, success, fail, error } = strategy as Actions;
  // Passport treats a falsy error as no error and lets the request through.
  const report = (thrown: unknown) =>
    error.call(strategy, thrown || new TypeError('The application failed without an error.'));
  const run = async () => {
    // `authenticate` has returned before an action is called, even if the work throws at once.
    await Promise.resolve();
    try {
      let outcome: Outcome;
      try {
        outcome = await work();
      } catch (thrown) {
        if (!(thrown instanceof LoginFailure)) return await report(thrown);
        warnOfLostLogin((strategy as { name?: string }).name ?? '', thrown);
        return await fail.call(strategy, { message: thrown.message, code: thrown.code }, thrown.status);
      }
      if (outcome.kind === 'redirect') return await redirect.call(strategy, outcome.url);
      if (outcome.kind === 'rejected') return await fail.call(strategy, outcome.info);
      outcome.before();
      return await success.call(strategy, outcome.user, outcome.info);
    } catch (thrown) {
      // Application code that the action called has thrown. As an unhandled rejection it would end the process.
      return responseOf(req)?.isSent ? warnOfThrown('The callback', thrown) : report(thrown);
    }
  };
  run().catch((thrown: unknown) => warnOfThrown('An error handler', thrown));
}

/** Lost logins of which the console has been told. */
const reported = new Set<string>();

/**
 * Passport shows a lost login as a bare "Forbidden". During development the console says what `failureMessage` would; in production anyone
 * could fill the log.
 */
function warnOfLostLogin(strategy: string, { code, message }: LoginFailure): void {
  const warning = `${strategy}: ${message}`;
  if (code !== 'unknown_login' || process.env.NODE_ENV === 'production' || reported.has(warning)) return;
  reported.add(warning);
  process.emitWarning(warning);
}

/** What a strategy can do with the response, whatever the framework. */
export interface ReachableResponse {
  /** Whether it is too late for another header. */
  readonly isSent: boolean;
  set(name: string, value: string): void;
  /** Adds a `Set-Cookie` header to those already set. */
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
 * The response to a request. Express has Node's own at `req.res`, koa-passport at `req.ctx.res` (its `req.res` is a stand-in that can only
 * replace headers). With Fastify an application can put the reply at `req.res`; its `header` method both sets and appends.
 *
 * @returns `undefined` if the framework offers none.
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
 * Keeps both responses of a login out of caches, and the callback URL, with its code, out of `Referer` headers (RFC 9700 sections 4.2.4
 * and 4.3.1). Does nothing if the framework offers no response.
 */
export function keepPrivate(req: object): void {
  const response = responseOf(req);
  if (!response || response.isSent) return;
  response.set('Cache-Control', 'no-store');
  response.set('Referrer-Policy', 'no-referrer');
}

/** How long application code (verify, a store, an overridden method) may take, in milliseconds. */
export const APPLICATION_DEADLINE = 60_000;

/** A Node-style callback: an error, or nothing and a value. */
export type Callback<T> = (error?: unknown, value?: T) => void;

/**
 * Runs application code that returns a value or a promise.
 *
 * @param what - The code's name, for messages.
 * @param start - Gets a signal that is aborted when the deadline has passed.
 * @throws Whatever the code threw or rejected with; a `TypeError` after 60 seconds.
 */
export function withDeadline<T>(
  what: string,
  start: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const deadline = new AbortController();
  return firstOutcome<T>(
    what,
    `${what} did not answer`,
    (resolve, reject) => {
      const returned = start(deadline.signal);
      if (isThenable(returned)) returned.then(resolve as (value: unknown) => void, reject);
      else resolve(returned);
    },
    () => deadline.abort(),
  );
}

/**
 * Runs application code that calls back, and turns everything it can do into one promise: call back once, twice or never, throw, or return
 * a promise that rejects.
 *
 * @param what - The code's name, for messages.
 * @throws Whatever the code threw, rejected with or passed as an error; a `TypeError` after 60 seconds.
 */
export function fromCallback<T>(
  what: string,
  start: (callback: Callback<T>) => unknown,
): Promise<T | undefined> {
  return firstOutcome<T | undefined>(what, `${what} did not call back`, (resolve, reject) => {
    const returned = start((error, value) => (error ? reject(error) : resolve(value)));
    // A resolved promise means nothing: an async function that calls back later resolves early.
    if (isThenable(returned)) returned.then(undefined, reject);
  });
}

/**
 * A promise with the deadline of application code. Its first outcome stands; the second one is reported as a warning.
 *
 * @param overdue - The first words of the error that follows the deadline. @param expire - Called before that error.
 */
export function firstOutcome<T>(
  what: string,
  overdue: string,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
  expire?: () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let outcomes = 0;
    const isFirst = () => {
      outcomes += 1;
      clearTimeout(timer);
      if (outcomes === 2) process.emitWarning(`${what} gave a second outcome; the first one stands.`);
      return outcomes === 1;
    };
    const rejectFirst = (error: unknown) => isFirst() && reject(error);
    const timer = setTimeout(() => {
      expire?.();
      rejectFirst(new TypeError(`${overdue} within ${APPLICATION_DEADLINE / 1_000} seconds.`));
    }, APPLICATION_DEADLINE);
    try {
      start((value) => isFirst() && resolve(value), rejectFirst);
    } catch (error) {
      rejectFirst(error);
    }
  });
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/**
 * Calls back with the values of a promise, or with its rejection. If the callback throws, it is called once more with that error: thrown
 * in a promise, the error would end the process.
 */
export function toCallback<Values extends unknown[]>(
  values: Promise<Values>,
  callback: (error: unknown, ...values: Values | []) => void,
): void {
  const call = (error: unknown, found: Values | [] = []) => {
    try {
      callback(error, ...found);
    } catch (thrown) {
      if (error) warnOfThrown('A callback', thrown);
      else call(thrown);
    }
  };
  values.then(
    (found) => call(null, found),
    (error: unknown) => call(error),
  );
}

/** Warns of an exception that nobody can handle. Never quotes its message, which may hold a secret. */
export function warnOfThrown(what: string, thrown: unknown): void {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  process.emitWarning(`${what} of the application threw (${name}) while it handled a login.`);
}
