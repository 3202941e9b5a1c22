import type { ServedResponse } from '../world/network.js';

export interface ExpectedLogin {
  /** The only token that verify may receive. */
  readonly token: string;
  /** The only user who may log in. */
  readonly id: string;
}

/** Determines which user a network's responses log in. @returns The login, or the reason why no user may log in. */
export function expectedLogin(title: string, served: readonly ServedResponse[]): ExpectedLogin | string {
  const last = (step: ServedResponse['step']) => served.findLast((response) => response.step === step);
  const token = success(last('token'));
  const profile = success(last('profile'));
  if (token === undefined) return 'no usable token response';
  if (title === 'microblog-1-0' && !last('token')?.hasLength) return 'a form without a length';
  if (title === 'microblog-1-0')
    return expectedOAuth1Login(token, profile, last('profile'), success(last('lookup')));
  const [tokenResponse, record] = [exactJSON(token), exactJSON(profile ?? '')];
  const accessToken = at(tokenResponse, 'access_token');
  if (typeof accessToken !== 'string' || accessToken === '') return 'no access token';
  const named = at(tokenResponse, title === 'short-video' ? 'open_id' : 'user_id');
  // Without scopes that need the record, the strategy skips the profile request and uses the token response.
  const isSkipped = title === 'short-video' && last('profile') === undefined;
  const id = isSkipped ? identifier(title, named) : identifierIn(title, record);
  if (typeof id !== 'string' || id === '' || !id.isWellFormed()) return 'no ID in the record';
  const isNamed = named !== undefined && named !== null;
  const hasNoID = title === 'microblog' || (!isNamed && title !== 'short-video');
  if (!hasNoID && identifier(title, named) !== id) return 'another ID in the token response';
  return { token: accessToken, id };
}

function identifierIn(title: string, record: unknown): string | undefined {
  if (title === 'short-video') return identifier(title, at(record, 'data', 'user', 'open_id'));
  if (title === 'microblog') return identifier(title, at(record, 'data', 'id'));
  if (title === 'social-network') return identifier(title, at(record, 'response', 0, 'id'));
  return identifier(title, at(record, 'user', 'user_id'));
}

/** Opaque string at two networks; positive integer, as number or string, at the third. */
function identifier(title: string, value: unknown): string | undefined {
  const text = value instanceof Literal ? wholeNumber(value) : value;
  if (title === 'short-video' || title === 'microblog') return typeof value === 'string' ? value : undefined;
  return typeof text === 'string' && /^[1-9]\d*$/.test(text) ? text : undefined;
}

function expectedOAuth1Login(
  token: string,
  profile: string | undefined,
  profileResponse: ServedResponse | undefined,
  lookup: string | undefined,
): ExpectedLogin | string {
  const form = new URLSearchParams(token);
  if (new Set(form.keys()).size !== [...form].length) return 'a form with a duplicate name';
  const named = form.get('user_id') ?? '';
  const accessToken = form.get('oauth_token') ?? '';
  if (accessToken === '' || !form.get('oauth_token_secret')) return 'no token credentials';
  const isClosed = [403, 404, 410].includes(profileResponse?.status ?? 0);
  const found = isClosed
    ? (at(exactJSON(lookup ?? ''), 'data', 'id') ?? (lookup === undefined ? wholeID(form) : undefined))
    : credentialsID(exactJSON(profile ?? ''));
  if (typeof found !== 'string' || found === '' || !found.isWellFormed()) return 'no ID';
  if (named !== '' && named !== found) return 'another ID in the token response';
  return { token: accessToken, id: found };
}

/** The ID in a token response: what follows it shows that it was not cut. */
function wholeID(form: URLSearchParams): string | undefined {
  const names = [...form.keys()];
  const isFollowed = names.indexOf('screen_name') > names.indexOf('user_id') && form.get('screen_name');
  const named = form.get('user_id') ?? '';
  return isFollowed && /^\d+$/.test(named) ? named : undefined;
}

/** `id_str`; without it `id`, if JavaScript cannot have rounded it. */
function credentialsID(record: unknown): unknown {
  const text = at(record, 'id_str');
  if (text !== undefined) return text;
  const id = at(record, 'id');
  const isExact =
    id instanceof Literal && /^[1-9]\d*$/.test(id.text) && Number.isSafeInteger(Number(id.text));
  return isExact ? id.text : undefined;
}

function success(response: ServedResponse | undefined): string | undefined {
  return response && response.status >= 200 && response.status <= 299 ? response.text : undefined;
}

/** A number as written, because JavaScript rounds some numbers. */
class Literal {
  constructor(readonly text: string) {}
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A response that is nested deeper is not read. */
const MOST_LEVELS = 64;

/** Parses JSON without recursion and keeps numbers as written. The last property of a name wins. Invalid or too deep: `undefined`. */
export function exactJSON(text: string): unknown {
  try {
    let level: unknown[] = [JSON.parse(text)];
    for (let depth = 0; depth < MOST_LEVELS; depth += 1)
      level = level.filter(isContainer).flatMap((value) => Object.values(value));
    if (level.some(isContainer)) return undefined;
  } catch {
    return undefined;
  }
  const root: unknown[] = [];
  const open: (unknown[] | Map<string, unknown>)[] = [root];
  let name: string | undefined;
  const put = (value: unknown) => {
    const owner = open.at(-1) as unknown[] | Map<string, unknown>;
    if (Array.isArray(owner)) owner.push(value);
    else owner.set(name as string, value);
    name = undefined;
  };
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[-\d][\d.eE+-]*|true|false|null|[{}[\]]/g)) {
    const owner = open.at(-1);
    if (token === '{' || token === '[') {
      const begun = token === '{' ? new Map<string, unknown>() : [];
      put(begun);
      open.push(begun);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (owner instanceof Map && name === undefined) {
      name = JSON.parse(token) as string;
    } else {
      put(/^[-\d]/.test(token) ? new Literal(token) : JSON.parse(token));
    }
  }
  return root[0];
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, step) => {
    if (found instanceof Map) return found.get(String(step));
    return Array.isArray(found) ? found[step as number] : undefined;
  }, value);
}

/** The exact integer value of a literal; `undefined` if it has a fraction or is huge. */
function wholeNumber({ text }: Literal): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > 400) return undefined;
  const all = whole + fraction;
  const moved = shift >= 0 ? all + '0'.repeat(shift) : all.padStart(1 - shift, '0').slice(0, shift);
  const rest = shift >= 0 ? '' : all.padStart(1 - shift, '0').slice(shift);
  return /[^0]/.test(rest) ? undefined : sign + String(BigInt(moved));
}
