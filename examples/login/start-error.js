// @ts-check

/** Something that the person who starts the app has to mend. The message is one line and names the remedy. */
export class StartError extends Error {}

/**
 * The short reason of an error, for a message of one line: code or text, never an address with a password in it.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  if (!(error instanceof Error)) return 'no reason given';
  // An attempt over IPv6 and IPv4 fails with both errors in one; a query that fails carries the query in its message.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code ?? error.message.split('\n')[0] ?? error.name;
}
