import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request as the network read it off the wire. */
export interface WireRequest {
  /** Path with query. */
  readonly url: string;
  readonly path: string;
  /** The whole head, for what is in headers. */
  readonly head: string;
  readonly form: URLSearchParams;
}

/** What the network writes. */
export interface WireAnswer {
  /** Written one after the other. */
  readonly chunks: readonly Buffer[];
  /**
   * What comes after: the connection stays for the next request, is closed in order, is torn down, or stays without a
   * further word.
   */
  readonly ending: 'keep' | 'end' | 'destroy' | 'hang';
}

/** A network of raw sockets: what it writes need not be HTTP. */
export interface RawNetwork {
  readonly url: string;
  /** Connections that are open now. */
  readonly open: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Starts a network that answers each request as the function says. */
export async function rawNetwork(answer: (request: WireRequest) => WireAnswer): Promise<RawNetwork> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    readRequests(socket, (request) => write(socket, answer(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function readRequests(socket: Socket, onRequest: (request: WireRequest) => void): void {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = text.slice(0, headEnd);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (text.length < headEnd + 4 + length) return;
    const body = text.slice(headEnd + 4, headEnd + 4 + length);
    text = '';
    const url = head.split(' ', 2)[1] ?? '/';
    onRequest({ url, path: url.split('?', 1)[0] as string, head, form: new URLSearchParams(body) });
  });
}

function write(socket: Socket, { chunks, ending }: WireAnswer): void {
  const [first, ...rest] = chunks;
  if (first !== undefined && first.length > 0) socket.write(first);
  // In a turn of its own, so that the pieces arrive as pieces.
  if (rest.length > 0) setImmediate(() => write(socket, { chunks: rest, ending }));
  else if (ending === 'end') socket.end();
  else if (ending === 'destroy') setImmediate(() => socket.destroy());
}
