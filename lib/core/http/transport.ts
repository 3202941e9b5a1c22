import { isUtf8 } from 'node:buffer';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clock } from '../clock.js';

import http = require('node:http');
import https = require('node:https');

import { promisify } from 'node:util';
import { type NetworkResponse, RequestFailure } from '../errors/index.js';
import { isTooDeep, parseJSON } from './json.js';

export type { NetworkResponse } from '../errors/index.js';

const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

/** Bytes of a response body, before and after decompression. The largest documented record has a few kilobytes. */
const SIZE_LIMIT = 1_048_576;

/** How often sockets are read after the deadline: enough for the largest response. A network that drips cannot extend its deadline. */
const LATE_TURNS = 32;

/** The deadline of a request with its retries. */
export class Deadline {
  /** By the clock of `clock.now()`. */
  readonly end: number;
  readonly timer: NodeJS.Timeout;
  isOver = false;
  /** Called when the time is up; set by the attempt under way. */
  expire: (() => void) | undefined;
  /** Counts what the attempt under way has read. */
  progress = 0;

  /** @param timeout - Milliseconds. */
  constructor(timeout: number) {
    this.end = clock.now() + timeout;
    this.timer = clock.setTimeout(() => this.giveUp(LATE_TURNS), timeout);
  }

  /** What arrived while the process was busy has not been read yet, although it was in time: timers run before sockets are read. */
  private giveUp(turns: number): void {
    const { progress } = this;
    clock.setImmediate(() => {
      if (this.progress > progress && turns > 1) return this.giveUp(turns - 1);
      this.isOver = true;
      return this.expire?.();
    });
  }
}

/** A request with the agent that brings its connection. */
export type AgentOptions = RequestOptions & { readonly agent: Agent };

/** Sends one request. Follows no redirect, repeats nothing and never rejects. */
export async function sendRequest(
  options: AgentOptions,
  body: string | undefined,
  deadline: Deadline,
): Promise<NetworkResponse | RequestFailure> {
  const received = await exchange(options, body, deadline);
  if (received instanceof RequestFailure) return received;
  const { statusCode: status = 0, headers } = received.message;
  // Requests ask for uncompressed responses; some networks compress them anyway.
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const isPlain = encoding === 'identity' || received.bytes.length === 0;
  const bytes = isPlain ? received.bytes : await decompress(received.bytes, encoding);
  if (bytes instanceof RequestFailure) return bytes;
  // Decoded in one piece: chunk by chunk, a character that is split between two chunks would be lost.
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const wellFormed = !text.includes('\uFFFD') || isUtf8(bytes);
  const parsed = wellFormed ? parseJSON(text) : undefined;
  return {
    status,
    headers,
    text,
    wellFormed,
    body: parsed !== undefined && isTooDeep(parsed) ? undefined : parsed,
  };
}

function exchange(
  options: AgentOptions,
  body: string | undefined,
  deadline: Deadline,
): Promise<{ message: IncomingMessage; bytes: Buffer } | RequestFailure> {
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    let socket: Socket | undefined;
    let hasResponse = false;
    // The first outcome counts: a promise is settled once.
    const fail = (error: unknown) => {
      deadline.expire = undefined;
      resolve(error instanceof RequestFailure ? error : failureFor(error, hasResponse));
      try {
        request?.destroy();
      } catch {
        // The socket of an application's agent can throw. The request has failed already.
      }
    };
    try {
      request = (options.protocol === 'https:' ? https : http).request(options);
      // Never removed: a destroyed socket can still report an error, and without a listener that ends the process.
      request.on('error', fail);
      request.on('socket', (used) => {
        socket = used;
        if (!guarded.has(used)) guard(used, options.agent);
      });
      request.on('upgrade', (_message, socket) => {
        socket.destroy();
        fail(new RequestFailure('connection_failed', 'the response switches to another protocol'));
      });
      request.on('response', (message) => {
        hasResponse = true;
        deadline.progress += 1;
        // Also emitted if the connection closes before the end.
        message.on('error', fail);
        if (Number(message.headers['content-length']) > SIZE_LIMIT) return fail(tooLarge());
        let buffer: Buffer = Buffer.alloc(0);
        let size = 0;
        message.on('data', (chunk: Buffer) => {
          deadline.progress += 1;
          const end = size + chunk.length;
          if (end > SIZE_LIMIT) return fail(tooLarge());
          // Kept as separate chunks of one byte, a body would take up hundreds of times its size.
          if (end > buffer.length) buffer = Buffer.concat([buffer], Math.max(end, size * 2, 16_384));
          chunk.copy(buffer, size);
          size = end;
        });
        // Keep the connection only if its agent shows it, so that it can be read before the next request, and if nothing waits for it.
        message.on('end', () => {
          deadline.expire = undefined;
          if (!isShared(options.agent) && !canReuse(options.agent, socket)) socket?.destroy();
          resolve({ message, bytes: buffer.subarray(0, size) });
        });
      });
      request.end(body);
      deadline.expire = () => fail(new RequestFailure('timeout', 'no complete response in time'));
      if (deadline.isOver) deadline.expire();
    } catch (error) {
      fail(error);
    }
  });
}

function failureFor(error: unknown, hasResponse: boolean): RequestFailure {
  if (hasResponse) return new RequestFailure('response_cut_short', 'the response was cut short', error);
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return new RequestFailure(TLS_CODES.test(code) ? 'tls_failed' : 'connection_failed', '', error);
}

function tooLarge(): RequestFailure {
  return new RequestFailure('response_too_large', `a response of more than ${SIZE_LIMIT} bytes`);
}

async function decompress(bytes: Buffer, encoding: string): Promise<Buffer | RequestFailure> {
  // Loaded on demand: requests ask for uncompressed responses.
  const { brotliDecompress, gunzip, inflate } = await import('node:zlib');
  const expand = new Map<string, typeof gunzip>([
    ['gzip', gunzip],
    ['x-gzip', gunzip],
    ['deflate', inflate],
    ['br', brotliDecompress],
  ]).get(encoding);
  if (!expand) return new RequestFailure('response_cut_short', 'a response in an unknown content encoding');
  try {
    return await promisify(expand)(bytes, { maxOutputLength: SIZE_LIMIT });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge();
    return new RequestFailure('response_cut_short', 'a compressed response that cannot be expanded', error);
  }
}

/** Whether an application's agent lists a socket among those that requests use, and no request waits for it. */
function canReuse(agent: Partial<Agent>, socket: Duplex | undefined): boolean {
  return isIn(agent, 'sockets', socket) && listsOf(agent, 'requests').length === 0;
}

function isIn(agent: Partial<Agent>, list: 'sockets' | 'freeSockets', socket: Duplex | undefined): boolean {
  return listsOf(agent, list).some((sockets) => Array.isArray(sockets) && sockets.includes(socket));
}

/** An agent of another kind may keep its sockets in any form, such as a list of all. What it fails to show counts as something unknown. */
function listsOf(agent: Partial<Agent>, name: 'sockets' | 'freeSockets' | 'requests'): unknown[] {
  try {
    return Object.values(agent[name] ?? {});
  } catch {
    return [undefined];
  }
}

/** Sockets that {@link guard} has seen. */
const guarded = new WeakSet<Duplex>();

/**
 * Closes a connection on which anything arrives while no request uses it, whoever made its agent. Node would take it for the response to the
 * next request, which may be another user's.
 */
function guard(socket: Duplex, agent: Partial<Agent>): void {
  guarded.add(socket);
  socket.on('data', () => isIn(agent, 'freeSockets', socket) && socket.destroy());
}

/** Reads what a network sent unasked on idle connections, which closes them. Written first, a request would take it for its own response. */
export async function readIdle(agent: Agent, { hostname, port, protocol }: RequestOptions): Promise<void> {
  // Node's agents list their connections by host and port; an agent of another kind may list them in any way.
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}:`;
  const isIdle = isShared(agent)
    ? Object.keys(agent.freeSockets).some((name) => name.startsWith(host))
    : listsOf(agent, 'freeSockets').length > 0;
  // Sockets are read between two turns; the rest of the current one may come without.
  if (isIdle) await new Promise((resolve) => clock.setImmediate(() => clock.setImmediate(resolve)));
}

const SHARED = {
  keepAlive: true,
  scheduling: 'lifo',
  // Many servers close idle connections after five seconds, and a request written meanwhile cannot be repeated safely.
  timeout: 4_000,
  // Node gives each address of a host but the last 250 ms, less than the way to a far network takes (nodejs/node#54359).
  autoSelectFamilyAttemptTimeout: 3_000,
} as const;

/** The agents that all strategies share by default. */
const sharedAgents = { plain: new http.Agent(SHARED), secure: new https.Agent(SHARED) };

export function sharedAgentFor(protocol?: string | null): Agent {
  return protocol === 'https:' ? sharedAgents.secure : sharedAgents.plain;
}

function isShared(agent: Partial<Agent>): boolean {
  return agent === sharedAgents.plain || agent === sharedAgents.secure;
}
