import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POSTGRES = findPostgres();
const REDIS = '/usr/bin/redis-server';
const NGINX = '/usr/sbin/nginx';

export const hasServers = POSTGRES !== undefined && existsSync(REDIS);
export const hasNginx = existsSync(NGINX);
export const SERVERS_NEEDED =
  'these tests need nginx, PostgreSQL and Redis: apt-get install nginx-light postgresql redis-server.';

const running = new Set<ChildProcess>();
const folders = new Set<string>();

// Clean up however this process ends.
process.once('exit', () => {
  for (const child of running) child.kill('SIGINT');
  for (const folder of folders) removeFolder(folder);
});

export type Servers = Awaited<ReturnType<typeof startServers>>;

export async function startServers() {
  const folder = makeFolder('servers');
  const [postgresPort = 0, redisPort = 0] = await freePorts(2);
  const redis = runServer(
    REDIS,
    ['--bind', '127.0.0.1', '--port', String(redisPort), '--save', '', '--dir', folder],
    folder,
  );
  const data = join(folder, 'data');
  const initialize = ['-D', data, '-U', 'login', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync(program('initdb'), initialize, { ...unprivilegedAccount(), stdio: 'ignore', cwd: folder });
  const port = String(postgresPort);
  const options = ['-D', data, '-h', '127.0.0.1', '-p', port, '-k', folder];
  const postgres = runServer(program('postgres'), options, folder);
  // PostgreSQL listens before it is ready.
  while (spawnSync(program('pg_isready'), ['-q', '-h', '127.0.0.1', '-p', port]).status !== 0) {
    if (postgres.exitCode !== null) throw new Error('PostgreSQL ended before it was ready.');
    await pause(50);
  }
  await waitForPort(redisPort, redis);
  return {
    databaseURL: `postgresql://login@127.0.0.1:${postgresPort}/postgres`,
    redisURL: `redis://127.0.0.1:${redisPort}`,
    async stop() {
      await Promise.all([end(postgres), end(redis)]);
      removeFolder(folder);
    },
  };
}

/** Starts nginx with a configuration for its `http` block. @returns What stops it, and the folder of its relative paths. */
export async function startNginx(configuration: string, port: number, files: Record<string, string> = {}) {
  const folder = makeFolder('nginx');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${name};`,
  );
  const file = join(folder, 'nginx.conf');
  const settings = 'daemon off; worker_processes 1; pid nginx.pid; error_log stderr crit; events {}';
  writeFileSync(file, `${settings} http { access_log off; ${paths.join(' ')}\n${configuration} }`);
  const child = runServer(NGINX, ['-p', folder, '-c', file, '-e', 'stderr'], folder, 'inherit');
  await waitForPort(port, child);
  const close = async () => {
    await end(child);
    removeFolder(folder);
  };
  return { folder, close };
}

/**
 * Finds distinct free ports, below the ephemeral range: an outgoing connection could otherwise take one before it is used, or while its server
 * is down.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Starts a server without root privileges; PostgreSQL refuses to run as root. */
function runServer(
  file: string,
  options: readonly string[],
  folder: string,
  errors: 'ignore' | 'inherit' = 'ignore',
): ChildProcess {
  const child = spawn(file, options, {
    ...unprivilegedAccount(),
    cwd: folder,
    stdio: ['ignore', 'ignore', errors],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  await exit;
}

function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  folders.add(folder);
  const account = unprivilegedAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

function removeFolder(folder: string): void {
  folders.delete(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** The account that servers run as when this process is root. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

async function waitForPort(port: number, server: ChildProcess): Promise<void> {
  while (!(await isOpen(port))) {
    if (server.exitCode !== null) throw new Error(`${server.spawnfile} ended before it listened.`);
    await pause(50);
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function program(name: string): string {
  return join(POSTGRES ?? '', name);
}

/** The folder with the programs of the newest installed PostgreSQL. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}
