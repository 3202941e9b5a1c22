import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { PrivateAuthority } from '../support/tls-front.js';

const NGINX = '/usr/sbin/nginx';

export const hasNginx = existsSync(NGINX);

/** A running nginx. */
export interface Nginx {
  readonly port: number;
  /** Requests a path over https. @returns The headers of the response. */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<IncomingHttpHeaders>;
  close(): Promise<void>;
}

/**
 * Starts nginx with a `server` block of a guide, whose addresses and files are replaced.
 *
 * @param server - Listens on port 443, and forwards to port 3000.
 * @param authority - Signed the certificate.
 * @param application - URL of the application.
 */
export async function startNginx(
  server: string,
  authority: PrivateAuthority,
  application: string,
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'server.key'), authority.key);
  writeFileSync(join(folder, 'server.pem'), authority.cert);
  const changed = server
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/ssl/shop.example', join(folder, 'server'))
    .replace('http://127.0.0.1:3000', application);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid nginx.pid; error_log stderr crit; events {} http { access_log off; ${paths.join(' ')}\n${changed} }`,
  );
  const child = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error('nginx did not start');
    await wait(20);
  }
  const ca = readFileSync(authority.file);
  return {
    port,
    get: async (path, headers) => {
      const outgoing = request({ host: '127.0.0.1', port, path, headers, ca, servername: '' }).end();
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      incoming.resume();
      return incoming.headers;
    },
    close: async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
