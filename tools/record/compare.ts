import { formDecode, isObject } from '../../lib/core/http/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import type { ExchangeNetwork } from '../../test/exchanges/networks.js';
import { Browser } from '../../test/support/browser.js';
import { type Recording, recordLogin } from './login.js';

/** Path of a member, such as `data.user.open_id` or `errors[].code` -> the types that it had. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

export interface Difference {
  readonly member: string;
  readonly kind: 'added' | 'missing' | 'type';
  readonly recorded: string;
  readonly sandbox: string;
}

/** The members of a response with their types, without its values. */
export function shapeOf(response: unknown): Shape {
  const shape = new Map<string, Set<string>>();
  const form = typeof response === 'string' && /^[\w.%~+-]+=\S*$/.test(response) && formDecode(response);
  addTo(shape, '', form || response);
  return shape;
}

function addTo(shape: Map<string, Set<string>>, path: string, value: unknown): void {
  const types = shape.get(path) ?? new Set();
  shape.set(path, types.add(typeOf(value)));
  if (Array.isArray(value)) for (const item of value) addTo(shape, `${path}[]`, item);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) addTo(shape, path ? `${path}.${name}` : name, member);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** How a shape differs from all of the others. Members of a member that differs are left out. */
export function differences(recorded: Shape, others: readonly Shape[]): Difference[] {
  const found: Difference[] = [];
  const isBelow = (path: string) =>
    found.some(
      ({ member }) => member === '' || path.startsWith(`${member}.`) || path.startsWith(`${member}[]`),
    );
  const add = (member: string, kind: Difference['kind'], sandbox: string) => {
    const types = [...(recorded.get(member) ?? [])].join(' or ');
    if (!isBelow(member)) found.push({ member, kind, recorded: types, sandbox });
  };
  for (const [member, types] of recorded) {
    const known = new Set(others.flatMap((shape) => [...(shape.get(member) ?? [])]));
    if (known.size === 0) add(member, 'added', '');
    else if ([...types].some((type) => !known.has(type))) add(member, 'type', [...known].join(' or '));
  }
  const [first = new Map<string, ReadonlySet<string>>(), ...rest] = others;
  for (const [member, types] of first) {
    const isAlways = rest.every((shape) => shape.has(member));
    if (isAlways && !recorded.has(member)) add(member, 'missing', [...types].join(' or '));
  }
  return found;
}

/** How the same logins end at the sandbox. */
export interface SandboxLogins {
  /** One for each person who can log in. */
  readonly logins: readonly Recording[];
  /** Why the sandbox refused requests. */
  readonly refused: readonly string[];
  /** What the sandbox supposes that the network refuses. */
  readonly noted: readonly string[];
}

/** Logs all people of the sandbox in, with the same options but for credentials and URLs. */
export async function sandboxLogins(
  network: ExchangeNetwork,
  options: Readonly<Record<string, unknown>>,
  revokes: boolean,
): Promise<SandboxLogins> {
  const sandbox = await startSandbox();
  try {
    const own = sandboxOptions(sandbox, network, options);
    const others = Object.entries(options).filter(([name]) => !/URL$|^client|^service/.test(name));
    const settings = { network, options: { ...Object.fromEntries(others), ...own }, port: 0, revokes };
    const logins: Recording[] = [];
    for (const { id } of sandbox.people) {
      const onReady = (url: string) => browse(url, id);
      const login = await recordLogin({ ...settings, onReady }).catch(() => undefined);
      if (login?.outcome.kind === 'success') logins.push(login);
    }
    const requests = sandbox.requests();
    return {
      logins,
      refused: [...new Set(requests.flatMap(({ refused }) => refused ?? []))],
      noted: [...new Set(requests.flatMap(({ noted }) => noted ?? []))],
    };
  } finally {
    await sandbox.close();
  }
}

function sandboxOptions(
  sandbox: Sandbox,
  { name, options: { version } }: ExchangeNetwork,
  options: Readonly<Record<string, unknown>>,
): object {
  const network = NETWORKS.find((definition) => definition.name === name);
  if (!network) throw new Error(`The sandbox does not play ${name}.`);
  const known = network.versions.find((candidate) => candidate === version);
  // VK ID's client secret is never sent.
  const secret = version === '2.1' ? options.serviceToken : options.clientSecret;
  const client = secret === undefined ? 'public' : 'confidential';
  return sandbox.options(network.name, { ...(known !== undefined && { version: known }), client });
}

/** What a browser does, without asking its user. */
async function browse(url: string, person: string): Promise<void> {
  const browser = new Browser();
  const start = await browser.get(url);
  if (start.location === '') return;
  const consent = await browser.get(`${start.location}&auto=allow&person=${person}`);
  if (consent.location === '') throw new Error(`The sandbox shows a page with status ${consent.status}.`);
  await browser.get(consent.location);
}

/** An exchange with its step, recorded at the network without private values or at the sandbox. */
export interface Compared {
  readonly step: string;
  readonly status: number;
  readonly contentType: string;
  readonly shape: Shape;
  readonly isError: boolean;
}

/** One sentence for each contradiction between the network and the sandbox. */
export function contradictions(recorded: readonly Compared[], sandbox: readonly Compared[]): string[] {
  return recorded.flatMap((exchange) => {
    const { step, status, contentType, shape } = exchange;
    const same = sandbox.filter((other) => other.step === step && other.isError === exchange.isError);
    if (same.length === 0) {
      const kind = exchange.isError ? `an error response (status ${status})` : 'a response';
      return [`${step}: ${kind}, and never one from the sandbox`];
    }
    const valuesOf = (pick: (other: Compared) => string | number) => [...new Set(same.map(pick))];
    const differing = (what: string, value: string | number, values: readonly (string | number)[]) =>
      values.includes(value) ? [] : [`${step}: ${what} ${value}; at the sandbox ${values.join(' or ')}`];
    return [
      ...differing(
        'status',
        status,
        valuesOf((other) => other.status),
      ),
      ...differing(
        'content type',
        contentType || '(none)',
        valuesOf((other) => other.contentType || '(none)'),
      ),
      ...differences(
        shape,
        same.map((other) => other.shape),
      ).map((difference) => `${step}: ${sentence(difference)}`),
    ];
  });
}

function sentence({ member, kind, recorded, sandbox }: Difference): string {
  const name = member || 'the body';
  if (kind === 'added') return `${name} (${recorded}) is never sent by the sandbox`;
  if (kind === 'missing')
    return `${name} (${sandbox}) is always sent by the sandbox, and the network did not send it`;
  return `${name} is of type ${recorded}; at the sandbox ${sandbox}`;
}
