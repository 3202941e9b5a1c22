import { LoginFailure } from './errors.js';

/** The parameters of a callback: each came once, as a text, of bounded length. */
export type Callback = Readonly<Record<string, string>>;

/** Longest value of one parameter in characters. The longest documented one (VK ID's `payload`) has about 600. */
export const LONGEST_VALUE = 8_192;

/** What this reader needs of a request; every framework's request has one of the two. */
export interface CallbackRequest {
  readonly query?: unknown;
  readonly url?: string | undefined;
}

/**
 * Reads a network's answer from the query of a request. The body is never read: all three networks answer in the query,
 * and taking the code from one place and the state from another is an attack (RFC 6749 section 4.1.2).
 *
 * @param names - Every parameter that the network is known to send.
 * @param required - Those among them that make no sense when empty.
 * @returns The parameters that came, or `undefined` when none did: the request starts a login.
 * @throws {@link LoginFailure} `malformed_callback` (400) when a parameter comes twice, is no text, is empty or too long.
 */
export function readCallback(
  request: CallbackRequest,
  names: readonly string[],
  required: readonly string[],
): Callback | undefined {
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(queryOf(request))) {
    // Parsers disagree about `state[]=x`: to some it is an array `state`, to others a parameter `state[]`.
    const name = names.includes(key) ? key : (key.split('[', 1)[0] as string);
    if (!names.includes(name)) continue;
    if (key !== name || typeof value !== 'string' || value.length > LONGEST_VALUE) throw malformed(name);
    if (value === '' && required.includes(name)) throw malformed(name);
    found[name] = value;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function queryOf(request: CallbackRequest): object {
  const { query, url = '' } = request;
  if (typeof query === 'object' && query !== null && Object.keys(query).length > 0) return query;
  // The framework parses no queries, or there is none.
  const begin = url.indexOf('?');
  if (begin < 0) return {};
  const search = new URLSearchParams(url.slice(begin + 1));
  return Object.fromEntries(
    [...new Set(search.keys())].map((key) => {
      const values = search.getAll(key);
      return [key, values.length === 1 ? values[0] : values];
    }),
  );
}

function malformed(name: string): LoginFailure {
  return new LoginFailure(
    'malformed_callback',
    400,
    `The callback's parameter ${name} came twice, empty, too long or not as text. Start the login again.`,
  );
}
