import type { ServerResponse } from 'node:http';
import type { NetworkRequest, NetworkResponse, Outcome } from '../core/http.js';
import { errorOutcome, headersOf, json, plain, redirect } from '../core/http.js';
import type { Case, ServedEndpoint } from '../core/network.js';
import type { SandboxFault } from './faults.js';

const CUT_BYTES = 10;
const GATHER_MILLISECONDS = 1_000;
const DRIP_MILLISECONDS = 100;
const HUGE_BYTES = 8_388_608;
const RATE_LIMIT_SECONDS = 60;
const ELSEWHERE = 'https://elsewhere.example/';

const PAGE =
  '<!doctype html>\n<html lang="en"><title>Maintenance</title><h1>We will be back soon</h1></html>\n';

/** Faults that replace the response do not call `handle`. @returns `undefined` when no response is sent. */
export function faultOutcome(
  fault: SandboxFault,
  endpoint: ServedEndpoint,
  request: NetworkRequest,
  handle: () => Outcome,
): Outcome | undefined {
  switch (fault.kind) {
    case 'hang':
    case 'reset':
      return undefined;
    case 'delay':
    case 'gather':
    case 'cut':
    case 'drip':
      return handle();
    case 'answer':
      return { response: givenResponse(fault) };
    case 'huge':
      return { response: hugeResponse(fault.bytes ?? HUGE_BYTES) };
    case 'wrong-type':
      return { response: { status: 200, type: 'text/html; charset=utf-8', body: PAGE } };
    case 'redirect':
      return { response: redirect(fault.location ?? ELSEWHERE) };
    case 'malformed':
      return { response: { ...json(null), body: '{"access_token":"' } };
    case 'rate-limit':
      return errorOutcome(
        endpoint.faultResponses['rate-limit'](request, fault.seconds ?? RATE_LIMIT_SECONDS),
      );
    case 'case': {
      const [status, body, headers] = endpoint.faultResponses.cases[fault.case] as Case;
      return { response: givenResponse({ kind: 'answer', status, body, headers: headers?.() ?? {} }) };
    }
    case 'expired-code':
    case 'revoked-token': {
      const error = endpoint.faultResponses[fault.kind]?.(request);
      return error ? errorOutcome(error) : handle();
    }
  }
}

/** Timers end with the connection. @param outgoing - `undefined` when no response is sent. */
export function deliver(
  fault: SandboxFault,
  response: ServerResponse,
  outgoing: NetworkResponse | undefined,
  send: (outgoing: NetworkResponse) => void,
): void {
  if (!outgoing) {
    if (fault.kind === 'reset') response.socket?.resetAndDestroy();
    return;
  }
  if (fault.kind === 'delay') later(response, fault.milliseconds, () => send(outgoing));
  else if (fault.kind === 'gather') gather(response, fault, () => send(outgoing));
  else if (fault.kind === 'cut') cut(response, outgoing, fault.bytes ?? CUT_BYTES);
  else if (fault.kind === 'drip') drip(response, outgoing, fault.milliseconds ?? DRIP_MILLISECONDS);
  else if (fault.kind === 'huge') {
    begin(response, outgoing);
    response.end(outgoing.body);
  } else send(outgoing);
}

function givenResponse({
  status,
  body = '',
  headers = {},
}: SandboxFault & { kind: 'answer' }): NetworkResponse {
  const { body: content, type } = typeof body === 'string' ? plain(body) : json(body);
  const { 'content-type': given = type, ...others } = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { status, type: given, body: content, headers: others };
}

function hugeResponse(bytes: number): NetworkResponse {
  const overhead = JSON.stringify({ padding: '' }).length;
  return json({ padding: 'x'.repeat(bytes - overhead) });
}

/** @param length - Left out for `huge`, so that the client learns the size only at the end. */
function begin(response: ServerResponse, outgoing: NetworkResponse, length?: number): void {
  const size = length === undefined ? {} : { 'Content-Length': length };
  response.writeHead(outgoing.status, { ...headersOf(outgoing), ...size }).flushHeaders();
}

/** Sends the `Content-Length` of the whole body, then only its beginning. An empty body leaves no response at all. */
function cut(response: ServerResponse, outgoing: NetworkResponse, bytes: number): void {
  const body = Buffer.from(outgoing.body);
  if (body.length > 0) {
    begin(response, outgoing, body.length);
    response.write(body.subarray(0, Math.min(bytes, body.length - 1)));
  }
  response.socket?.destroySoon();
}

function drip(response: ServerResponse, outgoing: NetworkResponse, milliseconds: number): void {
  const body = Buffer.from(outgoing.body);
  begin(response, outgoing, body.length);
  const next = (index: number): void => {
    if (index >= body.length) return void response.end();
    later(response, milliseconds, () => {
      response.write(body.subarray(index, index + 1));
      next(index + 1);
    });
  };
  next(0);
}

/** What waits to be sent, by its fault. */
const gathered = new WeakMap<SandboxFault, Set<() => void>>();

/** Sends all responses in one turn, so that whoever waits for them goes on at the same time. */
function gather(
  response: ServerResponse,
  fault: SandboxFault & { kind: 'gather' },
  action: () => void,
): void {
  const waiting = gathered.get(fault) ?? new Set();
  gathered.set(fault, waiting.add(action));
  response.once('close', () => waiting.delete(action));
  const release = (): void => {
    const all = [...waiting];
    waiting.clear();
    for (const one of all) one();
  };
  if (waiting.size >= fault.requests) release();
  else later(response, fault.milliseconds ?? GATHER_MILLISECONDS, release);
}

function later(response: ServerResponse, milliseconds: number, action: () => void): void {
  const cancel = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    response.off('close', cancel);
    action();
  }, milliseconds);
  response.once('close', cancel);
}
