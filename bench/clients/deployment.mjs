// Applications as they are deployed, each in a process of its own, and one Redis server with the sessions of all of them. This process is the
// browsers and the proxy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { Browser } from 'passport-social-networks-sandbox';
import { createClient } from 'redis';
import { agreeing } from '../network/networks.mjs';
import { listen, order, startProcess } from '../processes.mjs';

/** @typedef {import('./passport-client.mjs').Setup} Setup */
/** @typedef {Awaited<ReturnType<typeof startApplication>>} Application */

const ORIGIN = 'https://app.example';
const agent = new http.Agent({ keepAlive: true });

/** A browser whose requests come through the proxy. @param {string} origin - Of the application, behind it. @param {import('passport-social-networks-sandbox').BrowserCookie[]} [cookies] */
const browserAt = (origin, cookies = []) =>
  new Browser({
    cookies,
    fetch: (url, { method = 'GET', headers }) =>
      new Promise((resolve, reject) => {
        const { host, pathname, search } = new URL(url);
        const navigation = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
        const own = /** @type {Record<string, string>} */ (headers);
        const sent = { ...own, ...navigation, host, 'x-forwarded-proto': 'https' };
        const receive = async (/** @type {http.IncomingMessage} */ incoming) => {
          const received = new Headers({ location: incoming.headers.location ?? '' });
          if (!incoming.headers.location) received.delete('location');
          for (const line of incoming.headers['set-cookie'] ?? []) received.append('set-cookie', line);
          const { statusCode: status = 0 } = incoming;
          resolve(new Response(await text(incoming), { status, headers: received }));
        };
        http
          .request(`${origin}${pathname}${search}`, { method, agent, headers: sent }, (incoming) =>
            receive(incoming).catch(reject),
          )
          .on('error', reject)
          .end();
      }),
  });

export class Deployment {
  /** @param {Record<string, string>} env - For processes that ask the network. */
  constructor(env) {
    this.env = env;
    /** By client and network. @type {Map<string, Promise<Application>>} */
    this.applications = new Map();
    /** @type {ReturnType<typeof startRedis> | undefined} */
    this.redis = undefined;
  }

  /** The application of a client, started at the first call. @param {Setup} setup */
  async application(setup) {
    const name = `${setup.client}, ${setup.network}`;
    const known = this.applications.get(name) ?? this.start(setup);
    this.applications.set(name, known);
    return known;
  }

  /** One more application of a client, which the caller stops. @param {Setup} setup @throws {Error} when it does not start, or when there is no redis-server. */
  async start(setup) {
    this.redis ??= startRedis();
    return startApplication(this.env, setup, (await this.redis).url);
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
    redis?.server.kill();
  }
}

/** A Redis server on a free port, without persistence. */
async function startRedis() {
  const probe = http.createServer();
  const port = String(await listen(probe));
  await once(probe.close(), 'close');
  const options = ['--bind', '127.0.0.1', '--port', port, '--save', '', '--dir', tmpdir()];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  process.once('exit', () => server.kill());
  const failed = once(server, 'exit').then(() => Promise.reject(new Error('redis-server ended')));
  const url = `redis://127.0.0.1:${port}`;
  const reconnectStrategy = () => 50;
  const client = createClient({ url, socket: { reconnectStrategy } }).on('error', () => {});
  await Promise.race([client.connect(), failed]).catch((error) => {
    client.destroy();
    throw error.code === 'ENOENT' ? new Error('redis-server is not installed') : error;
  });
  failed.catch(() => {});
  return { url, server, client };
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
  /** With these cookies, by name. @param {[name: string, value: string][]} [cookies] */
  const newBrowser = (cookies = []) =>
    browserAt(
      origin,
      cookies.map(([name, value]) => ({
        name,
        value,
        domain: 'app.example',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      })),
    );
  const start = async (/** @type {Browser} */ browser) => {
    const { response, location } = await browser.visit(`${ORIGIN}/login`);
    if (!location) throw new Error(`the login began with HTTP ${response.status} ${await response.text()}`);
    return new URLSearchParams(agreeing(facts, location));
  };
  const callback = async (/** @type {Browser} */ browser, /** @type {string} */ query) =>
    (await browser.visit(`${ORIGIN}/callback?${query}`, { from: 'cross-site' })).response;
  return {
    stop,
    newBrowser,
    start,
    callback,
    async login() {
      const browser = newBrowser();
      const query = await start(browser);
      const response = await callback(browser, query.toString());
      if (response.status !== 200)
        throw new Error(`the login ended with HTTP ${response.status} ${await response.text()}`);
    },
    /** Microseconds of CPU of all its threads so far. @returns {Promise<number>} */
    async cpu() {
      const { user, system } = await order(new URL(origin).port, 'cpu');
      return user + system;
    },
  };
}
