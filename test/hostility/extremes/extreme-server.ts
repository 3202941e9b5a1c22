import { createServer, type Socket } from 'node:net';
import { createGzip } from 'node:zlib';

// A server in a separate process. Streams a gigabyte or never responds, and reports to its parent how many bytes it sent and how
// many connections are open.
const GIGABYTE = 1_073_741_824;
const PIECE = Buffer.alloc(65_536, 'x');

const open = new Set<Socket>();
let sent = 0;

const server = createServer((socket) => {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  socket.once('data', (bytes: Buffer) => {
    const path = bytes.toString('latin1').split(' ', 2)[1] ?? '';
    if (path.startsWith('/silent')) return;
    sent = 0;
    const head = headOf(path);
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}\r\n`);
    if (path.startsWith('/gzip')) streamZipped(socket);
    else stream(socket, path.startsWith('/chunked'));
  });
});

function headOf(path: string): string {
  if (path.startsWith('/length')) return `content-length: ${GIGABYTE}\r\n`;
  if (path.startsWith('/chunked')) return 'transfer-encoding: chunked\r\n';
  return path.startsWith('/gzip') ? 'content-encoding: gzip\r\n' : '';
}

function stream(socket: Socket, isChunked: boolean): void {
  const piece = isChunked
    ? Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])
    : PIECE;
  const next = () => {
    while (!socket.destroyed && sent < GIGABYTE) {
      sent += PIECE.length;
      if (!socket.write(piece)) return void socket.once('drain', next);
    }
    socket.end();
  };
  next();
}

/** Compresses a gigabyte of zeros to about a megabyte, just below the limit for compressed data. */
function streamZipped(socket: Socket): void {
  const zip = createGzip({ level: 9 });
  const zeros = Buffer.alloc(1_048_576);
  let rest = GIGABYTE;
  const next = () => {
    while (rest > 0 && !socket.destroyed) {
      rest -= zeros.length;
      if (!zip.write(zeros)) return void zip.once('drain', next);
    }
    zip.end();
  };
  zip.on('data', (bytes: Buffer) => {
    sent += bytes.length;
    socket.write(bytes);
  });
  zip.on('end', () => socket.end());
  next();
}

process.on('message', () => process.send?.({ sent, open: open.size }));
server.listen(0, '127.0.0.1', 4_096, () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 });
});
