import type { ServerResponse } from 'node:http';
import { type Answer, json, plain, redirect } from './answer.js';
import type { Call } from './call.js';
import type { SandboxFault } from './faults.js';
import type { ServedEndpoint } from './network.js';
import { type Outcome, refusalOutcome } from './outcome.js';

const CUT_BYTES = 10;
const DRIP_MILLISECONDS = 100;
const HUGE_BYTES = 8_388_608;
const RATE_LIMIT_SECONDS = 60;
const ELSEWHERE = 'https://elsewhere.example/';

const PAGE =
  '<!doctype html>\n<html lang="en"><title>Maintenance</title><h1>We will be back soon</h1></html>\n';

/**
 * What leaves in place of an endpoint's answer.
 *
 * @param real - What the endpoint makes of the call; a fault that does without it never asks.
 * @returns `undefined` when nothing leaves.
 */
export function faultOutcome(
  fault: SandboxFault,
  endpoint: ServedEndpoint,
  call: Call,
  real: () => Outcome,
): Outcome | undefined {
  switch (fault.kind) {
    case 'hang':
    case 'reset':
      return undefined;
    case 'delay':
    case 'cut':
    case 'drip':
      return real();
    case 'answer':
      return { answer: givenAnswer(fault) };
    case 'huge':
      return { answer: hugeAnswer(fault.bytes ?? HUGE_BYTES) };
    case 'wrong-type':
      return { answer: { status: 200, type: 'text/html; charset=utf-8', body: PAGE } };
    case 'redirect':
      return { answer: redirect(fault.location ?? ELSEWHERE) };
    case 'malformed':
      return { answer: { ...json(null), body: '{"access_token":"' } };
    case 'rate-limit':
      return refusalOutcome(endpoint.troubles['rate-limit'](call, fault.seconds ?? RATE_LIMIT_SECONDS));
    case 'expired-code':
    case 'revoked-token': {
      const refusal = endpoint.troubles[fault.kind]?.(call);
      return refusal ? refusalOutcome(refusal) : real();
    }
  }
}

/**
 * Sends an answer as a fault has it. Timers end with the connection.
 *
 * @param answer - `undefined` when nothing is to leave.
 * @param send - Sends an answer as usual.
 */
export function deliver(
  fault: SandboxFault,
  response: ServerResponse,
  answer: Answer | undefined,
  send: (answer: Answer) => void,
): void {
  if (!answer) {
    if (fault.kind === 'reset') response.socket?.resetAndDestroy();
    return;
  }
  if (fault.kind === 'delay') later(response, fault.milliseconds, () => send(answer));
  else if (fault.kind === 'cut') cut(response, answer, fault.bytes ?? CUT_BYTES);
  else if (fault.kind === 'drip') drip(response, answer, fault.milliseconds ?? DRIP_MILLISECONDS);
  else if (fault.kind === 'huge') pour(response, answer);
  else send(answer);
}

function givenAnswer({ status, body = '', headers = {} }: SandboxFault & { kind: 'answer' }): Answer {
  const { body: text, type } = typeof body === 'string' ? plain(body) : json(body);
  const { 'content-type': given = type, ...others } = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { status, type: given, body: text, headers: others };
}

function hugeAnswer(bytes: number): Answer {
  const frame = JSON.stringify({ padding: '' }).length;
  return json({ padding: 'x'.repeat(bytes - frame) });
}

/** Sends an answer whose length the caller learns at its end only. */
function pour(response: ServerResponse, answer: Answer): void {
  writeHead(response, answer, {});
  response.write(answer.body);
  response.end();
}

/** Announces the whole answer, sends its beginning and ends the connection; without a body, at once. */
function cut(response: ServerResponse, answer: Answer, bytes: number): void {
  const body = Buffer.from(answer.body);
  if (body.length > 0) {
    writeHead(response, answer, { 'Content-Length': String(body.length) });
    response.flushHeaders();
    response.write(body.subarray(0, Math.min(bytes, body.length - 1)));
  }
  response.socket?.destroySoon();
}

function drip(response: ServerResponse, answer: Answer, milliseconds: number): void {
  const body = Buffer.from(answer.body);
  writeHead(response, answer, { 'Content-Length': String(body.length) });
  response.flushHeaders();
  const next = (index: number): void => {
    if (index >= body.length) {
      response.end();
      return;
    }
    later(response, milliseconds, () => {
      response.write(body.subarray(index, index + 1));
      next(index + 1);
    });
  };
  next(0);
}

function writeHead(response: ServerResponse, answer: Answer, more: Readonly<Record<string, string>>): void {
  const own = { 'Cache-Control': 'no-store', ...answer.headers, 'Content-Type': answer.type };
  response.writeHead(answer.status, { ...own, ...more });
}

/** Does something later, unless the connection ends before. */
function later(response: ServerResponse, milliseconds: number, action: () => void): void {
  const cancel = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    response.off('close', cancel);
    action();
  }, milliseconds);
  response.once('close', cancel);
}
