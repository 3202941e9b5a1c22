import {
  integer,
  isObject,
  parseURL,
  remedy,
  SettingError,
  type Shape,
  shapeProblem,
  unknownProperty,
} from '../core/checks.js';
import { type NetworkRequest, queryAndBody } from '../core/http.js';
import type { ServedEndpoint } from '../core/network.js';
import type { SandboxNetwork, SandboxVersion } from '../networks.js';
import { NETWORKS, unknownNetwork, versionMistake } from '../networks.js';

/**
 * A failure at an endpoint.
 *
 * | kind            | what the client gets                                                                             |
 * | --------------- | ------------------------------------------------------------------------------------------------ |
 * | `answer`        | this status, body (an object is sent as JSON) and headers; no body by default                    |
 * | `delay`         | the network's own response, this many milliseconds late                                          |
 * | `gather`        | the network's own responses, together, as soon as so many requests wait, or after `milliseconds` (default 1,000) |
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
 * | `case`          | another response of the network, by its name                                                     |
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
  | { readonly kind: 'gather'; readonly requests: number; readonly milliseconds?: number }
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
  | { readonly kind: 'revoked-token' }
  | { readonly kind: 'case'; readonly case: string };

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

/** How a fault is written in one line. */
export const FAULT_FORM = 'network/endpoint=kind[:value][xTIMES]';

interface ActiveRule {
  readonly id: string;
  readonly rule: SandboxFaultRule;
  left: number;
}

/** The active faults of a sandbox. When several match a request, the latest applies. */
export class Faults {
  private rules: ActiveRule[] = [];
  private readonly known = new Set<string>();
  private added = 0;

  constructor(private readonly endpoints: readonly ServedEndpoint[]) {}

  /** @returns The fault's number. @throws TypeError */
  add(rule: SandboxFaultRule): string {
    checkRule(rule, this.endpoints);
    this.added += 1;
    const id = String(this.added);
    this.known.add(id);
    const { times: left = Number.POSITIVE_INFINITY } = rule;
    this.rules = [{ id, rule: structuredClone(rule), left }, ...this.rules];
    return id;
  }

  /** @returns Whether there was such a fault; it may have been spent. */
  remove(id: string): boolean {
    this.rules = this.rules.filter((other) => other.id !== id);
    return this.known.delete(id);
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
  list(): readonly (SandboxFaultRule & { readonly id: string })[] {
    return this.rules.map(({ id, rule, left }) => ({
      ...rule,
      id,
      ...(Number.isFinite(left) && { times: left }),
    }));
  }

  reset(): void {
    this.rules = [];
    this.known.clear();
  }
}

function matchesEndpoint(rule: SandboxFaultRule, endpoint: ServedEndpoint): boolean {
  const { network = endpoint.network, version = endpoint.version, fault } = rule;
  const { faultResponses } = endpoint;
  const needsCredential = fault.kind === 'expired-code' || fault.kind === 'revoked-token';
  return (
    rule.endpoint === endpoint.name &&
    network === endpoint.network &&
    (endpoint.version === undefined || version === endpoint.version) &&
    (!needsCredential || faultResponses[fault.kind] !== undefined) &&
    (fault.kind !== 'case' || Object.hasOwn(faultResponses.cases, fault.case))
  );
}

/** A refresh sends no code that could have expired, and the exchange of a code sends no token that could have been revoked. */
function matchesRequest({ kind }: SandboxFault, request: NetworkRequest): boolean {
  const grantType = queryAndBody(request).get('grant_type') ?? request.json.get('grant_type');
  if (kind === 'expired-code') return grantType !== 'refresh_token';
  return kind !== 'revoked-token' || grantType !== 'authorization_code';
}

const isURL = (value: unknown): boolean => typeof value === 'string' && parseURL(value) !== undefined;

const isBody = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);

const isHeaders = (value: unknown): boolean => isObject(value) && Object.entries(value).every(isHeader);

const isHeader = ([name, value]: [string, unknown]): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value);

const KINDS: Readonly<Record<SandboxFault['kind'], Shape>> = {
  answer: {
    status: integer(200, 599, 'must be an HTTP status from 200 to 599'),
    'body?': [isBody, 'must be a string, or an object to send as JSON'],
    'headers?': [isHeaders, 'must be an object of header names and string values'],
  },
  delay: { milliseconds: integer(0, 2_147_483_647) },
  gather: { requests: integer(1, 1_000), 'milliseconds?': integer(0, 2_147_483_647) },
  hang: {},
  reset: {},
  cut: { 'bytes?': integer(0, 100_000_000) },
  drip: { 'milliseconds?': integer(0, 2_147_483_647) },
  huge: { 'bytes?': integer(20, 100_000_000) },
  'wrong-type': {},
  redirect: { 'location?': [isURL, 'must be an absolute URL'] },
  malformed: {},
  'rate-limit': { 'seconds?': integer(0, 1_000_000) },
  'expired-code': {},
  'revoked-token': {},
  case: { case: [(value) => typeof value === 'string', 'must be a name'] },
};

/** Every kind of fault. */
export const FAULT_KINDS: readonly string[] = Object.keys(KINDS);

/** The property that the value after the colon sets, for the kinds that take a value. */
export const VALUE_PROPERTIES: { readonly [K in SandboxFault['kind']]?: string } = {
  answer: 'status',
  delay: 'milliseconds',
  gather: 'requests',
  cut: 'bytes',
  drip: 'milliseconds',
  huge: 'bytes',
  redirect: 'location',
  'rate-limit': 'seconds',
  case: 'case',
};

/**
 * Parses a fault such as `microblog/token=answer:503x2` or `social-network@2.1/token=hang`. Hyphens may stand for the spaces in
 * the names of endpoints. Network, endpoint, kind and value are checked when the fault is added.
 */
export function readFault(fault: string): SandboxFaultRule {
  const [, rule = '', times] = /^(.*?)(?:x(\d+))?$/.exec(fault) ?? [];
  const [, network, version, endpoint = '', kind = '', value] =
    /^([^/@=]+)(?:@([^/=]+))?\/([^=]+)=([a-z-]+)(?::(.+))?$/.exec(rule) ?? [];
  if (network === undefined) {
    throw new TypeError(
      `sandbox.fault ${fault}: a fault has the form ${FAULT_FORM}, such as microblog/token=answer:503x2`,
    );
  }
  return {
    network: network as SandboxNetwork,
    ...(version !== undefined && { version: version as SandboxVersion }),
    endpoint: endpoint.replaceAll('-', ' '),
    fault: { kind, ...valueProperty(kind, value) } as SandboxFault,
    ...(times !== undefined && { times: Number(times) }),
  };
}

function valueProperty(kind: string, value: string | undefined): object {
  if (value === undefined) return {};
  const property = Object.entries(VALUE_PROPERTIES).find(([name]) => name === kind)?.[1] ?? 'value';
  return { [property]: ['location', 'case'].includes(property) ? value : Number(value) };
}

/** Checks a rule at run time, because JavaScript and the command line have no compiler to do it. */
function checkRule(rule: SandboxFaultRule, endpoints: readonly ServedEndpoint[]): void {
  const unknown = unknownProperty(rule, ['network', 'version', 'endpoint', 'fault', 'times']);
  if (unknown) throw mistake(unknown[1], unknown[0]);
  const { network, version, endpoint, times } = rule;
  const versions = [...new Set(NETWORKS.flatMap((known): readonly SandboxVersion[] => known.versions))];
  if (network !== undefined && NETWORKS.every(({ name }) => name !== network))
    throw mistake(unknownNetwork(network), 'network');
  const wrongType = versionMistake(version);
  if (wrongType !== undefined) throw mistake(wrongType, 'version');
  if (version !== undefined && !versions.includes(version)) throw unknownValue('version', version, versions);
  const [isCount, requirement] = integer(1, Number.MAX_SAFE_INTEGER, 'must be an integer, 1 or more');
  if (times !== undefined && !isCount(times)) throw mistake(`times ${requirement}`, 'times');
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
  if (candidates.some((candidate) => matchesEndpoint(rule, candidate))) return;
  const { kind } = rule.fault;
  if (rule.fault.kind === 'case') {
    const there = candidates.filter(({ name }) => name === endpoint);
    const cases = new Set(there.flatMap(({ faultResponses }) => Object.keys(faultResponses.cases)));
    throw unknownValue('case', rule.fault.case, [...cases], ` of ${quoted(endpoint)}`);
  }
  const credential = kind === 'expired-code' ? 'code or request token' : 'access or refresh token';
  throw mistake(`${quoted(endpoint)} takes no ${credential}, so ${quoted(kind)} cannot apply`);
}

function checkFault(fault: SandboxFault): void {
  const { kind, ...properties }: { readonly kind?: unknown } = Object(fault);
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind))
    throw unknownValue('fault', kind, Object.keys(KINDS));
  const problem = shapeProblem(properties, KINDS[kind as SandboxFault['kind']], ` of ${quoted(kind)}`);
  if (problem) throw mistake(problem[1], 'fault', problem[0]);
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value));

const unknownValue = (what: string, value: unknown, known: readonly string[], place = ''): SettingError =>
  mistake(`unknown ${what} ${quoted(value)}${place}${remedy(String(value), known)}`, what);

const mistake = (message: string, ...path: readonly string[]): SettingError =>
  new SettingError(`sandbox.fault: ${message}`, path);
