import { CANARIES } from '../world/canaries.js';
import type { Subject } from '../world/subjects.js';
import { belongingTo } from '../world/users.js';

/** The key of a pending login: the state or request token in the authorization URL. */
export function keyOf(location: string): string | undefined {
  const { searchParams } = new URL(location);
  return searchParams.get('state') ?? searchParams.get('oauth_token') ?? undefined;
}

/** The authorization response after consent. */
export function callbackQuery(subject: Subject, key: string, owner: number): Record<string, string> {
  if (subject.oauth1) return { oauth_token: key, oauth_verifier: belongingTo(CANARIES.verifier, owner) };
  const device = subject.title === 'vk-id' ? { device_id: 'the-device' } : {};
  return { code: belongingTo(CANARIES.code, owner), state: key, ...device };
}

/** The authorization response after the user declined. */
export function denialQuery(subject: Subject, key: string): Record<string, string> {
  return subject.oauth1 ? { denied: key } : { error: 'access_denied', error_description: 'no', state: key };
}

/** Serializes a query. */
export function textOf(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(query).toString();
}
