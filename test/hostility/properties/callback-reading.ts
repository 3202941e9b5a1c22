import type { CallbackRun } from '../generators/callbacks.js';
import type { Parameter } from '../generators/parameters.js';
import { CANARIES } from '../world/canaries.js';
import type { Subject } from '../world/subjects.js';
import { belongingTo } from '../world/users.js';

/** The non-standard parameters that each network sends. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'short-video': ['scopes', 'errCode', 'error_type'],
  microblog: [],
  'social-network': ['error_reason'],
  'vk-id': ['device_id', 'payload', 'type', 'expires_in', 'ext_id'],
};
const STANDARD = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
const SIGNED = ['oauth_token', 'oauth_verifier', 'denied'];
/** Longer values are rejected. */
const LONGEST_VALUE = 8_192;

/** The keys (state or request token) of pending and used logins. */
export interface PendingKeys {
  readonly state: string;
  readonly strangerState: string;
  readonly otherState: string;
  readonly usedState: string;
}

/** Builds the query of a callback request and fills in its placeholders. */
export function searchOf({ parameters, tail }: CallbackRun, keys: PendingKeys): string {
  const texts = parameters.map(({ name, value, raw }: Parameter) => {
    const text = filledIn(value, keys);
    return raw
      ? `${name}=${text}`
      : `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`;
  });
  return texts.join('&') + tail;
}

function filledIn(value: string, keys: PendingKeys): string {
  if (!value.includes('$')) return value;
  const code = belongingTo(CANARIES.code, 7);
  const payload = (state: string) => JSON.stringify({ code, state, device_id: 'd', type: 'code_v2' });
  const words: Record<string, string> = {
    ...keys,
    code,
    stateX: `${keys.state}X`,
    // Remove a character in the middle. A prefix or suffix could match within other text.
    shorter: keys.state.slice(0, 6) + keys.state.slice(7),
    upper: keys.state.toUpperCase(),
    payload: payload(keys.state),
    payloadTwice: JSON.stringify(payload(keys.state)),
    strangerPayload: payload(keys.strangerState),
    verifier: belongingTo(CANARIES.verifier, 7),
  };
  return value.replace(/\$(\w+)/g, (whole, word: string) => words[word] ?? whole);
}

/** State and code of an authorization response, if each is a single string. */
export function readResponse(
  { oauth1, title }: Subject,
  seen: ReadonlyMap<string, unknown>,
): { state?: string; code?: string } {
  const text = (name: string) => {
    const value = seen.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const withoutAbsent = (state: string | undefined, code: string | undefined) => ({
    ...(state !== undefined && { state }),
    ...(code !== undefined && { code }),
  });
  if (oauth1) return withoutAbsent(text('oauth_token') ?? text('denied'), text('oauth_verifier'));
  const isFlat = [...STANDARD, 'device_id'].some((name) => name !== 'error_uri' && seen.has(name));
  const payload = text('payload');
  if (title !== 'vk-id' || isFlat || payload === undefined) return withoutAbsent(text('state'), text('code'));
  try {
    const once: unknown = JSON.parse(payload);
    const { state, code } = (typeof once === 'string' ? JSON.parse(once) : once) as {
      state?: string;
      code?: string;
    };
    return withoutAbsent(state, code);
  } catch {
    return {};
  }
}

/** Whether a query has any parameter of an authorization response. */
export function hasResponseParameter(
  { title, oauth1 }: Subject,
  seen: ReadonlyMap<string, unknown>,
): boolean {
  const names = oauth1 ? SIGNED : [...STANDARD, ...(NAMES[title] ?? [])];
  return [...seen.keys()].some((name) => names.includes(name));
}

/** Whether each parameter came once, as a non-empty string of bounded length. */
export function isWellFormed(seen: ReadonlyMap<string, unknown>): boolean {
  return [...seen].every(
    ([name, value]) =>
      !name.includes('[') && typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE,
  );
}
