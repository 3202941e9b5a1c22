import { hash } from 'node:crypto';
import type { LoginRequest } from './request.js';

/** The option `linksTo`: says whom an account is linked to; `undefined` or an empty string if nobody is signed in. */
export type LinksTo = (req: never) => string | undefined;

/** What Passport, and koa-passport, add to a request. */
interface PassportRequest {
  readonly isAuthenticated?: () => boolean;
  /** The option `userProperty`. */
  readonly _userProperty?: string;
  readonly ctx?: { readonly isAuthenticated?: () => boolean; readonly state?: { readonly user?: unknown } };
}

/**
 * A digest of whom `passport.authorize` links to: what the option `linksTo` says, or else Passport's serialized user with the ID of the request's
 * user. Nothing else is read of a user: a guess at what tells two of them apart can be wrong.
 *
 * @returns `undefined` if nobody is signed in.
 * @throws TypeError if somebody is, without Passport's session, and there is no `linksTo`.
 */
export function linkTarget(
  strategy: string,
  req: LoginRequest,
  linksTo: LinksTo | undefined,
): string | undefined {
  const target = linksTo ? askApplication(strategy, req, linksTo) : passportUser(strategy, req);
  return target ? hash('sha256', target, 'base64url').slice(0, 22) : undefined;
}

function askApplication(strategy: string, req: LoginRequest, linksTo: LinksTo): string | undefined {
  const target: unknown = linksTo(req as never);
  if (target === undefined || target === null || typeof target === 'string') return target ?? undefined;
  throw new TypeError(`${strategy}: option linksTo must return a string, such as String(req.user.id).`);
}

function passportUser(strategy: string, req: LoginRequest): string | undefined {
  const user = userOf(req);
  const { isAuthenticated, ctx } = req as PassportRequest;
  if (!user && !isAuthenticated?.call(req) && !ctx?.isAuthenticated?.()) return undefined;
  const serialized = serializedUser(req.session);
  if (serialized !== undefined) return JSON.stringify([serialized, idOf(user)]);
  throw new TypeError(
    `${strategy}: passport.authorize links to the user in Passport's session, and this one is signed in without it. Say who it is: linksTo: (req) => String(req.user.id). Add whatever else decides, such as the tenant.`,
  );
}

function idOf(user: unknown): string | undefined {
  const { id } = (user ?? {}) as { id?: unknown };
  return id === undefined || id === null ? undefined : jsonOf(id);
}

/** Whether Passport has signed somebody in, and nothing has read it from the session: `passport.session()` is missing. */
export function isSessionUnread(req: LoginRequest): boolean {
  return userOf(req) === undefined && serializedUser(req.session) !== undefined;
}

/** Passport's `userProperty` may have another name, and koa-passport hides `req.user` from `authorize`. */
function userOf(req: LoginRequest): unknown {
  const { ctx, _userProperty = 'user' } = req as PassportRequest;
  return (req as Readonly<Record<string, unknown>>)[_userProperty] ?? ctx?.state?.user;
}

/**
 * What Passport keeps of a user in the session, as JSON: the value as a whole, because @fastify/passport keeps the serialized user itself, which
 * may have any properties. Some sessions have it behind a method.
 */
function serializedUser(session: unknown): string | undefined {
  const { passport, get } = (session ?? {}) as { passport?: unknown; get?: unknown };
  const kept: unknown = passport ?? (typeof get === 'function' ? get.call(session, 'passport') : undefined);
  const text = jsonOf(kept);
  // A session in which nobody is signed in can have an empty object there.
  return text === undefined || ['null', '""', '{}', '{"user":null}'].includes(text) ? undefined : text;
}

function jsonOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) as
    | string
    | undefined;
}
