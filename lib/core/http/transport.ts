import { isUtf8 } from 'node:buffer';
import type { Agent, ClientRequest, ClientRequestArgs, IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import tls = require('node:tls');

import { promisify } from 'node:util';
import { type NetworkResponse, RequestFailure } from '../errors/index.js';
import { isTooDeep, parseJSON } from './encoding.js';

export type { NetworkResponse } from '../errors/index.js';

const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

/** Bytes of a response body, before and after decompression. The largest documented record has a few kilobytes. */
const SIZE_LIMIT = 1_048_576;

/** How often sockets are read after the deadline: enough for the largest response. A network that drips cannot extend its deadline. */
const LATE_TURNS = 32;

/** The deadline of a request with its retries. */
export class Deadline {
  /** By the clock of `performance.now()`. */
  readonly end: number;
  readonly timer: NodeJS.Timeout;
  isOver = false;
  /** Called when the time is up; set by the attempt under way. */
  expire: (() => void) | undefined;
  /** Counts what the attempt under way has read. */
  progress = 0;

  /** @param timeout - Milliseconds. */
  constructor(timeout: number) {
    this.end = performance.now() + timeout;
    this.timer = setTimeout(() => this.giveUp(LATE_TURNS), timeout);
  }

  /** What arrived while the process was busy has not been read yet, although it was in time: timers run before sockets are read. */
  private giveUp(turns: number): void {
    const { progress } = this;
    setImmediate(() => {
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
        // The request is not destroyed, so that the next one can use its connection: if the agent lists it, so that it can be seen to be idle, and
        // no request waits for it, which would be written before the connection was read.
        message.on('end', () => {
          deadline.expire = undefined;
          if (!('hasIdle' in options.agent) && !canReuse(options.agent, socket)) socket?.destroy();
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
export async function readIdle(agent: Agent | KeepAliveAgent, target: RequestOptions): Promise<void> {
  if (!('hasIdle' in agent ? agent.hasIdle(target) : listsOf(agent, 'freeSockets').length > 0)) return;
  // Sockets are read between two turns; the rest of the current one may come without.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

type ConnectionOptions = ClientRequestArgs & { readonly servername?: string };

// Many servers close idle connections after five seconds, and a request written meanwhile cannot be repeated safely.
const IDLE_TIMEOUT = 4_000;

/** What mocks of HTTP replace: nock and msw the first two, others the agents or the connections. */
const replaceable = () => [
  http.request,
  https.request,
  http.globalAgent,
  https.globalAgent,
  net.connect,
  net.createConnection,
  tls.connect,
];

/** Host with port to which a request of this process opened a connection -> {@link replaceable} at that time. */
const reached = new Map<string, readonly unknown[]>();

/** Whether requests reach the host. With a mock of HTTP they may not, and a connection in advance would leave the machine. */
export function hasReached(url: string): boolean {
  const { protocol, hostname, port } = new URL(url);
  const before = reached.get(`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`);
  return before !== undefined && replaceable().every((one, i) => one === before[i]);
}

/** A keep-alive agent that can open a connection in advance. */
function keepAliveAgent(Base: typeof http.Agent, defaultPort: number) {
  return class extends Base implements KeepAliveAgent {
    /** Origin -> the connection opened in advance that no request uses yet. */
    private readonly preconnected = new Map<string, Socket>();
    /** Origin -> the latest TLS session, which a connection opened in advance resumes. */
    private readonly tlsSessions = new Map<string, Buffer>();

    constructor(private readonly isShared: boolean) {
      super({ keepAlive: true, timeout: IDLE_TIMEOUT, scheduling: 'lifo' });
    }

    hasIdle({ hostname, port }: RequestOptions): boolean {
      const host = `${hostname}:${port || defaultPort}:`;
      for (const name of Object.keys(this.freeSockets)) if (name.startsWith(host)) return true;
      for (const name of this.preconnected.keys()) if (name.startsWith(host)) return true;
      return false;
    }

    preconnect(target: RequestOptions): void {
      if (this.hasIdle(target)) return;
      const host = target.hostname ?? '';
      const servername = isIP(host) === 0 ? host : '';
      const port = Number(target.port || defaultPort);
      const options = { host, port, servername, noDelay: true };
      const origin = originOf(options);
      const session = this.tlsSessions.get(origin);
      const socket = super.createConnection({ ...options, ...(session && { session }) }) as Socket;
      const isWaiting = () => this.preconnected.get(origin) === socket;
      this.preconnected.set(origin, socket);
      socket.on('session', (latest: Buffer) => this.tlsSessions.set(origin, latest));
      socket.once('close', (hadError?: boolean) => {
        if (isWaiting()) this.preconnected.delete(origin);
        if (hadError) this.tlsSessions.delete(origin);
      });
      socket.on('data', destroy).on('error', destroy).on('timeout', destroy).setTimeout(IDLE_TIMEOUT);
      // Does not keep a process alive that has nothing else to do.
      socket.unref();
    }

    override createConnection(
      options: ConnectionOptions,
      callback?: (error: Error | null, socket: Duplex) => void,
    ): Duplex | null | undefined {
      const origin = originOf(options);
      const preconnected = this.preconnected.get(origin);
      // nock and msw put an agent of their own in front of this one, also for a request that they let through.
      if (options.agent === this) reached.set(`${options.host}:${options.port}`, replaceable());
      if (!preconnected || preconnected.destroyed) return super.createConnection(options, callback);
      this.preconnected.delete(origin);
      // From here on the connection is like any other: the pool and the request bring their own listeners.
      return preconnected
        .off('data', destroy)
        .off('error', destroy)
        .off('timeout', destroy)
        .setTimeout(0)
        .ref();
    }

    /** @returns Whether to keep the connection: Node documents this result, and the types lack it. */
    override keepSocketAlive(socket: Duplex) {
      return this.isShared && super.keepSocketAlive(socket);
    }
  };
}

/** Connections with the same origin are interchangeable. The server name differs where an application sets its own `Host` header. */
function originOf({ host, port, servername }: ConnectionOptions): string {
  return `${host}:${port}:${servername ?? ''}`;
}

function destroy(this: Duplex): void {
  this.destroy();
}

export interface KeepAliveAgent extends Agent {
  /** Whether a connection to the host is open that no request uses. */
  hasIdle(target: RequestOptions): boolean;
  /** Opens a connection for a request that follows soon, unless one is idle. Errors are left to that request. */
  preconnect(target: RequestOptions): void;
}

const HTTPAgent = keepAliveAgent(http.Agent, 80);
const HTTPSAgent = keepAliveAgent(https.Agent, 443);

export type Agents = ReturnType<typeof createAgents>;

/** An agent for each protocol. @param isShared - Whether a connection serves more than one request. */
export function createAgents(isShared: boolean) {
  const [plain, secure] = [new HTTPAgent(isShared), new HTTPSAgent(isShared)];
  return { for: (protocol?: string | null): KeepAliveAgent => (protocol === 'https:' ? secure : plain) };
}

/** The agents that all strategies share by default. */
export const sharedAgents = createAgents(true);
