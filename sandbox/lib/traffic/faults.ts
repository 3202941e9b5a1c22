import { integer, type Shape, shapeProblem } from '../core/checks.js';
import { type NetworkRequest, queryAndBody } from '../core/http.js';
import type { ServedEndpoint } from '../core/network.js';
import { NETWORKS, type SandboxNetwork, type SandboxVersion } from '../networks.js';

/**
 * A failure at an endpoint.
 *
 * | kind            | what the client gets                                                                             |
 * | --------------- | ------------------------------------------------------------------------------------------------ |
 * | `answer`        | this status, body (an object is sent as JSON) and headers; no body by default                    |
 * | `delay`         | the network's own response, this many milliseconds late                                          |
 * | `hang`          | nothing, until client or sandbox closes the connection                                           |
 * | `reset`         | a connection reset                                                                               |
 * | `cut`           | the first bytes (default 10) of the network's own response, with its full `Content-Length`       |
 * | `drip`          | the network's own response, one byte every so many milliseconds (default 100)                    |
 * | `huge`          | JSON of this many bytes (default 8 MB, at most 100 MB), without a `Content-Length`               |
 * | `wrong-type`    | an HTML page, with status 200                                                                    |
 * | `redirect`      | 302 to a URL (default `https://elsewhere.example/`)                                              |
 * | `malformed`     | truncated JSON, with status 200                                                                  |
 * | `rate-limit`    | the network's response to too many requests, with `seconds` (default 60) if it says how long     |
 * | `expired-code`  | its response to an expired code or request token; does not apply to refreshes                    |
 * | `revoked-token` | its response to a revoked access or refresh token; does not apply to the exchange of a code      |
 */
export type SandboxFault =
  | {
      readonly kind: 'answer';
      /** 200 to 599. */
      readonly status: number;
      /** A string is sent as it is, an object as JSON. Default: no body. */
      readonly body?: string | object;
      /** Values of visible ASCII characters, by header name. Default: only a `Content-Type` that fits the body. */
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

/** A fault and the requests that it applies to. */
export interface SandboxFaultRule {
  /** Default: every network with such an endpoint. */
  readonly network?: SandboxNetwork;
  /**
   * Protocol version, for networks with two: `1.0` and `2.0` at microblog, `2.0` (classic) and `2.1` (VK ID) at
   * social-network. Default: both.
   */
  readonly version?: SandboxVersion;
  /** Name of the endpoint in the request log, such as `token`, `profile` or `users.get`. */
  readonly endpoint: string;
  /** What replaces or delays the network's own response. */
  readonly fault: SandboxFault;
  /** Number of requests that it applies to. Default: all, until the fault is removed. */
  readonly times?: number;
}

interface ActiveRule {
  readonly rule: SandboxFaultRule;
  left: number;
}

/** The active faults of a sandbox. When several match a request, the latest applies. */
export class Faults {
  private rules: ActiveRule[] = [];

  constructor(private readonly endpoints: readonly ServedEndpoint[]) {}

  /** @returns Removes the fault; calling it twice is harmless. @throws TypeError */
  add(rule: SandboxFaultRule): () => void {
    checkRule(rule, this.endpoints);
    const active = { rule: structuredClone(rule), left: rule.times ?? Number.POSITIVE_INFINITY };
    this.rules = [active, ...this.rules];
    return () => {
      this.rules = this.rules.filter((other) => other !== active);
    };
  }

  /** Finds the fault that applies to a request, and counts the request against its `times`. */
  trigger(endpoint: ServedEndpoint, request: NetworkRequest): SandboxFault | undefined {
    const found = this.rules.find(
      ({ rule }) => matchesEndpoint(rule, endpoint) && matchesRequest(rule.fault, request),
    );
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.rules = this.rules.filter((other) => other !== found);
    return found.rule.fault;
  }

  /** The active faults, latest first. `times` is the number of requests left. */
  list(): readonly SandboxFaultRule[] {
    return this.rules.map(({ rule, left }) => (Number.isFinite(left) ? { ...rule, times: left } : rule));
  }

  clear(): void {
    this.rules = [];
  }
}

function matchesEndpoint(rule: SandboxFaultRule, endpoint: ServedEndpoint): boolean {
  const { network = endpoint.network, version = endpoint.version } = rule;
  return (
    rule.endpoint === endpoint.name &&
    network === endpoint.network &&
    (endpoint.version === undefined || version === endpoint.version) &&
    (rule.fault.kind !== 'expired-code' || endpoint.faultResponses['expired-code'] !== undefined) &&
    (rule.fault.kind !== 'revoked-token' || endpoint.faultResponses['revoked-token'] !== undefined)
  );
}

/** A refresh sends no code that could have expired, and the exchange of a code sends no token that could have been revoked. */
function matchesRequest({ kind }: SandboxFault, request: NetworkRequest): boolean {
  const grantType = queryAndBody(request).get('grant_type') ?? request.json.get('grant_type');
  if (kind === 'expired-code') return grantType !== 'refresh_token';
  return kind !== 'revoked-token' || grantType !== 'authorization_code';
}

const KINDS: Readonly<Record<SandboxFault['kind'], Shape>> = {
  answer: {
    status: integer(200, 599, 'must be an HTTP status from 200 to 599'),
    'body?': [
      (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
      'must be a string, or an object to send as JSON',
    ],
    'headers?': [isHeaders, 'must be an object of header names and string values'],
  },
  delay: { milliseconds: integer(0, 2_147_483_647) },
  hang: {},
  reset: {},
  cut: { 'bytes?': integer(0, 100_000_000) },
  drip: { 'milliseconds?': integer(0, 2_147_483_647) },
  huge: { 'bytes?': integer(20, 100_000_000) },
  'wrong-type': {},
  redirect: {
    'location?': [(value) => typeof value === 'string' && URL.canParse(value), 'must be an absolute URL'],
  },
  malformed: {},
  'rate-limit': { 'seconds?': integer(0, 1_000_000) },
  'expired-code': {},
  'revoked-token': {},
};

/** Checks a rule at run time, because JavaScript and the command line have no compiler to do it. */
function checkRule(rule: SandboxFaultRule, endpoints: readonly ServedEndpoint[]): void {
  const { network, version, endpoint, times } = rule;
  const networks = NETWORKS.map(({ name }) => name);
  const versions = [...new Set(NETWORKS.flatMap((known): readonly SandboxVersion[] => known.versions))];
  if (network !== undefined && !networks.includes(network)) throw unknownValue('network', network, networks);
  if (version !== undefined && !versions.includes(version)) throw unknownValue('version', version, versions);
  const [isCount, requirement] = integer(1, Number.MAX_SAFE_INTEGER, 'must be an integer, 1 or more');
  if (times !== undefined && !isCount(times)) throw mistake(`times ${requirement}`);
  checkFault(rule.fault);
  const candidates = endpoints.filter(
    (candidate) =>
      (network === undefined || network === candidate.network) &&
      (version === undefined || candidate.version === undefined || version === candidate.version),
  );
  const names = [...new Set(candidates.map(({ name }) => name))];
  if (!names.includes(endpoint)) {
    const place = [network, version].filter((part) => part !== undefined).join(' ');
    throw unknownValue('endpoint', endpoint, names, place && ` at ${place}`);
  }
  if (!candidates.some((candidate) => matchesEndpoint(rule, candidate))) {
    const credential =
      rule.fault.kind === 'expired-code' ? 'code or request token' : 'access or refresh token';
    throw mistake(`${quoted(endpoint)} takes no ${credential}, so ${quoted(rule.fault.kind)} cannot apply`);
  }
}

function checkFault(fault: SandboxFault): void {
  const { kind, ...properties }: { readonly kind?: unknown } = Object(fault);
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind))
    throw unknownValue('fault', kind, Object.keys(KINDS));
  const problem = shapeProblem(properties, KINDS[kind as SandboxFault['kind']], ` of ${quoted(kind)}`);
  if (problem !== undefined) throw mistake(problem);
}

function isHeaders(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, header]) =>
        /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
        typeof header === 'string' &&
        /^[\t\x20-\x7e]*$/.test(header),
    )
  );
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value));

const unknownValue = (what: string, value: unknown, known: readonly string[], place = ''): TypeError =>
  mistake(`unknown ${what} ${quoted(value)}${place} (known: ${known.join(', ') || 'none'})`);

const mistake = (message: string): TypeError => new TypeError(`sandbox.fault: ${message}`);
