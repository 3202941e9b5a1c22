import type { Application } from './clients.js';
import type { Clock } from './clock.js';
import type { SandboxPerson } from './people.js';

/** A user's consent for one application. Codes and tokens refer to it, so ending it ends all of them. */
export interface Grant {
  readonly application: Application;
  readonly person: SandboxPerson;
  readonly scopes: readonly string[];
  /** Set when the user withdraws the consent, or when a used refresh token comes back, which means that it was stolen. */
  ended: boolean;
}

/** An authorization code, until the token request uses it. */
export interface AuthorizationCode {
  readonly grant: Grant;
  /** As the authorization request spelled it: the token request must repeat it exactly. */
  readonly redirectUri: string;
  /** Code challenge; missing for networks and requests without PKCE. */
  readonly challenge?: string;
}

/** Result of looking up a code, token or nonce, with the value that was stored for it. */
export type LookupResult<T> =
  | { readonly state: 'live' | 'expired' | 'used'; readonly value: T }
  | { readonly state: 'unknown'; readonly value?: undefined };

interface Entry<T> {
  readonly value: T;
  readonly expiresAt: number;
  used: boolean;
}

/** Maximum number of credentials of one kind; the oldest are dropped, so that a long-running sandbox does not grow. */
const CAPACITY = 10_000;

/** Codes, tokens or nonces of one kind, each with its expiry time. */
export class Credentials<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Stores a credential.
   *
   * @param value - Returned by lookups of the credential.
   * @param seconds - Lifetime; `Infinity` for a credential that does not expire.
   * @returns The credential itself.
   */
  issue(credential: string, value: T, seconds: number): string {
    const oldest = this.entries.keys().next();
    if (this.entries.size >= CAPACITY && !oldest.done) this.entries.delete(oldest.value);
    this.entries.set(credential, { value, expiresAt: this.clock.now() + seconds * 1000, used: false });
    return credential;
  }

  /** Looks a credential up without using it. */
  find(credential: string | undefined): LookupResult<T> {
    const entry = this.entries.get(credential ?? '');
    if (!entry) return { state: 'unknown' };
    if (entry.used) return { state: 'used', value: entry.value };
    return { state: entry.expiresAt > this.clock.now() ? 'live' : 'expired', value: entry.value };
  }

  /** Value of a credential; `undefined` unless the credential is live. */
  live(credential: string | undefined): T | undefined {
    const found = this.find(credential);
    return found.state === 'live' ? found.value : undefined;
  }

  /** Looks a credential up and marks it as used. */
  use(credential: string | undefined): LookupResult<T> {
    const found = this.find(credential);
    const entry = this.entries.get(credential ?? '');
    if (entry) entry.used = true;
    return found;
  }

  /** Deletes every credential. */
  clear(): void {
    this.entries.clear();
  }
}

/** The grant of a token; `undefined` unless both token and grant are still valid. */
export function liveGrant<T extends Grant>(found: LookupResult<T>): T | undefined {
  return found.state === 'live' && !found.value.ended ? found.value : undefined;
}

/** Why a credential is rejected, for the request log. */
export function rejectionReason(name: string, found: LookupResult<unknown>): string {
  switch (found.state) {
    case 'unknown':
      return `${name} is missing, or not one that this sandbox gave out`;
    case 'expired':
      return `${name} has expired`;
    case 'used':
      return `${name} was used before`;
    case 'live':
      return `${name} belongs to another client, or its consent has ended`;
  }
}
