import type { Answer } from './exchange.js';

/** Callback of the base packages' HTTP clients. */
export type ClientCallback = (error: unknown, ...results: unknown[]) => void;

/**
 * What a callback of the base clients gets: the body and something like a response.
 *
 * @throws Their form of an error, status and body, for every status but 2xx.
 */
export function callbackValues({ status, text, headers }: Answer): unknown[] {
  if (status >= 200 && status <= 299) return [text, { statusCode: status, headers }];
  throw { statusCode: status, data: text };
}

/**
 * Calls back with the results of a promise, or with what it rejects with. What the callback throws reaches it once more as
 * an error: in a promise it would end the process.
 */
export function callBack(results: Promise<unknown[]>, callback: ClientCallback): void {
  const call = (error: unknown, values: unknown[] = []) => {
    try {
      callback(error, ...values);
    } catch (thrown) {
      if (error) process.emitWarning('A callback of the application threw while it handled an error.');
      else call(thrown);
    }
  };
  results.then(
    (values) => call(null, values),
    (error: unknown) => call(error),
  );
}
