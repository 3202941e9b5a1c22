import { type Answer, ExchangeFailure } from './exchange.js';

const PAUSE = 200;
const LONGEST_PAUSE = 2_000;
const RETRIED_STATUS = new Set([502, 503, 504]);

/**
 * How long to wait before a request is made again: what the network asked for, else growing with each attempt; spread, so that
 * clients do not march in step.
 *
 * @returns Milliseconds; `undefined` when trying again does not help, or the network asks for more patience than a login has.
 */
export function retryPause(
  attempt: number,
  answer: Answer | undefined,
  failure: unknown,
): number | undefined {
  const mayHelp = answer ? RETRIED_STATUS.has(answer.status) : isPassing(failure);
  if (!mayHelp) return undefined;
  const asked = answer && retryAfterSeconds(answer);
  const base = asked === undefined ? PAUSE * 2 ** attempt : asked * 1_000;
  const pause = base * (1 + Math.random() / 4);
  return pause > LONGEST_PAUSE ? undefined : pause;
}

/** Whether trying again may help: after a cut or refused connection, not after a deadline, a bad certificate or a size. */
function isPassing(failure: unknown): boolean {
  return !(
    failure instanceof ExchangeFailure &&
    failure.code !== 'connection_failed' &&
    failure.code !== 'answer_cut_short'
  );
}

/**
 * Reads `Retry-After` (seconds or a date, RFC 9110 section 10.2.3).
 *
 * @returns Seconds from now, never negative; `undefined` when absent or unreadable.
 */
export function retryAfterSeconds(answer: Answer): number | undefined {
  const value = answer.headers['retry-after'];
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const moment = Date.parse(value);
  return Number.isNaN(moment) ? undefined : Math.max(0, Math.ceil((moment - Date.now()) / 1_000));
}
