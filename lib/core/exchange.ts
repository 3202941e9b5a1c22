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
  /** Most bytes of a body, as sent and as decompressed. */
  readonly sizeLimit: number;
}

const SMALLEST_BUFFER = 16_384;
const NOTHING = Buffer.alloc(0);

/** One request and its answer over `node:http` or `node:https`. Follows nothing, repeats nothing, waits for ever. */
export class Exchange {
  /** Settled exactly once, whatever the socket does: with the answer or with an {@link ExchangeFailure}. */
  readonly answer: Promise<Answer>;
  private readonly sizeLimit: number;
  private client: ClientRequest | undefined;
  private isOver = false;
  private hasBegun = false;
  // One buffer that grows: a body in chunks of one byte would cost hundreds of times its size in objects. Most answers have
  // one chunk, which is taken as it is.
  private body: Buffer = NOTHING;
  private size = 0;
  private resolve!: (answer: Answer) => void;
  private reject!: (failure: ExchangeFailure) => void;

  constructor({ options, body, sizeLimit }: ExchangeRequest) {
    this.sizeLimit = sizeLimit;
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    try {
      const client = (options.protocol === 'https:' ? https : http).request(options);
      this.client = client;
      // Stays for ever: a destroyed socket may still report, and nobody else listens.
      client.on('error', (error) => this.fail(() => (this.hasBegun ? cutShort(error) : error)));
      client.on('upgrade', (_message, socket) => {
        socket.destroy();
        this.fail(() => new ExchangeFailure('connection_failed', 'the answer switches to another protocol'));
      });
      client.on('response', (message) => this.collect(message));
      client.end(body);
    } catch (error) {
      this.fail(() => error);
    }
  }

  /**
   * Ends the exchange without an answer, unless it is over.
   *
   * @param failure - A function, since most of them are never needed: an error with its stack costs more than an answer.
   */
  fail(failure: () => unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.reject(asFailure(failure()));
    this.client?.destroy();
  }

  private collect(message: IncomingMessage): void {
    this.hasBegun = true;
    message.on('error', (error) => this.fail(() => cutShort(error)));
    message.on('close', () => this.fail(() => cutShort()));
    if (Number(message.headers['content-length']) > this.sizeLimit) {
      this.fail(() => tooLarge(this.sizeLimit));
      return;
    }
    message.on('data', (chunk: Buffer) => this.add(chunk));
    message.on('end', () => this.finish(message));
  }

  private add(chunk: Buffer): void {
    const { body, size } = this;
    this.size += chunk.length;
    if (this.size > this.sizeLimit) {
      this.fail(() => tooLarge(this.sizeLimit));
      return;
    }
    if (size === 0) {
      this.body = chunk;
      return;
    }
    if (this.size > body.length) {
      this.body = Buffer.concat([body], Math.max(this.size, body.length * 2, SMALLEST_BUFFER));
    }
    chunk.copy(this.body, size);
  }

  private finish(message: IncomingMessage): void {
    if (this.isOver) return;
    // Without destroying the request: that would close a connection that the next one can use.
    this.isOver = true;
    const bytes = this.body.subarray(0, this.size);
    const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (encoding === '' || encoding === 'identity' || bytes.length === 0) {
      this.resolve(answerOf(message, bytes));
      return;
    }
    decompress(encoding, bytes, this.sizeLimit).then(
      (expanded) => this.resolve(answerOf(message, expanded)),
      this.reject,
    );
  }
}

function cutShort(cause?: unknown): ExchangeFailure {
  return new ExchangeFailure('answer_cut_short', 'the answer was cut short', cause);
}

function tooLarge(sizeLimit: number): ExchangeFailure {
  return new ExchangeFailure('answer_too_large', `an answer of more than ${sizeLimit} bytes`);
}

/** Content encoding -> the function of `node:zlib` that undoes it. */
const DECOMPRESSORS = {
  gzip: 'gunzip',
  'x-gzip': 'gunzip',
  deflate: 'inflate',
  br: 'brotliDecompress',
} as const;

function answerOf(message: IncomingMessage, bytes: Buffer): Answer {
  const whole = bytes.toString();
  const text = whole.startsWith('\uFEFF') ? whole.slice(1) : whole;
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
      ? tooLarge(sizeLimit)
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
