import type { ServerResponse } from 'node:http';
import { address, integer, isObject, namesOf, type Shape } from '../core/checks.js';
import type { ErrorResponse, NetworkRequest, NetworkResponse } from '../core/http.js';
import { headersOf, json, redirect, textResponse } from '../core/http.js';
import { type Case, casesAt, type ServedEndpoint } from '../core/network.js';

/** A failure at an endpoint. README.md of this package has what the client gets, and the defaults. */
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
  | { readonly kind: 'cut' | 'huge'; readonly bytes?: number }
  | { readonly kind: 'drip'; readonly milliseconds?: number }
  | { readonly kind: 'redirect'; readonly location?: string }
  | { readonly kind: 'rate-limit'; readonly seconds?: number }
  | { readonly kind: 'case'; readonly case: string }
  | { readonly kind: 'hang' | 'reset' | 'wrong-type' | 'malformed' | 'expired-code' | 'revoked-token' };

type Kind = SandboxFault['kind'];
type Answer = NetworkResponse | ErrorResponse | undefined;

interface FaultKind<Fault> {
  /** Its properties. The first one is the value in one line, such as `503` in `answer:503`. */
  readonly shape: Shape;
  /** The response in place of the network's; `undefined` for none. */
  replace?(fault: Fault, endpoint: ServedEndpoint, request: NetworkRequest): Answer;
  /** How a response is sent, unless it is sent as usual. Timers end with the connection. */
  deliver?(fault: Fault, response: ServerResponse, outgoing: NetworkResponse, send: () => void): void;
}

const MAINTENANCE =
  '<!doctype html>\n<html lang="en"><title>Maintenance</title><h1>We will be back soon</h1></html>\n';
const MILLISECONDS = integer(0, 2_147_483_647);
const SPENT: FaultKind<{ readonly kind: 'expired-code' | 'revoked-token' }> = {
  shape: {},
  replace: ({ kind }, { name, faults }, request) => faults[kind][name]?.(request),
};

const gathered = new WeakMap<SandboxFault, Set<() => void>>();

export const KINDS: { readonly [K in Kind]: FaultKind<SandboxFault & { readonly kind: K }> } = {
  answer: {
    shape: {
      status: integer(200, 599, 'must be an HTTP status from 200 to 599'),
      'body?': [isBody, 'must be a string, or an object to send as JSON'],
      'headers?': [isHeaders, 'must be an object of header names and string values'],
    },
    replace: ({ status, body, headers }) => answerOf([status, body ?? '', () => headers ?? {}]),
  },
  delay: {
    shape: { milliseconds: MILLISECONDS },
    deliver: ({ milliseconds }, response, _outgoing, send) => later(response, milliseconds, send),
  },
  gather: {
    shape: { requests: integer(1, 1_000), 'milliseconds?': MILLISECONDS },
    /** Sends all responses in one turn, so that whoever waits for them goes on at the same time. */
    deliver(fault, response, _outgoing, send) {
      const waiting = gathered.get(fault) ?? new Set();
      gathered.set(fault, waiting.add(send));
      response.once('close', () => waiting.delete(send));
      const release = (): void => {
        const all = [...waiting];
        waiting.clear();
        for (const one of all) one();
      };
      if (waiting.size >= fault.requests) release();
      else later(response, fault.milliseconds ?? 1_000, release);
    },
  },
  hang: { shape: {}, replace: () => undefined },
  reset: { shape: {}, replace: () => undefined },
  cut: {
    shape: { 'bytes?': integer(0, 100_000_000) },
    /** Sends the `Content-Length` of the whole body, then only its beginning. An empty body leaves no response at all. */
    deliver({ bytes = 10 }, response, outgoing) {
      const body = Buffer.from(outgoing.body);
      if (body.length > 0)
        begin(response, outgoing, body.length).write(body.subarray(0, Math.min(bytes, body.length - 1)));
      response.socket?.destroySoon();
    },
  },
  drip: {
    shape: { 'milliseconds?': MILLISECONDS },
    async deliver({ milliseconds = 100 }, response, outgoing) {
      const body = Buffer.from(outgoing.body);
      begin(response, outgoing, body.length);
      for (const byte of body) {
        await new Promise<void>((resolve) => later(response, milliseconds, resolve));
        response.write(Buffer.of(byte));
      }
      response.end();
    },
  },
  huge: {
    shape: { 'bytes?': integer(20, 100_000_000) },
    replace: ({ bytes = 8_388_608 }) => json({ padding: 'x'.repeat(bytes - '{"padding":""}'.length) }),
    // Without a length, so that the client learns the size only at the end.
    deliver: (_fault, response, outgoing) => void begin(response, outgoing).end(outgoing.body),
  },
  'wrong-type': {
    shape: {},
    replace: () => textResponse(MAINTENANCE, 200, 'text/html'),
  },
  redirect: {
    shape: { 'location?': address('must be an absolute URL') },
    replace: ({ location = 'https://elsewhere.example/' }) => redirect(location),
  },
  malformed: { shape: {}, replace: () => ({ ...json(null), body: '{"access_token":"' }) },
  'rate-limit': {
    shape: { 'seconds?': integer(0, 1_000_000) },
    replace: ({ seconds = 60 }, { faults }, request) => faults.rateLimit(request, seconds),
  },
  'expired-code': SPENT,
  'revoked-token': SPENT,
  case: {
    shape: { case: [(value) => typeof value === 'string', 'must be a name'] },
    replace: ({ case: name }, endpoint) => answerOf(casesAt(endpoint)[name] as Case),
  },
};

export const isKind = (kind: unknown): kind is Kind => typeof kind === 'string' && Object.hasOwn(KINDS, kind);

/** The property that the value in one line sets; `undefined` for a kind that takes none, and for an unknown one. */
export const valueProperty = (kind: string): string | undefined =>
  isKind(kind) ? namesOf(KINDS[kind].shape)[0] : undefined;

export const kindOf = (fault: SandboxFault): FaultKind<SandboxFault> => KINDS[fault.kind];

function isBody(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function isHeaders(value: unknown): boolean {
  const isHeader = ([name, content]: [string, unknown]): boolean =>
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) &&
    typeof content === 'string' &&
    /^[\t\x20-\x7e]*$/.test(content);
  return isObject(value) && Object.entries(value).every(isHeader);
}

function answerOf([status, body, headers]: Case): NetworkResponse {
  const { body: content, type } = typeof body === 'string' ? textResponse(body) : json(body);
  const { 'content-type': given = type, ...others } = Object.fromEntries(new Headers(headers?.()));
  return { status, type: given, body: content, headers: others };
}

function begin(response: ServerResponse, outgoing: NetworkResponse, length?: number): ServerResponse {
  const size = length === undefined ? {} : { 'Content-Length': length };
  response.writeHead(outgoing.status, { ...headersOf(outgoing), ...size }).flushHeaders();
  return response;
}

function later(response: ServerResponse, milliseconds: number, action: () => void): void {
  const cancel = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    response.off('close', cancel);
    action();
  }, milliseconds);
  response.once('close', cancel);
}
