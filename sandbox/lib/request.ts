import type { Notes } from './response.js';

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

/**
 * Parameters of a query or a form.
 *
 * OAuth forbids repeated parameters (RFC 6749, section 3.1), so a repeated one reads as missing.
 */
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

  /** Every value of a parameter, in the order given. */
  all(name: string): string[] {
    return this.pairs.filter(([key]) => key === name).map(([, value]) => value);
  }

  /** Whether the parameter is given at all, even if it is empty or repeated. */
  has(name: string): boolean {
    return this.pairs.some(([key]) => key === name);
  }

  /** Name and value of every parameter, in the order given. */
  entries(): readonly (readonly [string, string])[] {
    return this.pairs;
  }

  /** Whether any parameter is repeated. */
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

function isTextPair(pair: [string, unknown]): pair is [string, string] {
  return typeof pair[1] === 'string';
}

/** Client credentials sent by HTTP Basic. */
export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Token of an `Authorization: Bearer` header. Any character is accepted, because some networks go beyond RFC 6750. */
export function bearerToken(request: NetworkRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1];
}

/** Credentials of an `Authorization: Basic` header, not percent-decoded. */
export function basicCredentials(request: NetworkRequest): BasicCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(request.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { id: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/** Parameters of query and form together, for endpoints that accept both, and for OAuth 1.0a signatures, which cover both. */
export function queryAndForm(request: NetworkRequest): Parameters {
  return new Parameters([...request.query.entries(), ...request.form.entries()]);
}

/** Parameters of query and body together, for endpoints that also accept `multipart/form-data`. */
export function queryAndBody(request: NetworkRequest): Parameters {
  return new Parameters([...queryAndForm(request).entries(), ...request.multipart.entries()]);
}
