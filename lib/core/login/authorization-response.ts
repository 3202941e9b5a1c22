import { LoginFailure } from '../errors/index.js';

/** The parameters of an authorization response. Each came once, as a string of bounded length. */
export type AuthorizationResponse = Readonly<Record<string, string>>;

/** Longest value of one parameter in characters. The longest documented one has about 600. */
export const LONGEST_PARAMETER = 8_192;

/**
 * Reads an authorization response from the query of a request. The body is never read: all networks answer in the query, and a code from
 * one place with a state from the other is an attack (RFC 6749 section 4.1.2).
 *
 * @param names - Every parameter that the network may send.
 * @param required - Those that must not be empty.
 * @returns `undefined` if none came: the request starts a login.
 * @throws {@link LoginFailure} `malformed_response` (400) for a parameter that comes twice, is no string, is empty or too long;
 *   `method_not_allowed` (405) if the request is no visit of a browser to the redirect URI.
 */
export function readAuthorizationResponse(
  req: ResponseRequest,
  names: readonly string[],
  required: readonly string[],
): AuthorizationResponse | undefined {
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(queryOf(req))) {
    // Query parsers disagree about `state[]=x`: an array named `state`, or a parameter named `state[]`.
    const [name = ''] = key.split('[', 1);
    if (!names.includes(name)) continue;
    const isUsable = key === name && typeof value === 'string' && value.length <= LONGEST_PARAMETER;
    if (!isUsable || (value === '' && required.includes(name))) {
      throw new LoginFailure(
        'malformed_response',
        400,
        `The callback's parameter ${name} was sent twice, is empty, is too long or is not a string. Start the login again.`,
      );
    }
    found[name] = value;
  }
  if (Object.keys(found).length === 0) return undefined;
  requireVisit(req);
  return found;
}

/** The parts of a request that an authorization response is read from. */
interface ResponseRequest {
  readonly query?: unknown;
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

/** Headers by which browsers say that they load a page in advance; all but the first are those of older ones. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/**
 * Only a browser that shows the page finishes a login. Frameworks also route HEAD to GET handlers, and every method to `app.use`; browsers
 * load pages in advance. Each of these would spend the code and log in whoever sent it.
 */
function requireVisit({ method = 'GET', headers }: ResponseRequest): void {
  const purpose = PURPOSES.map((name) => headers?.[name]).join();
  if (method === 'GET' && !/prefetch|prerender|preview/i.test(purpose)) return;
  throw new LoginFailure(
    'method_not_allowed',
    405,
    'Only a GET request, by a browser that opens the page, finishes a login. Nothing was used up: open the URL of the callback again.',
  );
}

function queryOf({ query, url = '' }: { query?: unknown; url?: string | undefined }): object {
  if (typeof query === 'object' && query !== null && Object.keys(query).length > 0) return query;
  // The framework does not parse the query, or the URL has none.
  const begin = url.indexOf('?');
  if (begin < 0) return {};
  const search = new URLSearchParams(url.slice(begin + 1));
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
