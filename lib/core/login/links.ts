import { hash } from 'node:crypto';
import type { Request } from 'express';
import { requireAtOnce } from '../application-code.js';
import { LoginFailure } from '../errors/index.js';
import type { PendingLogin } from './pending-logins.js';
import type { LoginRequest } from './request.js';

/** The settings that decide whom a link is for. */
export interface LinkSettings {
  readonly name: string;
  readonly linksTo: ((req: Request) => string | null | undefined) | undefined;
}

/** A text that was made of a missing value, and is the same for all users. */
const MADE_OF_NOTHING = /^(?:null|NaN)$|\bundefined\b|\[object \w+\]/;

/**
 * Digest of the user for whom a link begins or finishes. The user is what the option `linksTo` returns, or else all that Passport keeps in the
 * session, together with `req.user.id`, which differs where somebody acts for another user.
 *
 * @returns `undefined` if nobody is signed in.
 * @throws TypeError if somebody is, or there is no session, and nothing says who.
 */
export function linkedUser({ name, linksTo }: LinkSettings, req: Request): string | undefined {
  if (linksTo) {
    const user: unknown = requireAtOnce('option linksTo', linksTo(req));
    if (user === undefined || user === null || (typeof user === 'string' && !user.trim())) return undefined;
    if (typeof user === 'string' && !MADE_OF_NOTHING.test(user)) return digest(user);
    throw new TypeError(
      `${name}: option linksTo must return what tells the user apart, as a string, or undefined if nobody is signed in. It returned ${typeof user === 'string' ? user : typeof user}.`,
    );
  }
  const user = userOf(req);
  const { session, isAuthenticated, ctx } = req as PassportRequest;
  const kept = keptUser(session);
  const isSignedIn = Boolean(user) || isAuthenticated?.call(req) || ctx?.isAuthenticated?.();
  if (isSignedIn && kept !== undefined) {
    const { id } = Object(user ?? {}) as { id?: unknown };
    return digest(JSON.stringify([kept, distinctText(id)]));
  }
  if (!isSignedIn && session) return undefined;
  throw new TypeError(
    `${name}: passport.authorize links to the user whom Passport keeps in the session, and there is none. Add the option linksTo, which returns what tells your users apart, for example linksTo: (req) => req.user?.id, with the tenant if there are several.`,
  );
}

/**
 * Makes sure that a link was begun for the user who is signed in now. Any other login can have been begun by somebody else, or by a page of another
 * site, who would choose the account.
 *
 * @throws {@link LoginFailure} `unknown_login`, 403.
 */
export function requireLinkedUser(settings: LinkSettings, req: Request, { linksTo }: PendingLogin): void {
  const user = linkedUser(settings, req);
  if (linksTo !== undefined && linksTo === user) return;
  let message =
    'This login was not begun by passport.authorize, on a page of this site, by the user who is signed in, so its account cannot be linked. Sign in, then link the account again.';
  if (user === undefined && linksTo === undefined)
    message =
      'Nobody is signed in, so there is no account to link to. To log a user in, use passport.authenticate, without assignProperty.';
  else if (user === undefined)
    message =
      "Nobody is signed in any more, so the account cannot be linked. If the user was when the login began, the session's cookie has SameSite=Strict, and no browser sends it along from the network: set sameSite: 'lax'.";
  throw new LoginFailure('unknown_login', message);
}

/** `passport.session()` is missing. */
export function isSessionUnread(req: LoginRequest): boolean {
  return userOf(req) === undefined && keptUser(req.session) !== undefined;
}

/** With what Passport and koa-passport add. */
interface PassportRequest {
  readonly session?: unknown;
  readonly isAuthenticated?: () => boolean;
  /** The option `userProperty`. */
  readonly _userProperty?: string;
  readonly ctx?: { readonly isAuthenticated?: () => boolean; readonly state?: { readonly user?: unknown } };
}

/** `req.user` can have another name, Passport's `userProperty`, and koa-passport hides it from `authorize`. */
function userOf(req: LoginRequest): unknown {
  const { ctx, _userProperty = 'user' } = req as PassportRequest;
  return (req as Readonly<Record<string, unknown>>)[_userProperty] ?? ctx?.state?.user;
}

/** Passport keeps `{ user }` under `passport`; @fastify/passport keeps there what the application serialized, in some sessions behind methods. */
function keptUser(session: unknown): string | undefined {
  const { passport, get } = (session ?? {}) as { passport?: unknown; get?: unknown };
  return distinctText(passport ?? (typeof get === 'function' ? get.call(session, 'passport') : undefined));
}

/** A value as JSON; `undefined` if no text or number is in it, as in the empty object of a session where nobody is signed in. */
function distinctText(value: unknown): string | undefined {
  let isDistinct = false;
  const text = JSON.stringify(value, (_name, part: unknown) => {
    isDistinct ||=
      (typeof part === 'string' && part !== '') || typeof part === 'bigint' || Number.isFinite(part);
    return typeof part === 'bigint' ? String(part) : part;
  }) as string | undefined;
  return isDistinct ? text : undefined;
}

/** 128 bits, so that the cookie stays small. */
function digest(user: string): string {
  return hash('sha256', user, 'base64url').slice(0, 22);
}
