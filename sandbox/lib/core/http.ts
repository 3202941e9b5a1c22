import { isObject } from './checks.js';
import type { Belief } from './evidence.js';
import { type Login, type LookupResult, liveGrant, rejectionReason } from './world.js';

/** Header of a refusal that has no page, with the sandbox's reason. */
export const REFUSED_HEADER = 'x-sandbox-refused';

export interface NetworkRequest {
  readonly method: string;
  readonly path: string;
  /** URL without its query: what an OAuth 1.0a signature covers. */
  readonly url: string;
  readonly query: Parameters;
  readonly form: Parameters;
  readonly isForm: boolean;
  readonly multipart: Parameters;
  readonly json: Parameters;
  readonly authorization: string | undefined;
  readonly notes: Notes;
}

/** Parameters by name; `undefined` for one that is left out. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** OAuth forbids repeated parameters (RFC 6749, section 3.1), so `one` reads a repeated one as missing. */
export class Parameters extends URLSearchParams {
  static of(fields: Fields): Parameters {
    return new Parameters(Object.entries(fields).filter(isText));
  }

  /** @param text - JSON of an object whose values are all strings. Any other text has no parameters. */
  static parseJSON(text: string): Parameters {
    const parsed = parsedJSON(text);
    const pairs = isObject(parsed) ? Object.entries(parsed) : [];
    return new Parameters(pairs.every(isText) ? pairs : []);
  }

  one(name: string): string | undefined {
    const values = this.getAll(name);
    return values.length === 1 ? values[0] : undefined;
  }

  repeats(): boolean {
    return new Set(this.keys()).size < this.size;
  }

  /** The same parameters, of repeated ones only the first. */
  first(): Parameters {
    return new Parameters([...new Map([...this].reverse())].reverse());
  }
}

const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === 'string';

export function parsedJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Token of an `Authorization: Bearer` header. Any character is accepted, because some networks go beyond RFC 6750. */
export const bearerToken = (request: NetworkRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1];

/** Credentials of an `Authorization: Basic` header, not percent-decoded. */
export function basicCredentials(request: NetworkRequest) {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(request.authorization ?? '') ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Parameters of query and form together, for endpoints that accept both, and for OAuth 1.0a signatures, which cover both. */
export const queryAndForm = (request: NetworkRequest): Parameters =>
  new Parameters([...request.query, ...request.form]);

export const queryAndBody = (request: NetworkRequest): Parameters =>
  new Parameters([...queryAndForm(request), ...request.multipart]);

export interface NetworkResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly response: NetworkResponse;
  /** Why the network refuses. For the log: says more than the network would, and never holds a secret, code or token. */
  readonly refused?: string;
  readonly belief?: Belief;
}

export class ErrorResponse extends Error implements Outcome {
  override readonly name = 'ErrorResponse';

  constructor(
    readonly response: NetworkResponse,
    readonly refused: string,
    readonly belief: Belief,
  ) {
    super(refused);
  }
}

/** @param words - The network's own, for a mistake that it words in a way of its own. */
export type Refusal = (belief: Belief, reason: string, words?: string) => ErrorResponse;

export type Hold = ReturnType<Notes['holdTo']>;

/** What the sandbox notes about one request: what it is held to, what the network may refuse about it, and whose login it is. */
export class Notes {
  login: Login | undefined;
  readonly noted: ErrorResponse[] = [];
  private readonly checked = new Set<Belief>();

  constructor(private readonly isStrict: boolean) {}

  /** Throws, unless the broken belief is only supposed: the request is noted, and handled as if it were right. */
  refuseOrNote(error: ErrorResponse): void {
    if (this.isStrict || error.belief.mark !== 'supposed') throw error;
    this.noted.push(error);
  }

  holdTo(respond: Refusal) {
    const hold = (belief: Belief, problem: string | false | undefined, words?: string): void => {
      this.keeps(belief);
      if (problem) this.refuseOrNote(respond(belief, problem, words));
    };
    /** The value of a code or token. @throws ErrorResponse unless it is live, its consent has not ended, and it `isValid`. */
    const live = <T extends object>(
      belief: Belief,
      name: string,
      found: LookupResult<T>,
      isValid = (_value: T): boolean => true,
    ): T => {
      this.keeps(belief);
      const value = liveGrant(found);
      if (value !== undefined && isValid(value)) return value;
      throw respond(belief, rejectionReason(name, found));
    };
    return Object.assign(hold, { live });
  }

  keeps(...beliefs: readonly Belief[]): void {
    for (const belief of beliefs) this.checked.add(belief);
  }

  /** What the request was held to and kept, in the order of the checks. @param broken - What it was rejected for: the last one. */
  kept(broken?: Belief): readonly Belief[] {
    const checked = [...this.checked];
    const end = broken && checked.includes(broken) ? checked.indexOf(broken) : checked.length;
    return checked.slice(0, end).filter((kept) => this.noted.every(({ belief }) => belief !== kept));
  }
}

export const headersOf = ({ type, headers }: NetworkResponse): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  ...headers,
  'Content-Type': type,
});

export const textResponse = (body: string, status = 200, type = 'text/plain'): NetworkResponse => ({
  status,
  type: `${type}; charset=utf-8`,
  body,
});

export const json = (body: unknown, status = 200, headers: NetworkResponse['headers'] = {}) => ({
  ...textResponse(JSON.stringify(body), status, 'application/json'),
  headers,
});

/** An error of RFC 6749, section 5.2. */
export const oauthError = (
  belief: Belief,
  status: number,
  error: string,
  error_description: string | undefined,
  reason: string,
): ErrorResponse => new ErrorResponse(json({ error, error_description }, status), reason, belief);

/** Adds parameters to the URL, whose own query stays as it is. */
export function redirect(url: string, parameters: Fields = {}): NetworkResponse {
  const given = Parameters.of(parameters).toString();
  const separator = given === '' ? '' : url.includes('?') ? '&' : '?';
  return { ...textResponse(''), status: 302, headers: { Location: `${url}${separator}${given}` } };
}
