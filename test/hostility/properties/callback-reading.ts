import type { CallbackRun } from '../generators/callbacks.js';
import type { Parameter } from '../generators/parameters.js';
import { CANARIES } from '../world/canaries.js';
import { belongingTo } from '../world/people.js';
import type { Subject } from '../world/subjects.js';

/** Every parameter that a subject's network sends. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'short-video': ['scopes', 'errCode', 'error_type'],
  microblog: [],
  'social-network': ['error_reason'],
  'vk-id': ['device_id', 'payload', 'type', 'expires_in', 'ext_id'],
};
const STANDARD = ['code', 'state', 'error', 'error_description', 'error_uri', 'iss'];
const SIGNED = ['oauth_token', 'oauth_verifier', 'denied'];

/** By what the logins are found that are pending, or were. */
export interface PendingKeys {
  readonly state: string;
  readonly strangerState: string;
  readonly otherState: string;
  readonly spentState: string;
}

/** The query of a callback, its placeholders filled in. */
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
    // The one that is missing stands in the middle: else what is left, behind another word, could read like the whole.
    shorter: keys.state.slice(0, 6) + keys.state.slice(7),
    upper: keys.state.toUpperCase(),
    payload: payload(keys.state),
    payloadTwice: JSON.stringify(payload(keys.state)),
    strangerPayload: payload(keys.strangerState),
    verifier: belongingTo(CANARIES.verifier, 7),
  };
  return value.replace(/\$(\w+)/g, (whole, word: string) => words[word] ?? whole);
}

/** State and code of a callback, each once and as a text. */
export function answerIn(
  { oauth1, title }: Subject,
  seen: ReadonlyMap<string, unknown>,
): { state?: string; code?: string } {
  const text = (name: string) => {
    const value = seen.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const of = (state: string | undefined, code: string | undefined) => ({
    ...(state !== undefined && { state }),
    ...(code !== undefined && { code }),
  });
  if (oauth1) return of(text('oauth_token') ?? text('denied'), text('oauth_verifier'));
  const isFlat = [...STANDARD, 'device_id'].some((name) => name !== 'error_uri' && seen.has(name));
  const payload = text('payload');
  if (title !== 'vk-id' || isFlat || payload === undefined) return of(text('state'), text('code'));
  try {
    const once: unknown = JSON.parse(payload);
    const { state, code } = (typeof once === 'string' ? JSON.parse(once) : once) as {
      state?: string;
      code?: string;
    };
    return of(state, code);
  } catch {
    return {};
  }
}

/** Whether anything in a query is a network's. */
export function hasAnswer({ title, oauth1 }: Subject, seen: ReadonlyMap<string, unknown>): boolean {
  const names = oauth1 ? SIGNED : [...STANDARD, ...(NAMES[title] ?? [])];
  return [...seen.keys()].some((name) => names.includes(name));
}
