import { ANY, integer, isObject, remedy, SettingError, type Shape, shapeProblem } from '../core/checks.js';
import { type NetworkRequest, queryAndBody } from '../core/http.js';
import { casesAt, type ServedEndpoint } from '../core/network.js';
import type { SandboxNetwork, SandboxVersion } from '../networks.js';
import { NETWORKS, unknownNetwork, versionMistake } from '../networks.js';
import { isKind, KINDS, type SandboxFault, valueProperty } from './fault-kinds.js';

export type { SandboxFault } from './fault-kinds.js';

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
  readonly fault: SandboxFault;
  /** Number of requests that it applies to. Default: all, until the fault is removed. */
  readonly times?: number;
}

export const FAULT_FORM = 'network/endpoint=kind[:value][xTIMES]';

/** `times` is the number of requests left. */
type AddedRule = Omit<SandboxFaultRule, 'times'> & { times: number };

/** The faults of a sandbox. When several active ones match a request, the latest applies. */
export class Faults {
  /** By number. Those that have ended stay: to remove one is no mistake. */
  private readonly rules = new Map<string, AddedRule>();
  private added = 0;

  constructor(private readonly endpoints: readonly ServedEndpoint[]) {}

  /** @returns The fault's number. @throws TypeError */
  add(rule: SandboxFaultRule): string {
    checkRule(rule, this.endpoints);
    this.added += 1;
    const { times = Number.POSITIVE_INFINITY } = rule;
    this.rules.set(String(this.added), { ...structuredClone(rule), times });
    return String(this.added);
  }

  remove(id: string): boolean {
    return this.rules.delete(id);
  }

  trigger(endpoint: ServedEndpoint, request: NetworkRequest): SandboxFault | undefined {
    const isMatch = (rule: AddedRule) =>
      matchesEndpoint(rule, endpoint) && matchesRequest(rule.fault, request);
    const [, found] = this.active().find(([, rule]) => isMatch(rule)) ?? [];
    if (found) found.times -= 1;
    return found?.fault;
  }

  /** The active faults by number, latest first. */
  active(): readonly (readonly [id: string, rule: AddedRule])[] {
    return [...this.rules].filter(([, { times }]) => times > 0).reverse();
  }

  reset(): void {
    this.rules.clear();
  }
}

const isAt = ({ network, version }: SandboxFaultRule, at: ServedEndpoint): boolean =>
  [undefined, at.network].includes(network) &&
  (at.version === undefined || [undefined, at.version].includes(version));

function matchesEndpoint(rule: SandboxFaultRule, endpoint: ServedEndpoint): boolean {
  const { fault } = rule;
  const needsCredential = fault.kind === 'expired-code' || fault.kind === 'revoked-token';
  return (
    rule.endpoint === endpoint.name &&
    isAt(rule, endpoint) &&
    (!needsCredential || endpoint.faults[fault.kind][endpoint.name] !== undefined) &&
    (fault.kind !== 'case' || Object.hasOwn(casesAt(endpoint), fault.case))
  );
}

/** A refresh sends no code that could have expired, and the exchange of a code sends no token that could have been revoked. */
function matchesRequest({ kind }: SandboxFault, request: NetworkRequest): boolean {
  const grantType = queryAndBody(request).one('grant_type') ?? request.json.one('grant_type');
  if (kind === 'expired-code') return grantType !== 'refresh_token';
  return kind !== 'revoked-token' || grantType !== 'authorization_code';
}

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
  const property = valueProperty(kind) ?? 'value';
  const isNumber = !['location', 'case'].includes(property);
  return {
    network: network as SandboxNetwork,
    ...(version !== undefined && { version: version as SandboxVersion }),
    endpoint: endpoint.replaceAll('-', ' '),
    fault: { kind, ...(value && { [property]: isNumber ? Number(value) : value }) } as SandboxFault,
    ...(times !== undefined && { times: Number(times) }),
  };
}

const RULE: Shape = {
  'network?': ANY,
  'version?': ANY,
  'endpoint?': ANY,
  'fault?': ANY,
  'times?': integer(1, Number.MAX_SAFE_INTEGER, 'must be an integer, 1 or more'),
};

function checkRule(rule: SandboxFaultRule, endpoints: readonly ServedEndpoint[]): void {
  const problem = isObject(rule) ? shapeProblem(rule, RULE) : (['', 'a fault must be an object'] as const);
  if (problem) throw mistake(problem[1], problem[0]);
  const { network, version, endpoint, fault } = rule;
  const versions = [...new Set(endpoints.flatMap((known) => known.version ?? []))].sort();
  if (network !== undefined && NETWORKS.every(({ name }) => name !== network))
    throw mistake(unknownNetwork(network), 'network');
  const wrongType = versionMistake(version);
  if (wrongType !== undefined) throw mistake(wrongType, 'version');
  if (version !== undefined && !versions.includes(version)) throw unknownValue('version', version, versions);
  checkFault(fault);
  const candidates = endpoints.filter((candidate) => isAt(rule, candidate));
  const there = candidates.filter(({ name }) => name === endpoint);
  if (there.length === 0) {
    const place = [network, version].filter((part) => part !== undefined).join(' ');
    const names = new Set(candidates.map(({ name }) => name));
    throw unknownValue('endpoint', endpoint, [...names], place && ` at ${place}`);
  }
  if (there.some((candidate) => matchesEndpoint(rule, candidate))) return;
  if (fault.kind === 'case') {
    const cases = new Set(there.flatMap((known) => Object.keys(casesAt(known))));
    throw unknownValue('case', fault.case, [...cases], ` of ${quoted(endpoint)}`);
  }
  const credential = fault.kind === 'expired-code' ? 'code or request token' : 'access or refresh token';
  throw mistake(`${quoted(endpoint)} takes no ${credential}, so ${quoted(fault.kind)} cannot apply`);
}

function checkFault(fault: SandboxFault): void {
  const { kind, ...properties }: { readonly kind?: unknown } = Object(fault);
  if (!isKind(kind)) throw unknownValue('fault', kind, Object.keys(KINDS));
  const problem = shapeProblem(properties, KINDS[kind].shape, ` of ${quoted(kind)}`);
  if (problem) throw mistake(problem[1], 'fault', problem[0]);
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value));

const unknownValue = (what: string, value: unknown, known: readonly string[], place = ''): SettingError =>
  mistake(`unknown ${what} ${quoted(value)}${place}${remedy(String(value), known)}`, what);

const mistake = (message: string, ...path: readonly string[]): SettingError =>
  new SettingError(`sandbox.fault: ${message}`, path);
