import type { Belief } from '../core/evidence.js';
import type { NetworkRequest, NetworkResponse } from '../core/http.js';
import type { SandboxNetwork } from '../networks.js';
import { briefly, type Exchange, Logins } from './exchanges.js';
import type { SandboxFault } from './faults.js';

/** A request to one of the networks. Never holds a secret, code or token. */
export interface SandboxRequest {
  /** Time of arrival, in milliseconds since 1970, by the machine's clock. */
  readonly time: number;
  /** Name of the network, by the path's prefix. */
  readonly network: SandboxNetwork;
  /** Name of the endpoint, such as `authorization`, `token` or `profile`; `unknown` for any other path. */
  readonly endpoint: string;
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path within the sandbox, without its query. */
  readonly path: string;
  /** HTTP status of the response; 0 when a fault suppressed the response. Two of the networks send errors with status 200. */
  readonly status: number;
  /** Why the network rejected the request; missing when it did not. */
  readonly refused?: string;
  /** What the rejected request breaks, and how that is known; missing for a path or body that the sandbox cannot read. */
  readonly belief?: Belief;
  /** Why the network may refuse the request, although the sandbox did not; missing when there is nothing to note. */
  readonly noted?: readonly string[];
  /** What a noted request breaks, in the order of `noted`. */
  readonly notedBeliefs?: readonly Belief[];
  /** Kind of the fault that applied; missing when none did. */
  readonly fault?: SandboxFault['kind'];
}

const CAPACITY = 1_000;

/** A request and its number since the last reset, from 1. */
export interface LoggedRequest {
  readonly number: number;
  readonly request: SandboxRequest;
}

/** A request with what the console shows of it. */
export interface LoggedExchange extends LoggedRequest {
  readonly exchange: Exchange;
}

/** The latest requests, newest last. */
export class RequestLog {
  private entries: readonly LoggedExchange[] = [];
  private readonly logins = new Logins();
  private total = 0;
  private readonly waiting = new Set<(logged: LoggedRequest) => void>();

  /** @param listener - Called with each request, soon after it is logged. */
  constructor(private readonly listener?: (request: SandboxRequest) => void) {}

  /** Adds a request, and drops the oldest one when there are more than a thousand. */
  add(request: Omit<SandboxRequest, 'time'>, received: NetworkRequest, response?: NetworkResponse): void {
    const entry = Object.freeze({ time: Date.now(), ...request });
    const login = this.logins.of(request.endpoint, received, response);
    const exchange = { received, response: response && briefly(response), login };
    this.total += 1;
    this.entries = [...this.entries.slice(1 - CAPACITY), { number: this.total, request: entry, exchange }];
    for (const look of this.waiting) look({ number: this.total, request: entry });
    // In a microtask, so that a listener that throws does not break the response.
    if (this.listener) queueMicrotask(() => this.listener?.(entry));
  }

  /** The first wanted request after so many, logged or still to come; `undefined` when the signal ends the wait. */
  wait(
    isWanted: (request: SandboxRequest) => boolean,
    after: number,
    signal: AbortSignal,
  ): Promise<LoggedRequest | undefined> {
    const isNext = ({ number, request }: LoggedRequest): boolean => number > after && isWanted(request);
    const found = this.entries.find(isNext);
    if (found) return Promise.resolve({ number: found.number, request: found.request });
    return new Promise((resolve) => {
      const settle = (logged?: LoggedRequest): void => {
        this.waiting.delete(look);
        resolve(logged);
      };
      const look = (logged: LoggedRequest): void => {
        if (isNext(logged)) settle(logged);
      };
      this.waiting.add(look);
      signal.addEventListener('abort', () => settle(), { once: true });
    });
  }

  /** Number of requests since the last reset, also of those that were dropped. */
  count(): number {
    return this.total;
  }

  /** A copy, newest last. */
  list(): readonly SandboxRequest[] {
    return this.entries.map(({ request }) => request);
  }

  /** The latest requests, newest first. */
  latest(count: number): readonly LoggedExchange[] {
    return this.entries.slice(-count).reverse();
  }

  /** Deletes every request. */
  reset(): void {
    this.entries = [];
    this.logins.clear();
    this.total = 0;
  }
}

/** Time of day of a request, `HH:MM:SS`, in the machine's time zone. */
export const timeText = ({ time }: SandboxRequest): string => new Date(time).toTimeString().slice(0, 8);

/** Status of the response, or that there was none. */
export const statusText = ({ status }: SandboxRequest): string =>
  status === 0 ? 'no response' : String(status);

/** The fault that applied, the reason for an error response and the notes; empty when there is none. */
export const verdictText = ({ refused, fault, noted = [] }: SandboxRequest): string =>
  [fault && `fault: ${fault}`, refused && `refused: ${refused}`, ...noted].filter(Boolean).join('; ');
