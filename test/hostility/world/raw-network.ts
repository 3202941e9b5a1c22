import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request as the network received it. */
export interface WireRequest {
  /** Path with query. */
  readonly url: string;
  readonly path: string;
  /** Request line and headers. */
  readonly head: string;
  readonly form: URLSearchParams;
}

/** The bytes of a response. */
export interface WireResponse {
  /** Written in order. */
  readonly chunks: readonly Buffer[];
  /**
   * How the connection continues: open for the next request, closed, destroyed, or open without further data.
   */
  readonly ending: 'keep' | 'end' | 'destroy' | 'hang';
  /** Milliseconds before the first byte. */
  readonly delay?: number;
  /** Called when the last byte is written. */
  readonly onSent?: () => void;
}

/** A network on raw sockets, whose responses need not be HTTP. */
export interface RawNetwork {
  readonly url: string;
  /** Open connections. */
  readonly open: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Starts a network that responds to each request with the function's result. */
export async function rawNetwork(respond: (request: WireRequest) => WireResponse): Promise<RawNetwork> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    readRequests(socket, (request) => write(socket, respond(request)));
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

function write(socket: Socket, { delay, ...response }: WireResponse): void {
  if (delay !== undefined) return void setTimeout(() => write(socket, response), delay);
  const { chunks, ending, onSent } = response;
  const [first, ...rest] = chunks;
  if (first !== undefined && first.length > 0) socket.write(first);
  // In a separate turn, so that the pieces arrive separately.
  if (rest.length > 0) return void setImmediate(() => write(socket, { ...response, chunks: rest }));
  onSent?.();
  if (ending === 'end') socket.end();
  else if (ending === 'destroy') setImmediate(() => socket.destroy());
}
