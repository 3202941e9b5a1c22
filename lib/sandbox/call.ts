import { Parameters } from './parameters.js';

/** What a network reads of a request: no more than this decides its answer. */
export interface Call {
  /** In capitals. */
  readonly method: string;
  /** Address that was called, without its query: what an OAuth 1.0a signature covers. */
  readonly address: string;
  readonly query: Parameters;
  /** Body of a form; empty for any other body. */
  readonly form: Parameters;
  /** Whether the body is labelled `application/x-www-form-urlencoded`. */
  readonly isForm: boolean;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
}

/** Name and secret of a client, as they came by HTTP Basic. */
export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Token of an `Authorization: Bearer` header. Its characters are not judged: the networks use some beyond RFC 6750. */
export function bearerToken(call: Call): string | undefined {
  return /^Bearer +(\S+)$/i.exec(call.authorization ?? '')?.[1];
}

/** Credentials of an `Authorization: Basic` header, exactly as they were encoded. */
export function basicCredentials(call: Call): BasicCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(call.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { id: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/** Parameters of the query and of the form together, for endpoints that take them in either. */
export function queryAndForm(call: Call): Parameters {
  return new Parameters([...call.query.entries(), ...call.form.entries()]);
}
