import { LoginFailure } from '../errors/index.js';
import { isPrefetch, type LoginRequest } from './request.js';

/** The parameters of an authorization response. Each came once, as a string of bounded length. */
export type AuthorizationResponse = Readonly<Record<string, string>>;

/** Longest value of one parameter in characters. The longest documented one has about 600. */
export const LONGEST_PARAMETER = 8_192;

/**
 * What tells an authorization response, of any protocol and network: one that belongs to another strategy starts no login, and costs no request
 * to the network.
 */
const RESPONSE_PARAMETERS: ReadonlySet<string> = new Set(
  'code state error error_description error_uri iss oauth_token oauth_verifier denied payload device_id ext_id error_reason scopes errCode error_type'.split(
    ' ',
  ),
);

/**
 * Whether a request carries the response of a network, of any strategy. For a guard in front of a strategy, such as one that sends users
 * away who are signed in already: it must let responses through.
 *
 * @example
 * if (req.isAuthenticated() && !isLoginResponse(req)) return res.redirect('/');
 */
export function isLoginResponse(req: LoginRequest): boolean {
  for (const [key] of parametersOf(req)) if (RESPONSE_PARAMETERS.has(nameIn(key))) return true;
  return false;
}

/**
 * Reads an authorization response from the query of a request. The body is never read: all networks answer in the query, and a code from
 * one place with a state from the other is an attack (RFC 6749 section 4.1.2).
 *
 * @param names - Every parameter that the network may send.
 * @param required - Those that must not be empty.
 * @returns `undefined` if none came, of no protocol: the request starts a login.
 * @throws {@link LoginFailure} `malformed_response` (400) for a parameter that comes twice, is no string, is empty or too long;
 *   `method_not_allowed` (405) if the request is no visit of a browser to the redirect URI.
 */
export function readAuthorizationResponse(
  req: LoginRequest,
  names: ReadonlySet<string>,
  required: readonly string[],
): AuthorizationResponse | undefined {
  const found: Record<string, string> = {};
  let isResponse = false;
  for (const [key, value] of parametersOf(req)) {
    const name = key.includes('[') ? nameIn(key) : key;
    isResponse ||= names.has(name) || RESPONSE_PARAMETERS.has(name);
    if (!names.has(name)) continue;
    const isUsable =
      key === name &&
      typeof value === 'string' &&
      value.length <= LONGEST_PARAMETER &&
      found[name] === undefined;
    if (!isUsable || (value === '' && required.includes(name))) {
      throw new LoginFailure(
        'malformed_response',
        `The callback's parameter ${name} was sent twice, is empty, is too long or is not a string. Start the login again.`,
      );
    }
    found[name] = value;
  }
  if (!isResponse) return undefined;
  // Frameworks also route HEAD to GET handlers, and every method to `app.use`; browsers load pages in advance. Each of these would spend the
  // code and log in whoever sent it.
  if ((req.method ?? 'GET') === 'GET' && !isPrefetch(req)) return found;
  throw new LoginFailure(
    'method_not_allowed',
    'Only a GET request, by a browser that opens the page, finishes a login. Nothing was used up: open the URL of the callback again.',
  );
}

/** How many parameters query parsers read. */
const MOST_PARSED = 1_000;

/** Query parsers disagree about `state[]=x`: an array named `state`, or a parameter named `state[]`. */
function nameIn(key: string): string {
  return key.split('[', 1)[0] ?? key;
}

function parametersOf({ query, url = '' }: LoginRequest): Iterable<[name: string, value: unknown]> {
  const parsed = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  const begin = url.indexOf('?');
  const text = begin < 0 ? '' : url.slice(begin + 1);
  // Counted in the URL, because some may have the same name.
  const isWhole = text.split('&', MOST_PARSED).length < MOST_PARSED;
  return parsed.length > 0 && isWhole ? parsed : new URLSearchParams(text);
}
