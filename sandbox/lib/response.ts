import type { Belief } from './evidence.js';

/** A response of one of the networks. */
export interface NetworkResponse {
  readonly status: number;
  /** Media type, with its charset. */
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error response of one of the networks, thrown by an endpoint. The sandbox sends `response` and logs the message.
 *
 * The message says more about the reason than the network would, and never holds a secret, code or token.
 */
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

/** Begins every note. */
export const NOTE_PREFIX = 'the network may refuse this: ';

/** What the sandbox notes about one request that it does not reject. */
export class Notes {
  private readonly notes: ErrorResponse[] = [];

  /** @param isStrict - Whether supposed beliefs are enforced, too. */
  constructor(private readonly isStrict: boolean) {}

  /**
   * Rejects a request, unless the belief that it breaks is only supposed. Then the request is noted, and the caller handles it as
   * if it were right.
   *
   * @throws ErrorResponse the given one.
   */
  refuseOrNote(error: ErrorResponse): void {
    if (this.isStrict || error.belief.mark !== 'supposed') throw error;
    this.notes.push(error);
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

/** Runs an endpoint and catches the error response that it may throw. */
export function outcomeOf(handle: () => NetworkResponse): Outcome {
  try {
    return { response: handle() };
  } catch (error) {
    if (error instanceof ErrorResponse) return errorOutcome(error);
    throw error;
  }
}

/** The outcome of a request that ends in an error response. */
export function errorOutcome({ response, message: refused, belief }: ErrorResponse): Outcome {
  return { response, refused, belief };
}

/** A JSON response. */
export function json(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): NetworkResponse {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body), headers };
}

/** A form-encoded response. @param type - Media type; a network may label it as something else. */
export function form(fields: Readonly<Record<string, string>>, type: string): NetworkResponse {
  return { status: 200, type, body: new URLSearchParams(fields).toString() };
}

/** A plain-text response. */
export function plain(body: string, status = 200): NetworkResponse {
  return { status, type: 'text/plain; charset=utf-8', body };
}

/** A redirect, with status 302. */
export function redirect(url: string): NetworkResponse {
  return { ...plain(''), status: 302, headers: { Location: url } };
}
