import type { Belief } from './evidence.js';

/** The parts of an HTTP request that a network's response depends on. */
export interface NetworkRequest {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** URL without its query: what an OAuth 1.0a signature covers. */
  readonly url: string;
  readonly query: Parameters;
  /** Form body; empty for any other body. */
  readonly form: Parameters;
  /** Whether the body is labelled `application/x-www-form-urlencoded`. */
  readonly isForm: boolean;
  /** Body of `multipart/form-data`; empty for any other body. Files are left out. */
  readonly multipart: Parameters;
  /** Body of `application/json`, an object whose values are all strings; empty for any other body. */
  readonly json: Parameters;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** Collects what the network may refuse about the request. */
  readonly notes: Notes;
}

/** OAuth forbids repeated parameters (RFC 6749, section 3.1), so a repeated one reads as missing. */
export class Parameters {
  constructor(private readonly pairs: readonly (readonly [string, string])[]) {}

  /** @param encoded - Form-encoded string, without a leading `?`. */
  static parse(encoded: string): Parameters {
    return new Parameters([...new URLSearchParams(encoded)]);
  }

  /** @param text - JSON of an object whose values are all strings. Any other text has no parameters. */
  static parseJSON(text: string): Parameters {
    const pairs = Object.entries(objectIn(text));
    return new Parameters(pairs.every(isTextPair) ? pairs : []);
  }

  /** Value of a parameter that is given exactly once. */
  get(name: string): string | undefined {
    const values = this.all(name);
    return values.length === 1 ? values[0] : undefined;
  }

  all(name: string): string[] {
    return this.pairs.filter(([key]) => key === name).map(([, value]) => value);
  }

  /** Whether the parameter is given at all, even if it is empty or repeated. */
  has(name: string): boolean {
    return this.pairs.some(([key]) => key === name);
  }

  entries(): readonly (readonly [string, string])[] {
    return this.pairs;
  }

  repeats(): boolean {
    return new Set(this.pairs.map(([key]) => key)).size < this.pairs.length;
  }

  /** The same parameters, of repeated ones only the first. */
  first(): Parameters {
    return new Parameters([...new Map(this.pairs.toReversed())].toReversed());
  }
}

function objectIn(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const isTextPair = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === 'string';

export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Token of an `Authorization: Bearer` header. Any character is accepted, because some networks go beyond RFC 6750. */
export const bearerToken = (request: NetworkRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1];

/** Credentials of an `Authorization: Basic` header, not percent-decoded. */
export function basicCredentials(request: NetworkRequest): BasicCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(request.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { id: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/** Parameters of query and form together, for endpoints that accept both, and for OAuth 1.0a signatures, which cover both. */
export const queryAndForm = (request: NetworkRequest): Parameters =>
  new Parameters([...request.query.entries(), ...request.form.entries()]);

/** Parameters of query and body together, for endpoints that also accept `multipart/form-data`. */
export const queryAndBody = (request: NetworkRequest): Parameters =>
  new Parameters([...queryAndForm(request).entries(), ...request.multipart.entries()]);

export interface NetworkResponse {
  readonly status: number;
  /** Media type, with its charset. */
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The message, for the log, says more than the network would, and never holds a secret, code or token. */
export class ErrorResponse extends Error {
  override readonly name = 'ErrorResponse';

  constructor(
    readonly response: NetworkResponse,
    reason: string,
    /** What the request breaks. */
    readonly belief: Belief,
  ) {
    super(reason);
  }
}

export const NOTE_PREFIX = 'the network may refuse this: ';

/** What the sandbox notes about one request that it does not reject. */
export class Notes {
  private readonly notes: ErrorResponse[] = [];

  /** @param isStrict - Whether supposed beliefs are enforced, too. */
  constructor(private readonly isStrict: boolean) {}

  /** Throws, unless the broken belief is only supposed: the request is noted, and handled as if it were right. */
  refuseOrNote(error: ErrorResponse): void {
    if (this.isStrict || error.belief.mark !== 'supposed') throw error;
    this.notes.push(error);
  }

  /** Makes a check that takes a belief and how the request breaks it, if it does. It is used as in `refuseOrNote`. */
  holdTo(
    respond: (belief: Belief, reason: string) => ErrorResponse,
  ): (belief: Belief, problem: string | false | undefined) => void {
    return (belief, problem) => {
      if (problem) this.refuseOrNote(respond(belief, problem));
    };
  }

  /** One sentence each. */
  list(): readonly string[] {
    return this.notes.map(({ message }) => `${NOTE_PREFIX}${message}`);
  }

  /** What the request breaks, in the order of `list`. */
  beliefs(): readonly Belief[] {
    return this.notes.map(({ belief }) => belief);
  }
}

/** A response and, for an error response, the reason for it. */
export interface Outcome {
  readonly response: NetworkResponse;
  /** Why the network rejected the request, for the request log. */
  readonly refused?: string;
  /** What the rejected request breaks. */
  readonly belief?: Belief;
}

export function outcomeOf(handle: () => NetworkResponse): Outcome {
  try {
    return { response: handle() };
  } catch (error) {
    if (error instanceof ErrorResponse) return errorOutcome(error);
    throw error;
  }
}

export const errorOutcome = ({ response, message: refused, belief }: ErrorResponse): Outcome => ({
  response,
  refused,
  belief,
});

/** The headers of a response: nothing may be cached. */
export const headersOf = ({ type, headers }: NetworkResponse): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  ...headers,
  'Content-Type': type,
});

export const json = (body: unknown, status = 200, headers: NetworkResponse['headers'] = {}) => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  headers,
});

/** A form-encoded response. @param type - Media type; a network may label it as something else. */
export const form = (fields: Readonly<Record<string, string>>, type: string): NetworkResponse => ({
  status: 200,
  type,
  body: new URLSearchParams(fields).toString(),
});

export const plain = (body: string, status = 200): NetworkResponse => ({
  status,
  type: 'text/plain; charset=utf-8',
  body,
});

export const redirect = (url: string): NetworkResponse => ({
  ...plain(''),
  status: 302,
  headers: { Location: url },
});
