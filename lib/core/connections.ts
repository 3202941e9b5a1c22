import type { RequestOptions } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import http = require('node:http');
import https = require('node:https');

// A free connection is given up after four seconds: many servers close theirs after five, and a request written to a
// connection that is just being closed cannot be repeated safely.
const POOL = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;

/** The connections of all strategies by one protocol. */
class Connections {
  readonly agent: http.Agent;
  /** `host:port` -> a connection that was opened before anybody needed it. */
  private readonly opened = new Map<string, Socket>();
  /** Connections on which nobody has asked anything. */
  private readonly idle = new WeakSet<Duplex>();
  private readonly connect: http.Agent['createConnection'];

  constructor(
    agent: http.Agent,
    private readonly standardPort: number,
  ) {
    this.agent = agent;
    // All requests here have the same TLS settings: Node's own name, of all that could differ, cost a tenth of a login.
    agent.getName = nameOf;
    this.connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, done) =>
      this.takeOpened(options) ?? this.guarded(this.connect(options, done));
    const keep = agent.keepSocketAlive.bind(agent);
    const reuse = agent.reuseSocket.bind(agent);
    agent.keepSocketAlive = (socket) => {
      this.idle.add(socket);
      return keep(socket);
    };
    agent.reuseSocket = (socket, request) => {
      this.idle.delete(socket);
      reuse(socket, request);
    };
  }

  /**
   * Closes a free connection on which something arrives: an answer that nobody asked for would be taken for the answer to the
   * next request, which may be another person's.
   */
  private guarded<T extends Duplex | null | undefined>(socket: T): T {
    // One listener for as long as the connection lives: to put it on and off for each request cost a tenth of a login.
    socket?.on('data', () => {
      if (this.idle.has(socket)) socket.destroy();
    });
    return socket;
  }

  /** Whatever goes wrong here goes wrong again, and is reported, when the request is made. */
  open(host: string, port: string | number): void {
    const options = { keepAlive: true, noDelay: true, host, port: Number(port || this.standardPort) };
    const name = nameOf(options);
    if (this.agent.freeSockets[name] || this.opened.has(name)) return;
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = this.guarded(this.connect({ ...options, ...servername }) as Socket);
    this.idle.add(socket);
    this.opened.set(name, socket);
    // Nobody waits for it: it must not keep the process.
    socket.unref();
    socket.setTimeout(POOL.timeout).on('timeout', close);
    socket.on('error', close);
    socket.on('close', () => {
      if (this.opened.get(name) === socket) this.opened.delete(name);
    });
  }

  private takeOpened(options: http.ClientRequestArgs): Socket | undefined {
    const name = nameOf(options);
    const socket = this.opened.get(name);
    if (!socket || socket.destroyed) return undefined;
    this.opened.delete(name);
    this.idle.delete(socket);
    // Whatever stayed here would strike the requests that use the connection later. The pool has deadlines of its own.
    socket.off('timeout', close).off('error', close);
    return socket.setTimeout(0).ref();
  }
}

function nameOf({ host, port }: http.ClientRequestArgs = {}): string {
  return `${host}:${port}`;
}

function close(this: Duplex): void {
  this.destroy();
}

const shared: Readonly<Record<string, Connections>> = {
  'http:': new Connections(new http.Agent(POOL), 80),
  'https:': new Connections(new https.Agent(POOL), 443),
};

/** The agent for an address, with one pool of connections for all strategies. */
export function sharedAgent({ protocol }: URL): http.Agent {
  return (shared[protocol] as Connections).agent;
}

/**
 * Opens a connection for a request that will come soon, unless one is free: a login at two hosts waits for two handshakes
 * otherwise, one after the other.
 */
export function openConnection({ protocol, hostname, port }: RequestOptions): void {
  shared[protocol ?? '']?.open(hostname ?? '', port ?? '');
}
