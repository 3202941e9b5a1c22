/** What the sandbox sends back. */
export interface Answer {
  readonly status: number;
  /** Media type, with its charset. */
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A request that the network refuses: thrown by an endpoint, sent as its answer, noted in the request log.
 *
 * The message is the reason in plain words, for the person who debugs a login; the answer holds only what the network
 * itself would say. Neither ever holds a secret, code or token.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly answer: Answer,
    reason: string,
  ) {
    super(reason);
  }
}

/** An answer in JSON. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body), headers };
}

/** An answer that is form-encoded, labelled as its network labels it. */
export function form(fields: Readonly<Record<string, string>>, type: string): Answer {
  return { status: 200, type, body: new URLSearchParams(fields).toString() };
}

/** A short answer in plain text. */
export function plain(body: string, status = 200): Answer {
  return { status, type: 'text/plain; charset=utf-8', body };
}

/** Sends the browser on. */
export function redirect(address: string): Answer {
  return { ...plain(''), status: 302, headers: { Location: address } };
}
