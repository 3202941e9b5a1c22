import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority, and a server certificate for 127.0.0.1 that it signed. */
export interface Authority {
  /** Path of the authority's certificate. */
  readonly file: string;
  /** SHA-256, as Node writes it. */
  readonly fingerprint: string;
  readonly key: string;
  readonly cert: string;
  /** The server's certificate and the authority's. */
  readonly chain: string;
  remove(): void;
}

/** Creates an authority with openssl. @param days - For which the server certificate is valid; negative: it has expired. */
export function authority(commonName: string, { subject = 'IP:127.0.0.1', days = 2 } = {}): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const isAuthority = ['-addext', 'basicConstraints=critical,CA:TRUE'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    `/O=Test/CN=${commonName}`,
    '-days',
    '2',
    ...isAuthority,
  );
  openssl(
    'req',
    ...key,
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=server',
    '-addext',
    `subjectAltName=${subject}`,
  );
  const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', 'server.csr', ...signer, '-days', String(days), '-out', 'server.pem');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    file: join(folder, 'ca.pem'),
    fingerprint: new X509Certificate(read('ca.pem')).fingerprint256,
    key: read('server.key'),
    cert: read('server.pem'),
    chain: read('server.pem') + read('ca.pem'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Starts an https server on 127.0.0.1. */
export async function serveTLS(
  { key, cert }: Pick<Authority, 'key' | 'cert'>,
  listener: RequestListener,
): Promise<{ readonly url: string; readonly port: number; close(): Promise<void> }> {
  const server = createServer({ key, cert }, listener);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
