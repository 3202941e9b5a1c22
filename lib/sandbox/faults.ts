import type { Call } from './call.js';
import { checkFault } from './fault-check.js';
import { concerns, strikes } from './fault-match.js';
import type { SandboxNetwork, SandboxVersion, ServedEndpoint } from './network.js';

/**
 * What can go wrong at an endpoint.
 *
 * | kind            | what the caller gets                                                                           |
 * | --------------- | ---------------------------------------------------------------------------------------------- |
 * | `answer`        | this status, body (an object goes out as JSON) and headers; no body by default                  |
 * | `delay`         | the network's own answer, so many milliseconds late                                             |
 * | `hang`          | nothing, until caller or sandbox closes the connection                                          |
 * | `reset`         | a connection that is reset                                                                      |
 * | `cut`           | the first bytes (default 10) of the network's own answer, whose length was announced, then its end |
 * | `drip`          | the network's own answer, one byte every so many milliseconds (default 100)                     |
 * | `huge`          | JSON of so many bytes (default 8 MB, at most 100 MB), whose length was not announced             |
 * | `wrong-type`    | a page, labelled `text/html`, with status 200                                                   |
 * | `redirect`      | 302 to an address (default `https://elsewhere.example/`)                                         |
 * | `malformed`     | JSON that breaks off, with status 200                                                           |
 * | `rate-limit`    | what the network answers to too many requests; `seconds` (default 60) where it says how long     |
 * | `expired-code`  | what it answers when the code, or request token, has expired; for exchanges, not for refreshes   |
 * | `revoked-token` | what it answers when the access or refresh token was revoked; not for exchanges                  |
 */
export type SandboxFault =
  | {
      readonly kind: 'answer';
      /** 200 to 599. */
      readonly status: number;
      /** Text goes out as it is, an object as JSON. Default: no body. */
      readonly body?: string | object;
      /** By name, of visible ASCII characters. Default: `Content-Type` alone, by the body. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly bytes?: number }
  | { readonly kind: 'drip'; readonly milliseconds?: number }
  | { readonly kind: 'huge'; readonly bytes?: number }
  | { readonly kind: 'wrong-type' }
  | { readonly kind: 'redirect'; readonly location?: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'rate-limit'; readonly seconds?: number }
  | { readonly kind: 'expired-code' }
  | { readonly kind: 'revoked-token' };

/** A fault, and where it strikes. */
export interface SandboxFaultRule {
  /** Default: every network that has such an endpoint. */
  readonly network?: SandboxNetwork;
  /**
   * Protocol, where two of a network have an endpoint of that name: `1.0` and `2.0` at microblog, `2.0` (classic) and
   * `2.1` (VK ID) at social-network. Default: both.
   */
  readonly version?: SandboxVersion;
  /** As the request log calls it, such as `token`, `profile` or `users.get`. */
  readonly endpoint: string;
  /** What the requests get in place of the network's answer, or on top of it. */
  readonly fault: SandboxFault;
  /** How many requests it strikes. Default: all until it is lifted. */
  readonly times?: number;
}

interface ActiveRule {
  readonly rule: SandboxFaultRule;
  left: number;
}

/** The faults of a sandbox. Of several for one request the latest strikes. */
export class Faults {
  private rules: ActiveRule[] = [];

  constructor(private readonly endpoints: readonly ServedEndpoint[]) {}

  /**
   * Adds a fault.
   *
   * @returns Lifts it; twice does no harm.
   * @throws TypeError naming what is wrong with it, and what there is.
   */
  add(rule: SandboxFaultRule): () => void {
    checkFault(rule, this.endpoints);
    const active = { rule: structuredClone(rule), left: rule.times ?? Number.POSITIVE_INFINITY };
    this.rules = [active, ...this.rules];
    return () => {
      this.rules = this.rules.filter((other) => other !== active);
    };
  }

  /** The fault that strikes a request, which then counts as struck. */
  take(endpoint: ServedEndpoint, call: Call): SandboxFault | undefined {
    const found = this.rules.find(({ rule }) => strikes(rule, endpoint) && concerns(rule.fault, call));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.rules = this.rules.filter((other) => other !== found);
    return found.rule.fault;
  }

  /** Those that still strike, with the number of requests left to each; the latest first. */
  list(): readonly SandboxFaultRule[] {
    return this.rules.map(({ rule, left }) => (Number.isFinite(left) ? { ...rule, times: left } : rule));
  }

  /** Lifts every fault. */
  clear(): void {
    this.rules = [];
  }
}
