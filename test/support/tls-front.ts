import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createProxy, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTLSServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { forward, listening, type TestServer } from './server.js';
import { opened } from './stand-in.js';

/** A private certificate authority and a server certificate that it signed. */
export type PrivateAuthority = ReturnType<typeof privateAuthority>;

/**
 * Creates an authority with openssl.
 *
 * @param names - Names in the server certificate: `DNS:...` or `IP:...`.
 * @param subject - Of the authority.
 * @param days - For which the server certificate is valid; negative: it has expired.
 */
export function privateAuthority(
  names: readonly string[],
  { subject = '/CN=Private authority', days = 2 } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'private-authority-'));
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = ['-subj', subject, '-days', '2', '-addext', 'basicConstraints=critical,CA:TRUE'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', ...authority);
  const server = ['-subj', '/CN=network', '-addext', `subjectAltName=${names.join(',')}`];
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', ...server);
  const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', 'server.csr', ...signer, '-days', String(days), '-out', 'server.pem');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    file: join(folder, 'ca.pem'),
    key: read('server.key'),
    cert: read('server.pem'),
    /** The server's certificate and the authority's. */
    chain: read('server.pem') + read('ca.pem'),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An authority for the tests of this `describe`. */
export const oneAuthority = (...given: Parameters<typeof privateAuthority>) =>
  opened(() => privateAuthority(...given));

export async function serveTLS(
  { key, cert }: Pick<PrivateAuthority, 'key' | 'cert'>,
  listener: RequestListener,
): Promise<TestServer> {
  const server = createTLSServer({ key, cert }, listener);
  // A client that does not trust the authority, or has gone while it was answered.
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  const served = await listening(server, () => server.closeAllConnections());
  return { ...served, url: `https://127.0.0.1:${served.port}` };
}

/** Network host -> path of the network in the sandbox. */
const SANDBOX_PATHS: Readonly<Record<string, string>> = {
  'open.tiktokapis.com': '/short-video',
  'api.x.com': '/microblog',
  'oauth.vk.ru': '/social-network',
  'api.vk.ru': '/social-network',
  'id.vk.ru': '/vk-id',
};

export const NETWORK_NAMES = [...Object.keys(SANDBOX_PATHS).map((host) => `DNS:${host}`), 'IP:127.0.0.1'];

/** Starts a TLS server that forwards requests for the networks' hosts to the sandbox. */
export function tlsFront(authority: PrivateAuthority, sandboxURL: string): Promise<TestServer> {
  return serveTLS(authority, (incoming, outgoing) => {
    const [host = ''] = incoming.headers.host?.split(':') ?? [];
    // The sandbox responds to names of this machine only.
    const headers = { ...incoming.headers, host: new URL(sandboxURL).host };
    forward(incoming, outgoing, `${sandboxURL}${SANDBOX_PATHS[host] ?? ''}`, headers);
  });
}

/** Starts a proxy that connects to the local port, whatever the requested host. `targets` are the requested hosts and ports, in order. */
export async function connectProxy(port: number, credentials: string) {
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
  const served = await listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
  return { ...served, targets };
}
