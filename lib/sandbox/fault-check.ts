import { strikes } from './fault-match.js';
import type { SandboxFault, SandboxFaultRule } from './faults.js';
import { NETWORKS, type ServedEndpoint, VERSIONS } from './network.js';

type Check = readonly [is: (value: unknown) => boolean, takes: string];

const MILLISECONDS: Check = [isCount(0, 2_147_483_647), 'takes milliseconds, zero or more'];

/** What each kind takes; a member without a question mark must be there. */
const KINDS: Readonly<Record<SandboxFault['kind'], Readonly<Record<string, Check>>>> = {
  answer: {
    status: [isCount(200, 599), 'takes an HTTP status from 200 to 599'],
    'body?': [
      (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
      'takes text, or an object to be sent as JSON',
    ],
    'headers?': [isHeaders, 'takes an object of header names and texts'],
  },
  delay: { milliseconds: MILLISECONDS },
  hang: {},
  reset: {},
  cut: { 'bytes?': [isCount(0, 100_000_000), 'takes a number of bytes'] },
  drip: { 'milliseconds?': MILLISECONDS },
  huge: { 'bytes?': [isCount(20, 100_000_000), 'takes a number of bytes from 20 to 100000000'] },
  'wrong-type': {},
  redirect: {
    'location?': [(value) => typeof value === 'string' && URL.canParse(value), 'takes an absolute address'],
  },
  malformed: {},
  'rate-limit': { 'seconds?': [isCount(0, 1_000_000), 'takes seconds, zero or more'] },
  'expired-code': {},
  'revoked-token': {},
};

/** Every kind of fault. */
export const FAULT_KINDS = Object.keys(KINDS) as readonly SandboxFault['kind'][];

/**
 * Checks a fault that was handed in, also by those whom no compiler warns.
 *
 * @throws TypeError naming what is wrong with it, and what there is.
 */
export function checkFault(rule: SandboxFaultRule, endpoints: readonly ServedEndpoint[]): void {
  const { network, version, endpoint, times } = rule;
  if (network !== undefined && !NETWORKS.includes(network)) {
    throw mistake(`there is no network ${quoted(network)}; there are ${NETWORKS.join(', ')}`);
  }
  if (version !== undefined && !VERSIONS.includes(version)) {
    throw mistake(`there is no version ${quoted(version)}; there are ${VERSIONS.join(', ')}`);
  }
  if (times !== undefined && !isCount(1, Number.MAX_SAFE_INTEGER)(times)) {
    throw mistake('times takes a number of requests, 1 or more');
  }
  checkKind(rule.fault);
  const here = endpoints.filter((candidate) => network === undefined || network === candidate.network);
  const there = here.filter(
    (candidate) => version === undefined || candidate.version === undefined || version === candidate.version,
  );
  const names = [...new Set(there.map(({ name }) => name))];
  if (!names.includes(endpoint)) {
    const where = [network, version].filter((part) => part !== undefined).join(' ');
    throw mistake(
      `there is no endpoint ${quoted(endpoint)}${where && ` at ${where}`}; there are ${names.join(', ')}`,
    );
  }
  if (!there.some((candidate) => strikes(rule, candidate))) {
    throw mistake(
      rule.fault.kind === 'expired-code'
        ? `nothing is exchanged at ${quoted(endpoint)}, so no code can have expired there`
        : `no token is sent to ${quoted(endpoint)}, so none can have been revoked`,
    );
  }
}

function checkKind(fault: SandboxFault): void {
  const kind: unknown = Object(fault).kind;
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) {
    throw mistake(`there is no fault ${quoted(kind)}; there are ${FAULT_KINDS.join(', ')}`);
  }
  const members = Object.entries(KINDS[kind as SandboxFault['kind']]);
  for (const [member, [is, takes]] of members) {
    const name = member.replace('?', '');
    const value: unknown = Reflect.get(fault, name);
    if (value === undefined && member !== name) continue;
    if (!is(value)) throw mistake(`${name} of ${quoted(kind)} ${takes}`);
  }
  const known = ['kind', ...members.map(([member]) => member.replace('?', ''))];
  const unknown = Object.keys(fault).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw mistake(
    `${quoted(kind)} takes no ${quoted(unknown)}; it takes ${known.slice(1).join(', ') || 'nothing'}`,
  );
}

function isCount(least: number, most: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

function isHeaders(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, text]) =>
        /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
        typeof text === 'string' &&
        /^[\t\x20-\x7e]*$/.test(text),
    )
  );
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

function mistake(problem: string): TypeError {
  return new TypeError(`sandbox.fault: ${problem}`);
}
