import type { SandboxFault } from './faults.js';
import type { SandboxNetwork } from './network.js';

/** A request that reached one of the networks. Never holds a secret, code or token. */
export interface SandboxRequest {
  /** When it came, in milliseconds since 1970 of the machine's clock. */
  readonly time: number;
  /** Whose address it was. */
  readonly network: SandboxNetwork;
  /** What the path stands for, such as `authorization`, `token` or `profile`; `unknown` for a path without meaning. */
  readonly endpoint: string;
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path within the sandbox, without its query. */
  readonly path: string;
  /** HTTP status of the answer; 0 when a fault left it without any. Mind that two of the networks refuse with 200. */
  readonly status: number;
  /** Why the network said no, in plain words; absent when it said yes. */
  readonly refused?: string;
  /** Kind of the fault that struck it; absent when none did. */
  readonly fault?: SandboxFault['kind'];
}

const CAPACITY = 1_000;

/** The latest requests, newest last. */
export class RequestLog {
  private entries: SandboxRequest[] = [];

  /** @param listener - Called with each request, soon after it was noted. */
  constructor(private readonly listener?: (request: SandboxRequest) => void) {}

  /** Adds a request and drops the oldest beyond a thousand. */
  add(request: Omit<SandboxRequest, 'time'>): void {
    const entry = Object.freeze({ time: Date.now(), ...request });
    this.entries = [...this.entries.slice(1 - CAPACITY), entry];
    // Not at once, so that a listener that throws does not spoil the answer.
    if (this.listener) queueMicrotask(() => this.listener?.(entry));
  }

  /** A copy, newest last. */
  list(): readonly SandboxRequest[] {
    return [...this.entries];
  }

  /** Forgets every request. */
  clear(): void {
    this.entries = [];
  }
}
