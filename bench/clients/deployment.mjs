// Applications as they are deployed, each in a process of its own, and one Redis server with the sessions of all of them. This process is the
// browsers and the proxy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { listen, order, startProcess } from '../processes.mjs';
import { Browser } from './browser.mjs';
import { agreeing } from './passport-client.mjs';

/** @typedef {import('./passport-client.mjs').Setup} Setup */
/** @typedef {Awaited<ReturnType<typeof startApplication>>} Application */

/** What the proxy adds, and what browsers send with every navigation. */
const HEADERS = {
  host: 'app.example',
  'x-forwarded-proto': 'https',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
};
const agent = new http.Agent({ keepAlive: true });

export class Deployment {
  /** @param {Omit<import('../run.mjs').Context, 'deployment'>} context */
  constructor(context) {
    this.context = context;
    /** By client and network. @type {Map<string, Promise<Application>>} */
    this.applications = new Map();
    /** @type {ReturnType<typeof startRedis> | undefined} */
    this.redis = undefined;
  }

  /**
   * The application of a client, started at the first call.
   *
   * @param {Setup} setup
   * @throws {Error} when it does not start, or when there is no redis-server.
   */
  async application(setup) {
    this.redis ??= startRedis();
    const { url } = await this.redis;
    const name = `${setup.client}, ${setup.network}`;
    const known = this.applications.get(name) ?? startApplication(this.context, setup, url);
    this.applications.set(name, known);
    return known;
  }

  /** How often Redis has executed each command. @returns {Promise<Record<string, number>>} */
  async commands() {
    const statistics = await (await this.redis)?.client.info('commandstats');
    const lines = [...(statistics ?? '').matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
    // This question is one of them.
    return Object.fromEntries(
      lines.filter(([, name]) => name !== 'info').map(([, name, calls]) => [name, Number(calls)]),
    );
  }

  async stop() {
    const started = await Promise.allSettled(this.applications.values());
    for (const outcome of started) if (outcome.status === 'fulfilled') outcome.value.stop();
    const redis = await this.redis?.catch(() => undefined);
    redis?.stop();
  }
}

/** A Redis server on a free port, without persistence. */
async function startRedis() {
  const probe = net.createServer();
  const port = await listen(probe);
  probe.close();
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  const kill = () => {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', kill);
  const url = `redis://127.0.0.1:${port}`;
  // It tries again until the server listens.
  const client = createClient({ url, socket: { reconnectStrategy: 20 } });
  client.on('error', () => undefined);
  const exit = once(server, 'exit').then(
    () => new Error('redis-server ended before it listened'),
    (error) => (error.code === 'ENOENT' ? new Error('redis-server is not installed') : error),
  );
  const failure = await Promise.race([client.connect().then(() => undefined), exit]);
  if (failure) {
    client.destroy();
    throw failure;
  }
  return {
    url,
    client,
    stop() {
      client.destroy();
      kill();
      process.off('exit', kill);
    },
  };
}

/** @param {Omit<import('../run.mjs').Context, 'deployment'>} context @param {Setup} setup @param {string} redis - URL. */
async function startApplication({ addresses, env }, { network, client, facts }, redis) {
  const settings = JSON.stringify({ addresses, network, client, redis });
  const production = { ...env, NODE_ENV: 'production' };
  const { ports, stop } = await startProcess('parts/application.mjs', [settings], production);
  /** @param {Browser} browser @param {string} path @param {'none' | 'cross-site'} site - Where the browser comes from. */
  const open = (browser, path, site) =>
    browser.open(`http://127.0.0.1:${ports.application}${path}`, {
      headers: { ...HEADERS, 'sec-fetch-site': site },
      agent,
    });
  const start = async (/** @type {Browser} */ browser) => {
    const { status, location, text } = await open(browser, '/login', 'none');
    if (!location) throw new Error(`the login began with HTTP ${status} ${text}`);
    return new URLSearchParams(agreeing(facts, location));
  };
  const callback = (/** @type {Browser} */ browser, /** @type {string} */ query) =>
    open(browser, `/callback?${query}`, 'cross-site');
  return {
    stop,
    start,
    callback,
    async login() {
      const browser = new Browser();
      const query = await start(browser);
      const { status, location, text } = await callback(browser, query.toString());
      if (location !== '/') throw new Error(`the login ended with HTTP ${status} ${location || text}`);
    },
    /** Microseconds of CPU of all its threads so far. @returns {Promise<number>} */
    async cpu() {
      const { user, system } = await order(ports.control, 'cpu');
      return user + system;
    },
  };
}
