// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts, pause, waitForPort } from './ports.js';
import { end, makeFolder, removeFolder, runServer, unprivilegedAccount } from './processes.js';

const POSTGRES = findPostgres();
const REDIS = '/usr/bin/redis-server';

export const hasRedis = existsSync(REDIS);
export const hasServers = POSTGRES !== undefined && hasRedis;

/** Fresh PostgreSQL and Redis servers on this machine. */
export class Servers {
  /**
   * @private
   * @param {string} folder
   * @param {number} postgresPort
   * @param {number} redisPort
   */
  constructor(folder, postgresPort, redisPort) {
    this.folder = folder;
    this.postgresPort = postgresPort;
    this.redisPort = redisPort;
    /** @type {import('node:child_process').ChildProcess | undefined} */
    this.postgres = undefined;
    /** @type {import('node:child_process').ChildProcess | undefined} */
    this.redis = undefined;
  }

  static async start() {
    const servers = await Servers.startRedisAlone();
    await servers.startPostgres();
    return servers;
  }

  static async startRedisAlone() {
    const [postgresPort = 0, redisPort = 0] = await freePorts(2);
    const servers = new Servers(makeFolder('login-servers'), postgresPort, redisPort);
    await servers.startRedis();
    return servers;
  }

  get databaseURL() {
    return this.urlOf('postgres');
  }

  get redisURL() {
    return `redis://127.0.0.1:${this.redisPort}`;
  }

  /**
   * @param {string} name
   * @returns The database's URL
   */
  async createDatabase(name) {
    execFileSync(program('psql'), ['-q', this.databaseURL, '-c', `create database ${name}`]);
    return this.urlOf(name);
  }

  async startRedis() {
    const port = String(this.redisPort);
    const options = ['--bind', '127.0.0.1', '--port', port, '--save', '', '--dir', this.folder];
    this.redis = runServer(REDIS, options, this.folder);
    await waitForPort(this.redisPort, this.redis);
  }

  async stopRedis() {
    await end(this.redis);
  }

  async stop() {
    await Promise.all([end(this.postgres), this.stopRedis()]);
    removeFolder(this.folder);
  }

  /** @private */
  async startPostgres() {
    const data = join(this.folder, 'data');
    const initialize = ['-D', data, '-U', 'login', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
    const settings = /** @type {const} */ ({
      ...unprivilegedAccount(),
      stdio: 'ignore',
      cwd: this.folder,
    });
    execFileSync(program('initdb'), initialize, settings);
    const port = String(this.postgresPort);
    const options = ['-D', data, '-h', '127.0.0.1', '-p', port, '-k', this.folder];
    this.postgres = runServer(program('postgres'), options, this.folder);
    // PostgreSQL listens before it is ready.
    const isReady = () => spawnSync(program('pg_isready'), ['-q', '-h', '127.0.0.1', '-p', port]);
    while (isReady().status !== 0) {
      if (this.postgres.exitCode !== null) throw new Error('PostgreSQL ended before it was ready.');
      await pause(50);
    }
  }

  /** @private @param {string} database */
  urlOf(database) {
    return `postgresql://login@127.0.0.1:${this.postgresPort}/${database}`;
  }
}

/** @param {string} name */
function program(name) {
  return join(POSTGRES ?? '', name);
}

/** The folder with the programs of the newest installed PostgreSQL. */
function findPostgres() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}
