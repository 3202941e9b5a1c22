import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './app.js';

const POSTGRES = findPostgres();
const REDIS = '/usr/bin/redis-server';

export const hasServers = POSTGRES !== undefined && existsSync(REDIS);

/** PostgreSQL and Redis on this machine, with nothing in them. */
export class Servers {
  private postgres: ChildProcess | undefined;
  private redis: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly account: { uid: number; gid: number } | undefined,
    private readonly postgresPort: number,
    private readonly redisPort: number,
  ) {}

  static async start(): Promise<Servers> {
    const folder = mkdtempSync(join(tmpdir(), 'login-servers-'));
    const account = unprivilegedAccount();
    if (account) chownSync(folder, account.uid, account.gid);
    const servers = new Servers(folder, account, await freePort(), await freePort());
    await Promise.all([servers.startPostgres(), servers.startRedis()]);
    return servers;
  }

  get databaseURL(): string {
    return this.urlOf('postgres');
  }

  get redisURL(): string {
    return `redis://127.0.0.1:${this.redisPort}`;
  }

  /** @returns Its address. */
  async createDatabase(name: string): Promise<string> {
    execFileSync(join(POSTGRES ?? '', 'psql'), [this.databaseURL, '-c', `create database ${name}`]);
    return this.urlOf(name);
  }

  async startRedis(): Promise<void> {
    const port = String(this.redisPort);
    this.redis = this.run(REDIS, ['--bind', '127.0.0.1', '--port', port, '--save', '', '--dir', this.folder]);
    await isListening(this.redisPort);
  }

  async stopRedis(): Promise<void> {
    await end(this.redis);
  }

  async stop(): Promise<void> {
    await Promise.all([end(this.postgres), end(this.redis)]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async startPostgres(): Promise<void> {
    const data = join(this.folder, 'data');
    const initialize = ['-D', data, '-U', 'login', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
    const options = { ...this.account, stdio: 'ignore', cwd: this.folder } as const;
    execFileSync(join(POSTGRES ?? '', 'initdb'), initialize, options);
    const port = String(this.postgresPort);
    const server = ['-D', data, '-h', '127.0.0.1', '-p', port, '-k', this.folder];
    this.postgres = this.run(join(POSTGRES ?? '', 'postgres'), server);
    // It listens before it is ready.
    const isReady = () =>
      spawnSync(join(POSTGRES ?? '', 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', port]);
    while (isReady().status !== 0) await pause();
  }

  private run(program: string, options: readonly string[]): ChildProcess {
    return spawn(program, options, { ...this.account, stdio: 'ignore', cwd: this.folder });
  }

  private urlOf(database: string): string {
    return `postgresql://login@127.0.0.1:${this.postgresPort}/${database}`;
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  await exit;
}

/** Folder of the programs of the newest PostgreSQL that is installed. */
function findPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root).sort((one, other) => Number(other) - Number(one))
    : [];
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** PostgreSQL refuses to run as root. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

async function isListening(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
