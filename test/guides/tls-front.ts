import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createProxy, type IncomingMessage, request } from 'node:http';
import { createServer as createTLSServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

/** Something that listens on this machine. */
interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** A certificate authority of one's own, and a certificate that it signed. */
export interface PrivateAuthority {
  /** File of the authority's certificate. */
  readonly file: string;
  readonly key: Buffer;
  readonly cert: Buffer;
  remove(): void;
}

/** Makes an authority with openssl. @param names - What the certificate is for: `DNS:...` or `IP:...`. */
export function privateAuthority(names: readonly string[]): PrivateAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'private-authority-'));
  const openssl = (...words: string[]) =>
    execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const own = [
    '-subj',
    '/CN=Private authority',
    '-days',
    '2',
    '-addext',
    'basicConstraints=critical,CA:TRUE',
  ];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', ...own);
  openssl(
    'req',
    ...key,
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=network',
    '-addext',
    `subjectAltName=${names.join(',')}`,
  );
  const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', 'server.csr', ...signer, '-days', '2', '-out', 'server.pem');
  return {
    file: join(folder, 'ca.pem'),
    key: readFileSync(join(folder, 'server.key')),
    cert: readFileSync(join(folder, 'server.pem')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The networks' hosts -> where the sandbox plays them. */
const PLACES: Readonly<Record<string, string>> = {
  'open.tiktokapis.com': '/short-video',
  'api.x.com': '/microblog',
  'oauth.vk.ru': '/social-network',
  'api.vk.ru': '/social-network',
  'id.vk.ru': '/vk-id',
};

/** Names for a certificate of every network, and of this machine. */
export const NETWORK_NAMES = [...Object.keys(PLACES).map((host) => `DNS:${host}`), 'IP:127.0.0.1'];

/** Speaks TLS as the networks do, and hands each request on to the sandbox. */
export async function tlsFront(authority: PrivateAuthority, sandboxURL: string): Promise<Listening> {
  const server = createTLSServer({ key: authority.key, cert: authority.cert }, (incoming, outgoing) => {
    const [host = ''] = incoming.headers.host?.split(':') ?? [];
    const onward = request(`${sandboxURL}${PLACES[host] ?? ''}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers,
    });
    onward.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A proxy for CONNECT that asks for a password. */
export interface ConnectProxy extends Listening {
  /** What it was asked to connect to, in order. */
  readonly targets: readonly string[];
}

/** Starts a proxy. Whatever it is asked for, it connects to the port on this machine. */
export async function connectProxy(port: number, credentials: string): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Duplex>();
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createProxy((_incoming, outgoing) => outgoing.writeHead(405).end());
  server.on('connect', ({ url = '', headers }: IncomingMessage, browser: Duplex) => {
    if (headers['proxy-authorization'] !== expected) {
      browser.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    targets.push(url);
    const network = connect(port, '127.0.0.1', () => {
      browser.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      browser.pipe(network).pipe(browser);
    });
    for (const socket of [browser, network]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
