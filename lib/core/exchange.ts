import { isUtf8 } from 'node:buffer';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';

import http = require('node:http');
import https = require('node:https');

import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import type { UnreachableCode } from './errors.js';

/** One answer, whole: nothing of it arrives later. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, decoded once as UTF-8, so that no letter is split between two chunks. */
  readonly text: string;
  /** Whether `text` is exactly what was sent, or had bytes that are not UTF-8. */
  readonly wellFormed: boolean;
}

/** Why an exchange ended without an answer. */
export class ExchangeFailure extends Error {
  readonly code: UnreachableCode;

  constructor(code: UnreachableCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export interface ExchangeRequest {
  /** Method, address, headers and agent, as Node takes them. */
  readonly options: RequestOptions;
  readonly body: string | undefined;
  /** Moment, in milliseconds since the epoch, at which the whole exchange must be over. */
  readonly deadline: number;
  /** Most bytes of a body, as sent and as decompressed. */
  readonly sizeLimit: number;
}

/**
 * Sends one request and reads one answer over `node:http` or `node:https`. Follows nothing, repeats nothing.
 *
 * @throws {@link ExchangeFailure} exactly once, whatever the socket does.
 */
export function exchange(request: ExchangeRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let client: ClientRequest | undefined;
    let settled = false;
    let hasBegun = false;
    const timer = setTimeout(
      () => settle(() => reject(new ExchangeFailure('timeout', 'no complete answer in time'))),
      Math.max(0, request.deadline - Date.now()),
    );
    const settle = (outcome: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      outcome();
      client?.destroy();
    };
    // A function, since most of them are never needed: an error with its stack costs more than an answer.
    const fail = (failure: () => unknown) => settle(() => reject(asFailure(failure())));
    const finish = (message: IncomingMessage, body: Buffer) => {
      // Not `settle`: destroying the request would close a connection that the next one can use.
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? '';
      if (encoding === '' || encoding === 'identity' || body.length === 0) resolve(answerOf(message, body));
      else
        decompress(encoding, body, request.sizeLimit).then(
          (bytes) => resolve(answerOf(message, bytes)),
          reject,
        );
    };
    try {
      const { options } = request;
      client = (options.protocol === 'https:' ? https : http).request(options);
      // Stays for ever: a destroyed socket may still report, and nobody else listens.
      client.on('error', (error) => fail(() => (hasBegun ? cutShort(error) : error)));
      client.on('upgrade', (_message, socket) => {
        socket.destroy();
        fail(() => new ExchangeFailure('connection_failed', 'the answer switches to another protocol'));
      });
      client.on('response', (message) => {
        hasBegun = true;
        collect(message, request.sizeLimit, finish, fail);
      });
      client.end(request.body);
    } catch (error) {
      fail(() => error);
    }
  });
}

function cutShort(cause?: unknown): ExchangeFailure {
  return new ExchangeFailure('answer_cut_short', 'the answer was cut short', cause);
}

const SMALLEST_BUFFER = 16_384;
const NOTHING = Buffer.alloc(0);

function collect(
  message: IncomingMessage,
  sizeLimit: number,
  finish: (message: IncomingMessage, body: Buffer) => void,
  fail: (failure: () => unknown) => void,
): void {
  // One buffer that grows: a body in chunks of one byte would cost hundreds of times its size in objects. Most answers have
  // one chunk, which is taken as it is.
  let body: Buffer = NOTHING;
  let size = 0;
  const tooLarge = () =>
    fail(() => new ExchangeFailure('answer_too_large', `an answer of more than ${sizeLimit} bytes`));
  message.on('error', (error) => fail(() => cutShort(error)));
  message.on('close', () => fail(() => cutShort()));
  if (Number(message.headers['content-length']) > sizeLimit) {
    tooLarge();
    return;
  }
  message.on('data', (chunk: Buffer) => {
    const start = size;
    size += chunk.length;
    if (size > sizeLimit) return tooLarge();
    if (start === 0) {
      body = chunk;
      return;
    }
    if (size > body.length) body = Buffer.concat([body], Math.max(size, body.length * 2, SMALLEST_BUFFER));
    chunk.copy(body, start);
  });
  message.on('end', () => finish(message, body.subarray(0, size)));
}

/** Content encoding -> the function of `node:zlib` that undoes it. */
const DECOMPRESSORS = {
  gzip: 'gunzip',
  'x-gzip': 'gunzip',
  deflate: 'inflate',
  br: 'brotliDecompress',
} as const;

function answerOf(message: IncomingMessage, bytes: Buffer): Answer {
  const text = bytes.toString().replace(/^\uFEFF/, '');
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    text,
    wellFormed: !text.includes('\uFFFD') || isUtf8(bytes),
  };
}

async function decompress(encoding: string, body: Buffer, sizeLimit: number): Promise<Buffer> {
  if (!Object.hasOwn(DECOMPRESSORS, encoding)) {
    throw new ExchangeFailure('answer_cut_short', 'an answer in an unknown content encoding');
  }
  // Loaded when a network compresses all the same: it was asked not to.
  const zlib = await import('node:zlib');
  const expand = promisify<Buffer, ZlibOptions, Buffer>(
    zlib[DECOMPRESSORS[encoding as keyof typeof DECOMPRESSORS]],
  );
  return expand(body, { maxOutputLength: sizeLimit }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE'
      ? new ExchangeFailure('answer_too_large', `an answer of more than ${sizeLimit} bytes`)
      : new ExchangeFailure('answer_cut_short', 'a compressed answer that cannot be expanded', error);
  });
}

const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

function asFailure(error: unknown): ExchangeFailure {
  if (error instanceof ExchangeFailure) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (TLS_CODES.test(code)) return new ExchangeFailure('tls_failed', message, error);
  return new ExchangeFailure('connection_failed', message, error);
}
