// Applications as they are deployed, each in a process of its own, and one Redis server with the sessions of all of them. This process is the
// browsers and the proxy.
import http from 'node:http';
import { createClient } from 'redis';
import { hasRedis, Servers } from '../../examples/cluster/servers.js';
import { agreeing } from '../network/networks.mjs';
import { order, startProcess } from '../processes.mjs';
import { Browser } from './browser.mjs';

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
  /** @param {Record<string, string>} env - For processes that ask the network. */
  constructor(env) {
    this.env = env;
    /** By client and network. @type {Map<string, Promise<Application>>} */
    this.applications = new Map();
    /** @type {ReturnType<typeof startRedis> | undefined} */
    this.redis = undefined;
  }

  /** The application of a client, started at the first call. @param {Setup} setup @throws {Error} when it does not start, or when there is no redis-server. */
  async application(setup) {
    this.redis ??= startRedis();
    const { redisURL } = (await this.redis).servers;
    const name = `${setup.client}, ${setup.network}`;
    const known = this.applications.get(name) ?? startApplication(this.env, setup, redisURL);
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
    redis?.client.destroy();
    await redis?.servers.stop();
  }
}

/** A Redis server on a free port, without persistence. */
async function startRedis() {
  if (!hasRedis) throw new Error('redis-server is not installed');
  const servers = await Servers.startRedisAlone();
  const client = createClient({ url: servers.redisURL });
  await client.connect();
  return { servers, client };
}

/** @param {Record<string, string>} env @param {Setup} setup @param {string} redis - URL. */
async function startApplication(env, { adapter, options, facts }, redis) {
  const settings = { subject: adapter.id, options, redis, trusted: 'loopback' };
  const { ports, stop } = await startProcess('clients/application.mjs', [JSON.stringify(settings)], {
    ...env,
    NODE_ENV: 'production',
  });
  const { origin, refused } = ports;
  if (refused) throw new Error(refused);
  /** @param {Browser} browser @param {string} path @param {'none' | 'cross-site'} site - Where the browser comes from. */
  const open = (browser, path, site) =>
    browser.open(`${origin}${path}`, { headers: { ...HEADERS, 'sec-fetch-site': site }, agent });
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
      const { status, text } = await callback(browser, query.toString());
      if (status !== 200) throw new Error(`the login ended with HTTP ${status} ${text}`);
    },
    /** Microseconds of CPU of all its threads so far. @returns {Promise<number>} */
    async cpu() {
      const { user, system } = await order(new URL(origin).port, 'cpu');
      return user + system;
    },
  };
}
