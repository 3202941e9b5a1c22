import { channel } from 'node:diagnostics_channel';
import { type LoginStep, ProviderError } from './errors.js';

/** Name of the channel of `node:diagnostics_channel` on which each request to a network is reported when it has ended. */
export const requestChannel = 'passport-social-networks:request';

/** What is reported of a request to a network. Never an address beyond its host, never a secret, token, code or name. */
export interface RequestReport {
  /** The strategy's name. */
  readonly provider: string;
  /** Which part of a login, refresh or revocation it was. */
  readonly step: LoginStep;
  /** `GET` or `POST`. */
  readonly method: string;
  /** Host, and port where it is not the protocol's own. */
  readonly host: string;
  /** HTTP status; absent when no whole answer came. */
  readonly status?: number;
  /** From before the connection to after the answer was read, in milliseconds. */
  readonly duration: number;
  /**
   * `succeeded`; `retried` when the request is made again after a pause; else the error's `code`: `refused`, `rate_limited`, `timeout`,
   * `unreadable_answer`, ...
   */
  readonly outcome: string;
}

/** A request that is on its way, as far as it is reported. */
export interface ObservedRequest {
  /** Reports the request as it ends: with what `read` returns or throws. */
  end<T>(status: number | undefined, read: () => T): T;
  /** Reports that the request will be made again. */
  retry(status: number | undefined): void;
}

const reports = channel(requestChannel);

/** Nothing is measured while nobody listens. */
const unobserved: ObservedRequest = { end: (_status, read) => read(), retry: () => {} };

export function observe(
  request: Pick<RequestReport, 'provider' | 'step' | 'method' | 'host'>,
): ObservedRequest {
  if (!reports.hasSubscribers) return unobserved;
  const begun = performance.now();
  const report = (status: number | undefined, outcome: string) => {
    const duration = performance.now() - begun;
    reports.publish({ ...request, ...(status !== undefined && { status }), duration, outcome });
  };
  return {
    end(status, read) {
      try {
        const result = read();
        report(status, 'succeeded');
        return result;
      } catch (error) {
        // An error of the application's own making, out of an answer that is one.
        report(status, error instanceof ProviderError ? error.code : 'refused');
        throw error;
      }
    },
    retry: (status) => report(status, 'retried'),
  };
}
