import { member, textMember } from './answer.js';
import type { TokenAnswer } from './oauth2-network.js';

/** Tokens after a login: what `strategy.refresh` resolves to. */
export interface Tokens {
  /** The new access token. Confidential. */
  accessToken: string;
  /** The token for the next refresh: the network's new one, or the old one where none came. */
  refreshToken: string;
  /** When the access token ends, by the answer's `expires_in`; absent where the answer does not say. */
  expiresAt?: Date;
  /** The granted scopes; empty where the answer does not say. */
  scope: string[];
  /** The network's answer. */
  params: TokenAnswer;
}

/** Reads a token answer. @param refreshToken - The one that was spent for it. */
export function readTokens(params: TokenAnswer, refreshToken: string): Tokens {
  const expiresAt = expiryDate(params);
  return {
    accessToken: params.access_token,
    refreshToken: textMember(params, 'refresh_token') ?? refreshToken,
    ...(expiresAt && { expiresAt }),
    scope: scopeList(textMember(params, 'scope')),
    params,
  };
}

/**
 * When a token ends, counted from now: networks send the seconds that are left.
 *
 * @returns `undefined` where the answer does not say, and for 0: some networks mean "never" by it, others nothing at all.
 */
export function expiryDate(params: object): Date | undefined {
  const lifetime = member(params, 'expires_in');
  // Nothing else is made a number of: lists within lists, thousands deep, would be read until the stack ends.
  const seconds = typeof lifetime === 'number' || typeof lifetime === 'string' ? Number(lifetime) : 0;
  return seconds > 0 && seconds < 1e10 ? new Date(Date.now() + seconds * 1_000) : undefined;
}

/** The scopes of a text that joins them with spaces or commas. */
export function scopeList(text: string | undefined): string[] {
  return text?.split(/[\s,]+/).filter(Boolean) ?? [];
}

/** @throws TypeError for what cannot be a token: sent as `undefined`, it would be "revoked" without an error. */
export function requireToken(strategy: string, method: string, token: unknown): void {
  if (typeof token === 'string' && token !== '') return;
  throw new TypeError(`${strategy}: ${method} needs a token that is a non-empty text.`);
}

/** Refreshes under way. Two with one token would spend it twice, and networks that rotate end the login then. */
export class Refreshes {
  /** Digest of a refresh token, and of what it belongs to -> the refresh. */
  private readonly underWay = new Map<string, Promise<Tokens>>();

  once(key: string, start: () => Promise<Tokens>): Promise<Tokens> {
    const running = this.underWay.get(key);
    if (running) return running;
    const forget = () => this.underWay.delete(key);
    const started = start();
    this.underWay.set(key, started);
    started.then(forget, forget);
    return started;
  }
}
