import type { Application } from './applications.js';
import type { Clock } from './clock.js';
import type { SandboxPerson } from './people.js';

/** What one person allowed one application. Codes and tokens point at it, so that ending it ends them all. */
export interface Grant {
  readonly application: Application;
  readonly person: SandboxPerson;
  readonly scopes: readonly string[];
  /** Set when the consent is withdrawn, or a spent refresh token tells that it was stolen. */
  ended: boolean;
}

/** An authorization code on its way through the browser. */
export interface PendingExchange {
  readonly grant: Grant;
  /** As the authorization request spelled it: the exchange must repeat it. */
  readonly redirectUri: string;
  /** What the code verifier must lead to, for networks and requests with PKCE. */
  readonly challenge?: string;
}

/** What is known of a code, token or nonce that somebody presents. */
export type Finding<T> =
  | { readonly state: 'live' | 'expired' | 'used'; readonly subject: T }
  | { readonly state: 'unknown'; readonly subject?: undefined };

interface Entry<T> {
  readonly subject: T;
  readonly expiresAt: number;
  used: boolean;
}

/** So many credentials of a kind are remembered; the oldest go first, so that a sandbox left running does not grow. */
const CAPACITY = 10_000;

/** Codes, tokens or nonces of one kind, each with its time of expiry. */
export class Credentials<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Remembers a credential.
   *
   * @param seconds - How long it is good for; `Infinity` for one that does not expire.
   * @returns The credential itself.
   */
  issue(credential: string, subject: T, seconds: number): string {
    const oldest = this.entries.keys().next();
    if (this.entries.size >= CAPACITY && !oldest.done) this.entries.delete(oldest.value);
    this.entries.set(credential, { subject, expiresAt: this.clock.now() + seconds * 1000, used: false });
    return credential;
  }

  /** Looks a credential up and leaves it usable. */
  find(credential: string | undefined): Finding<T> {
    const entry = this.entries.get(credential ?? '');
    if (!entry) return { state: 'unknown' };
    if (entry.used) return { state: 'used', subject: entry.subject };
    return { state: entry.expiresAt > this.clock.now() ? 'live' : 'expired', subject: entry.subject };
  }

  /** What a credential stands for, while it is good. */
  live(credential: string | undefined): T | undefined {
    const finding = this.find(credential);
    return finding.state === 'live' ? finding.subject : undefined;
  }

  /** Looks a credential up and spends it. */
  take(credential: string | undefined): Finding<T> {
    const finding = this.find(credential);
    const entry = this.entries.get(credential ?? '');
    if (entry) entry.used = true;
    return finding;
  }

  /** Forgets every credential. */
  clear(): void {
    this.entries.clear();
  }
}

/** The grant behind a token, when both still hold. */
export function liveGrant<T extends Grant>(finding: Finding<T>): T | undefined {
  return finding.state === 'live' && !finding.subject.ended ? finding.subject : undefined;
}

/** Why a credential is refused, in plain words. */
export function whyRefused(what: string, finding: Finding<unknown>): string {
  switch (finding.state) {
    case 'unknown':
      return `${what} is missing, or not one that this sandbox gave out`;
    case 'expired':
      return `${what} has expired`;
    case 'used':
      return `${what} was used before`;
    case 'live':
      return `${what} belongs to another client, or its consent has ended`;
  }
}
