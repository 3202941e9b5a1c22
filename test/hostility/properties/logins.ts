import { CANARIES } from '../world/canaries.js';
import { belongingTo } from '../world/people.js';
import type { Subject } from '../world/subjects.js';

/** By what a login is found: the state, or the request token, of the address that the person is sent to. */
export function keyOf(location: string): string | undefined {
  const { searchParams } = new URL(location);
  return searchParams.get('state') ?? searchParams.get('oauth_token') ?? undefined;
}

/** The callback of a person who agreed. */
export function callbackQuery(subject: Subject, key: string, owner: number): Record<string, string> {
  if (subject.oauth1) return { oauth_token: key, oauth_verifier: belongingTo(CANARIES.verifier, owner) };
  const device = subject.title === 'vk-id' ? { device_id: 'the-device' } : {};
  return { code: belongingTo(CANARIES.code, owner), state: key, ...device };
}

/** The callback of a person who declined. */
export function denialQuery(subject: Subject, key: string): Record<string, string> {
  return subject.oauth1 ? { denied: key } : { error: 'access_denied', error_description: 'no', state: key };
}

/** A query as it stands in an address. */
export function textOf(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(query).toString();
}
