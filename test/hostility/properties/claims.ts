import type { ServedAnswer } from '../world/network.js';
import { at, exactJSON, Literal, wholeNumber } from './exact-json.js';

/** What the network really said about a login: an own reading of its answers. */
export interface Claim {
  /** The only token that verify may get. */
  readonly token: string;
  /** The only person that may log in. */
  readonly id: string;
}

/**
 * Whom a network's answers log in.
 *
 * @returns A reason why nobody may be logged in, or the claim.
 */
export function claimOf(title: string, served: readonly ServedAnswer[]): Claim | string {
  const last = (step: ServedAnswer['step']) => served.findLast((answer) => answer.step === step);
  const token = success(last('token'));
  const profile = success(last('profile'));
  if (token === undefined) return 'no usable token answer';
  if (title === 'microblog-1.0') return signedClaim(token, profile, last('profile'), success(last('lookup')));
  const [tokenAnswer, record] = [exactJSON(token), exactJSON(profile ?? '')];
  const accessToken = at(tokenAnswer, 'access_token');
  if (typeof accessToken !== 'string' || accessToken === '') return 'no access token';
  const named = at(tokenAnswer, title === 'short-video' ? 'open_id' : 'user_id');
  // Without any scope that a field needs, no record is asked for: the token answer has said who it is.
  const isSkipped = title === 'short-video' && last('profile') === undefined;
  const id = isSkipped ? identifier(title, named) : identifierIn(title, record);
  if (typeof id !== 'string' || id === '' || !id.isWellFormed()) return 'no identifier in the record';
  const isNamed = named !== undefined && named !== null;
  const doesNotName = title === 'microblog' || (!isNamed && title !== 'short-video');
  if (!doesNotName && identifier(title, named) !== id) return 'another identifier in the token answer';
  return { token: accessToken, id };
}

function identifierIn(title: string, record: unknown): string | undefined {
  if (title === 'short-video') return identifier(title, at(record, 'data', 'user', 'open_id'));
  if (title === 'microblog') return identifier(title, at(record, 'data', 'id'));
  if (title === 'social-network') return identifier(title, at(record, 'response', 0, 'id'));
  return identifier(title, at(record, 'user', 'user_id'));
}

/** Opaque text at two networks; a whole number above zero, as number or text, at the third. */
function identifier(title: string, value: unknown): string | undefined {
  const text = value instanceof Literal ? wholeNumber(value) : value;
  if (title === 'short-video' || title === 'microblog') return typeof value === 'string' ? value : undefined;
  return typeof text === 'string' && /^[1-9]\d*$/.test(text) ? text : undefined;
}

function signedClaim(
  token: string,
  profile: string | undefined,
  asked: ServedAnswer | undefined,
  lookup: string | undefined,
): Claim | string {
  const form = new URLSearchParams(token);
  if (new Set(form.keys()).size !== [...form].length) return 'a form with one name twice';
  const named = form.get('user_id') ?? '';
  const accessToken = form.get('oauth_token') ?? '';
  if (accessToken === '' || !form.get('oauth_token_secret')) return 'no token credentials';
  const isClosed = [403, 404, 410].includes(asked?.status ?? 0);
  const found = isClosed
    ? (at(exactJSON(lookup ?? ''), 'data', 'id') ?? (lookup === undefined ? named : undefined))
    : at(exactJSON(profile ?? ''), 'id_str');
  if (typeof found !== 'string' || found === '' || !found.isWellFormed()) return 'no identifier';
  if (named !== '' && named !== found) return 'another identifier in the token answer';
  return { token: accessToken, id: found };
}

function success(answer: ServedAnswer | undefined): string | undefined {
  return answer && answer.status >= 200 && answer.status <= 299 ? answer.text : undefined;
}
