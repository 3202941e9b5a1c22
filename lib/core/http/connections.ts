import type { ClientRequest, ClientRequestArgs, RequestOptions } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import http = require('node:http');
import https = require('node:https');

type ConnectionOptions = ClientRequestArgs & { readonly servername?: string };

// Idle connections are closed after four seconds: many servers close theirs after five, and a request that is written to a
// connection while the server closes it cannot be repeated safely.
const IDLE_TIMEOUT = 4_000;

/** A keep-alive agent that can open a connection in advance, and closes an idle connection on which anything arrives. */
function keepAliveAgent(Agent: typeof http.Agent, defaultPort: number) {
  return class extends Agent implements KeepAliveAgent {
    private readonly origins = new WeakMap<Duplex, string>();
    /** Connections that no request uses. Anything that arrives on one closes it. */
    private readonly idle = new Set<Duplex>();
    /** Origin -> the connection opened in advance. */
    private readonly preconnected = new Map<string, Socket>();
    /** Origin -> the latest TLS session, which a connection opened in advance resumes. */
    private readonly tlsSessions = new Map<string, Buffer>();

    /** One listener for all connections, so that it can be removed from each. */
    private readonly forget: (this: Duplex) => void;

    /** @param isShared - Whether a connection serves more than one request. */
    constructor(private readonly isShared: boolean) {
      super({ keepAlive: true, timeout: IDLE_TIMEOUT, scheduling: 'lifo' });
      const { idle } = this;
      this.forget = function () {
        idle.delete(this);
      };
    }

    get hasIdle(): boolean {
      return this.idle.size > 0;
    }

    /** Opens a connection for a request that follows soon, unless one is idle. Errors are left to that request. */
    preconnect({ hostname, port }: RequestOptions): void {
      const host = hostname ?? '';
      const servername = isIP(host) === 0 ? host : '';
      const options = { host, port: Number(port || defaultPort), servername, keepAlive: true, noDelay: true };
      const origin = originOf(options);
      if ([...this.idle].some((socket) => this.origins.get(socket) === origin)) return;
      const session = this.tlsSessions.get(origin);
      const socket = super.createConnection({ ...options, ...(session && { session }) }) as Socket;
      this.watch(socket, origin);
      this.setIdle(socket, true);
      this.preconnected.set(origin, socket);
      socket.on('session', (latest: Buffer) => this.tlsSessions.set(origin, latest));
      socket.once('close', (hadError?: boolean) => {
        if (hadError) this.tlsSessions.delete(origin);
        if (this.preconnected.get(origin) === socket) this.preconnected.delete(origin);
      });
      socket.on('error', destroy).on('timeout', destroy).setTimeout(IDLE_TIMEOUT);
      // Does not keep a process alive that has nothing else to do.
      socket.unref();
    }

    override createConnection(
      options: ConnectionOptions,
      callback?: (error: Error | null, socket: Duplex) => void,
    ): Duplex | null | undefined {
      const origin = originOf(options);
      const preconnected = this.preconnected.get(origin);
      if (preconnected && !preconnected.destroyed) {
        this.preconnected.delete(origin);
        this.setIdle(preconnected, false);
        // From here on the connection is like any other: the pool and the request bring their own listeners.
        return preconnected.off('error', destroy).off('timeout', destroy).setTimeout(0).ref();
      }
      const socket = super.createConnection(options, callback);
      if (socket) this.watch(socket, origin);
      return socket;
    }

    /** @returns Whether to keep the connection: Node documents this result, and the types lack it. */
    override keepSocketAlive(socket: Duplex) {
      if (this.isShared) this.setIdle(socket, true);
      return this.isShared && super.keepSocketAlive(socket);
    }

    override reuseSocket(socket: Duplex, request: ClientRequest): void {
      this.setIdle(socket, false);
      super.reuseSocket(socket, request);
    }

    /**
     * Closes the connection if anything arrives while it is idle. Node would take such a response for the response to the next
     * request, which may be another user's.
     */
    private watch(socket: Duplex, origin: string): void {
      this.origins.set(socket, origin);
      socket.on('data', () => this.idle.has(socket) && socket.destroy());
    }

    private setIdle(socket: Duplex, isIdle: boolean): void {
      if (isIdle) this.idle.add(socket.once('close', this.forget));
      else this.idle.delete(socket.off('close', this.forget));
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

const HTTPAgent = keepAliveAgent(http.Agent, 80);
const HTTPSAgent = keepAliveAgent(https.Agent, 443);

export interface KeepAliveAgent extends http.Agent {
  /** Whether a connection is open that no request uses. */
  readonly hasIdle: boolean;
  preconnect(target: RequestOptions): void;
}

/** The agents of both protocols, each made with its first request. */
export class Agents {
  private readonly byProtocol = new Map<string, KeepAliveAgent>();

  constructor(private readonly isShared: boolean) {}

  for(protocol: string): KeepAliveAgent {
    let agent = this.byProtocol.get(protocol);
    if (!agent) {
      agent = protocol === 'https:' ? new HTTPSAgent(this.isShared) : new HTTPAgent(this.isShared);
      this.byProtocol.set(protocol, agent);
    }
    return agent;
  }
}

/** The agents that all strategies share by default. */
export const sharedAgents = new Agents(true);
