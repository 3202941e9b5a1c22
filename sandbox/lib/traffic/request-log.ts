import { EventEmitter, once } from 'node:events';
import type { Belief } from '../core/evidence.js';
import { type NetworkRequest, type NetworkResponse, Parameters, queryAndBody } from '../core/http.js';
import { type Login, MASK, type World } from '../core/world.js';
import type { SandboxNetwork } from '../networks.js';
import type { SandboxFault } from './faults.js';

/** A request to one of the networks. Never holds a secret, code or token. */
export interface SandboxRequest {
  /** Time of arrival, in milliseconds since 1970, by the machine's clock. */
  readonly time: number;
  readonly network: SandboxNetwork;
  /** Name of the endpoint, such as `authorization`, `token` or `profile`; `unknown` for any other path. */
  readonly endpoint: string;
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

type Handled = Omit<SandboxRequest, 'time' | 'method' | 'path'>;

/** A request with its number since the last reset, from 1, and with what the console shows of it without its secrets. */
export interface LoggedRequest {
  readonly number: number;
  readonly request: SandboxRequest;
  readonly received: NetworkRequest;
  /** Missing when a fault suppresses it. */
  readonly response: NetworkResponse | undefined;
  readonly login: Login | undefined;
}

/** Requests that are remembered; the oldest are dropped. */
const CAPACITY = 1_000;

const SHOWN = 4_000;

export class RequestLog {
  private entries: readonly LoggedRequest[] = [];
  private readonly added = new EventEmitter().setMaxListeners(0);

  constructor(
    private readonly world: World,
    private readonly listener?: (request: SandboxRequest) => void,
  ) {}

  add(request: Handled, received: NetworkRequest, sent?: NetworkResponse): void {
    const { method, path } = received;
    const entry = Object.freeze({ time: Date.now(), method, path, ...request });
    const login = received.notes.login ?? this.world.loginOf(valuesIn(received));
    // A copy, because a part of a string keeps all of it in memory.
    const body = Buffer.from(sent?.body.slice(0, SHOWN + 1) ?? '').toString();
    const response = sent && { ...sent, body };
    const logged = { number: this.count() + 1, request: entry, received, response, login };
    this.entries = [...this.entries.slice(1 - CAPACITY), logged];
    this.added.emit('request');
    // In a microtask, so that a listener that throws does not break the response.
    if (this.listener) queueMicrotask(() => this.listener?.(entry));
  }

  /** The first wanted request after so many, logged or still to come; `undefined` when the signal ends the wait. */
  async wait(isWanted: (request: SandboxRequest) => boolean, after: number, signal: AbortSignal) {
    const isNext = ({ number, request }: LoggedRequest): boolean => number > after && isWanted(request);
    while (!signal.aborted) {
      const found = this.entries.find(isNext);
      if (found) return found;
      // Rejects only when the signal ends the wait.
      await once(this.added, 'request', { signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** Number of requests since the last reset, also of those that were dropped. */
  count(): number {
    return this.entries.at(-1)?.number ?? 0;
  }

  list(): readonly SandboxRequest[] {
    return this.entries.map(({ request }) => request);
  }

  latest(count: number): readonly LoggedRequest[] {
    return this.entries.slice(-count).reverse();
  }

  reset(): void {
    this.entries = [];
  }
}

export const timeText = ({ time }: SandboxRequest): string => new Date(time).toTimeString().slice(0, 8);

export const statusText = ({ status }: SandboxRequest): string =>
  status === 0 ? 'no response' : String(status);

export const verdictText = ({ refused, fault, noted = [] }: SandboxRequest): string =>
  [fault && `fault: ${fault}`, refused && `refused: ${refused}`, ...noted].filter(Boolean).join('; ');

type Pair = [name: string, value: string];

const pairsOf = (request: NetworkRequest): readonly Pair[] => [...queryAndBody(request), ...request.json];

function valuesIn(request: NetworkRequest): readonly string[] {
  const [, token] = /(?:^Bearer +|oauth_token=")([^\s"]+)/i.exec(request.authorization ?? '') ?? [];
  const values = pairsOf(request).map(([, value]) => value);
  return token === undefined ? values : [token, ...values];
}

const SECRETS =
  /^(client_secret|service_token|code|code_verifier|device_id|ext_id|payload|denied|(\w+_)?token(_secret)?|oauth_verifier|oauth_signature|password|secret)$/i;

const maskedPair = (pair: string, start: string, name: string): string =>
  SECRETS.test(name) ? `${start}${name}=${MASK}` : pair;

const maskedForm = (text: string): string => text.replace(/(^|[?&])(\w+)=[^&]*/g, maskedPair);

export function shownTexts({ received, response }: LoggedRequest, world: World) {
  const { method, url, query, form, multipart, authorization } = received;
  const all = pairsOf(received);
  const secrets = all.filter(([name, value]) => SECRETS.test(name) && value.length > 5);
  /** Also without what was sent as a secret and comes back, although it is none of this sandbox. */
  const clean = (text: string): string =>
    world.masked(secrets.reduce((masked, [, secret]) => masked.replaceAll(secret, MASK), text));
  const shown = ([name, value]: Pair): Pair => [name, SECRETS.test(name) ? MASK : clean(value)];
  const header = /^OAuth /i.test(authorization ?? '')
    ? clean(authorization?.replace(/(\b)(\w+)="?[^",]*"?/g, maskedPair) ?? '')
    : authorization?.replace(/^(\w+ )?.*$/, `$1${MASK}`);
  const headers = header === undefined ? [] : [`Authorization: ${header}`];
  const search = new Parameters([...query].map(shown)).toString();
  const json = [...received.json].map(shown);
  const option = (name: string, pair: Pair): string => `${name} ${quoted(shown(pair).join('='))}`;
  const curl = [
    `curl -i -X ${method} ${quoted(`${url}${search && '?'}${search}`)}`,
    ...headers.map((line) => `-H ${quoted(line)}`),
    ...[...form].map((pair) => option('--data-urlencode', pair)),
    ...[...multipart].map((pair) => option('-F', pair)),
    ...(json.length > 0 ? [`--json ${quoted(JSON.stringify(Object.fromEntries(json)))}`] : []),
  ].join(' \\\n  ');
  const sent = [...headers, ...all.map((pair) => shown(pair).join(': '))].join('\n');
  return { sent, curl, answered: response ? clean(answerText(response)) : undefined };
}

/** For a shell, without what a terminal would act on when it is pasted. */
const quoted = (text: string): string =>
  `'${text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd').replaceAll("'", String.raw`'\''`)}'`;

function answerText({ status, type, body, headers = {} }: NetworkResponse): string {
  const lines = Object.entries(headers).filter(([name]) => name === 'Location' || name.startsWith('x-'));
  const tokens = /"((?:\w+_)?token(?:_secret)?|device_id)":"[^"]*"/g;
  const text = maskedForm(body.slice(0, SHOWN).replace(tokens, `"$1":"${MASK}"`));
  const content = body.startsWith('<!doctype') ? '(a page)' : `${text}${body.length > SHOWN ? '…' : ''}`;
  const shown = lines.map(([name, value]) => `${name}: ${maskedForm(value)}`);
  return [`${status} ${type}`, ...shown, '', content].join('\n').trimEnd();
}
