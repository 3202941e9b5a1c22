import type { RequestOptions } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import http = require('node:http');
import https = require('node:https');

// A free connection is given up after four seconds: many servers close theirs after five, and a request written to a
// connection that is just being closed cannot be repeated safely.
const POOL = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;

/** With the method that `node:http` hands each request to, and that packages with agents of their own implement. */
interface RequestAgent extends http.Agent {
  addRequest(request: http.ClientRequest, options: http.ClientRequestArgs): void;
}

/** As Node's agent hands them on, with the name that the certificate must have. */
type ConnectionOptions = http.ClientRequestArgs & { servername?: string };

/** The connections of all strategies by one protocol. */
class Connections {
  readonly agent: RequestAgent;
  /** `host:port` -> a connection that was opened before anybody needed it. */
  private readonly opened = new Map<string, Socket>();
  /** Connections on which nobody has asked anything. */
  private readonly idle = new WeakSet<Duplex>();
  private readonly connect: http.Agent['createConnection'];

  constructor(
    agent: RequestAgent,
    private readonly standardPort: number,
  ) {
    this.agent = agent;
    agent.getName = nameOf;
    this.connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, done) =>
      this.takeOpened(options) ?? this.guarded(this.connect(options, done));
    const keep = agent.keepSocketAlive.bind(agent);
    agent.keepSocketAlive = (socket) => {
      this.idle.add(socket);
      return keep(socket);
    };
    const reuse = agent.reuseSocket.bind(agent);
    agent.reuseSocket = (socket, request) => {
      this.idle.delete(socket);
      reuse(socket, request);
    };
    const wait = agent.addRequest.bind(agent);
    agent.addRequest = (request, options) => {
      if (!this.useFree(request, options)) wait(request, options);
    };
  }

  /**
   * Gives a request the connection that was used last. Node's agent does the same, but copies all options into slow objects first,
   * twice a request: a tenth of a login.
   */
  private useFree(request: http.ClientRequest, options: http.ClientRequestArgs): boolean {
    if (!isForHost(request, options.host ?? '')) return false;
    const name = nameOf(options);
    const free = this.agent.freeSockets[name];
    let socket = free?.pop();
    while (socket?.destroyed) socket = free?.pop();
    if (!socket) return false;
    resetContext(socket);
    this.agent.reuseSocket(socket, request);
    request.onSocket(socket);
    const used = this.agent.sockets as Record<string, Socket[]>;
    used[name] ??= [];
    used[name].push(socket);
    return true;
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

  /** What goes wrong with the connection goes wrong again, and is reported, when the request is made. */
  open(host: string, port: string | number): void {
    const options = { keepAlive: true, noDelay: true, host, port: Number(port || this.standardPort) };
    const name = nameOf(options);
    if (this.agent.freeSockets[name]?.length || this.opened.has(name)) return;
    const servername = isIP(host) === 0 ? { servername: host } : {};
    // Under this key the agent finds the TLS session of an earlier connection, and keeps this one's: a whole handshake costs the login
    // two milliseconds more.
    const key = { _agentKey: name };
    const socket = this.guarded(this.connect({ ...options, ...servername, ...key }) as Socket);
    socket.on('error', close);
    this.idle.add(socket);
    this.opened.set(name, socket);
    // Nobody waits for it: it must not keep the process.
    socket.unref();
    socket.setTimeout(POOL.timeout).on('timeout', close);
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

/**
 * What connections are kept under. All requests here have the same TLS settings but for the name in the certificate, which follows a
 * `Host` header of the application's own. Node's name, of all that could differ, cost a tenth of a login.
 */
function nameOf({ host, port, servername }: ConnectionOptions = {}): string {
  return servername && servername !== host ? `${host}:${port}:${servername}` : `${host}:${port}`;
}

/** As Node's agent does: what happens to the connection from now on happens in the new request's `AsyncLocalStorage`. */
function resetContext(socket: Socket): void {
  const { _handle: handle } = socket as { _handle?: { asyncReset?(resource: object): void } };
  handle?.asyncReset?.({});
}

function isForHost(request: http.ClientRequest, host: string): boolean {
  const header = request.getHeader('host');
  return typeof header === 'string' && (header === host || header.startsWith(`${host}:`));
}

function close(this: Duplex): void {
  this.destroy();
}

/** Protocol -> its connections, from the first request on. */
const shared = new Map<string, Connections>();

function connectionsBy(protocol: string): Connections {
  const known = shared.get(protocol);
  if (known) return known;
  const [agent, port] = protocol === 'https:' ? [new https.Agent(POOL), 443] : [new http.Agent(POOL), 80];
  const fresh = new Connections(agent as http.Agent as RequestAgent, port);
  shared.set(protocol, fresh);
  return fresh;
}

/** The agent for an address, with one pool of connections for all strategies. */
export function sharedAgent({ protocol }: URL): http.Agent {
  return connectionsBy(protocol).agent;
}

/**
 * Opens a connection for a request that will come soon, unless one is free: a login at two hosts waits for two handshakes
 * otherwise, one after the other.
 */
export function openConnection({ protocol, hostname, port }: RequestOptions): void {
  connectionsBy(protocol ?? 'http:').open(hostname ?? '', port ?? '');
}
