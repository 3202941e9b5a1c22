// @ts-check

/** A request that this application rejects. The message is for the user, and its last sentence says what to do. */
export class RequestError extends Error {
  /** @param {number} status HTTP status @param {string} code Machine-readable code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A mistake in the setup. The message is one line and says how to fix it. */
export class StartError extends Error {}

/**
 * Returns an error's code or message for a one-line message. Never includes a URL with a password.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  if (!(error instanceof Error)) return 'no reason given';
  // A connection attempt over IPv6 and IPv4 fails with two errors. A failed query has the query in its message.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code ?? error.message.split('\n')[0] ?? error.name;
}
