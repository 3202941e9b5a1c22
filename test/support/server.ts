import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';

export interface TestServer {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  return listening(server, () => server.closeAllConnections());
}

export const servePage = (html: string): Promise<TestServer> =>
  serve((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(html);
  });

/** Answers with what another server on this machine answers, as a proxy does. */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
  headers = incoming.headers,
): void {
  const { method = 'GET', url = '/' } = incoming;
  const forwarded = request(`${origin}${url}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  forwarded.once('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
}

/**
 * Starts a server that calls `respond` with the raw socket when the first bytes of a request arrive.
 *
 * @param connected - Called with each new connection.
 */
export async function serveRaw(
  respond: (socket: Socket) => void,
  connected: (socket: Socket) => void = () => {},
): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setNoDelay(true);
    socket.once('data', () => respond(socket));
    connected(socket);
  });
  return listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

export async function listening(server: Server, closeConnections: () => void): Promise<TestServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        closeConnections();
      }),
  };
}

/** A request; its `url` is the path with the query. */
export type SeenRequest = Awaited<ReturnType<typeof readRequest>>;

/** The reply of a test's network; an object as `body` is sent as JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | object;
}

export interface TestNetwork extends TestServer {
  readonly requests: readonly SeenRequest[];
}

/** Form-encoded and labelled as HTML, as the microblog network sends tokens of OAuth 1.0a. */
export const formReply = (fields: Readonly<Record<string, string>>): Reply => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: new URLSearchParams(fields).toString(),
});

/** Starts a network that records each request and sends the reply of `respond`. */
export async function network(
  respond: (request: SeenRequest) => Reply | Promise<Reply>,
): Promise<TestNetwork> {
  const requests: SeenRequest[] = [];
  const server = await serve((incoming, outgoing) => {
    readRequest(incoming)
      .then(async (request) => {
        requests.push(request);
        send(outgoing, await respond(request));
      })
      .catch(() => outgoing.destroy());
  });
  return Object.assign(server, { requests });
}

async function readRequest(incoming: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { method = '', url = '', headers, socket } = incoming;
  const { pathname: path, searchParams: query } = new URL(url, 'http://network.invalid');
  return { method, url, path, query, headers, body, form: new URLSearchParams(body), socket };
}

function send(outgoing: ServerResponse, { status = 200, headers = {}, body = '' }: Reply): void {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(isText ? body : JSON.stringify(body));
}
