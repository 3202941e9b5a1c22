import type { ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';

import http = require('node:http');
import https = require('node:https');

// A free connection is given up after four seconds: many servers close theirs after five, and a request written to a
// connection that is just being closed cannot be repeated safely.
const POOL = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;

/** What @types/node leaves out of the documented class. */
interface KeepingAgent extends http.Agent {
  keepAliveSocket(socket: Duplex): unknown;
  reuseSocket(socket: Duplex, request: ClientRequest): void;
}

/** One pool of connections for all strategies. */
const sharedAgents: Readonly<Record<string, http.Agent>> = {
  'http:': guarded(new http.Agent(POOL)),
  'https:': guarded(new https.Agent(POOL)),
};

/** The agent for addresses of a protocol. */
export function sharedAgent({ protocol }: URL): http.Agent {
  return sharedAgents[protocol] as http.Agent;
}

/**
 * Closes a free connection on which something arrives: an answer that nobody asked for would be taken for the answer to the
 * next request, which may be another person's.
 */
function guarded(agent: http.Agent): http.Agent {
  const keeping = agent as KeepingAgent;
  const { keepAliveSocket, reuseSocket } = keeping;
  keeping.keepAliveSocket = (socket) => {
    const isKept = keepAliveSocket.call(keeping, socket);
    if (isKept) socket.on('data', closeUnasked);
    return isKept;
  };
  keeping.reuseSocket = (socket, request) => {
    socket.off('data', closeUnasked);
    reuseSocket.call(keeping, socket, request);
  };
  return agent;
}

function closeUnasked(this: Duplex): void {
  this.destroy();
}
