import type { SandboxNetwork } from './network.js';

/** A request that reached one of the networks. Never holds a secret, code or token. */
export interface SandboxRequest {
  readonly network: SandboxNetwork;
  /** What the path stands for, such as `authorization`, `token` or `profile`; `unknown` for a path without meaning. */
  readonly endpoint: string;
  readonly method: string;
  /** Path within the sandbox, without its query. */
  readonly path: string;
  /** HTTP status of the answer. Mind that two of the networks refuse with 200. */
  readonly status: number;
  /** Why the network said no, in plain words; absent when it said yes. */
  readonly refused?: string;
}

const CAPACITY = 1_000;

/** The latest requests, newest last. */
export class RequestLog {
  private entries: SandboxRequest[] = [];

  /** Adds a request and drops the oldest beyond a thousand. */
  add(request: SandboxRequest): void {
    this.entries = [...this.entries.slice(1 - CAPACITY), Object.freeze(request)];
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
