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

/** What the proxy does with a browser's request. @param {string} origin - Of the application, behind it. @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
const throughProxy = (origin, url, init) =>
  new Promise((resolve, reject) => {
    const { host, pathname, search } = new URL(url);
    const navigation = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
    const own = /** @type {Record<string, string>} */ (init.headers);
    const headers = { ...own, ...navigation, host, 'x-forwarded-proto': 'https' };
    const settings = { method: init.method ?? 'GET', agent, headers };
    const receive = async (/** @type {http.IncomingMessage} */ incoming) => {
      const { statusCode: status = 0, rawHeaders } = incoming;
      const received = new Headers();
      for (let at = 0; at < rawHeaders.length; at += 2)
        received.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
      resolve(new Response(await text(incoming), { status, headers: received }));
    };
    const request = http.request(`${origin}${pathname}${search}`, settings, (incoming) =>
      receive(incoming).catch(reject),
    );
    request.on('error', reject).end();
  });

export class Deployment {
  /** @type {ReturnType<typeof startRedis> | undefined} */
  redis = undefined;

  /** @param {Record<string, string>} env - For processes that ask the network. */
  constructor(env) {
    this.env = env;
  }

  /** Runs the application of a client, in a new process. @template Result @param {Setup} setup @param {(application: Application) => Promise<Result>} use @throws {Error} when it does not start, or when there is no redis-server. */
  async run(setup, use) {
    this.redis ??= startRedis();
    const application = await startApplication(this.env, setup, (await this.redis).url);
    return use(application).finally(application.stop);
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
  const place = { domain: 'app.example', path: '/', expires: -1 };
  const kind = /** @type {const} */ ({ httpOnly: true, secure: true, sameSite: 'Lax' });
  /** With these cookies, by name. @param {[name: string, value: string][]} [cookies] */
  const newBrowser = (cookies = []) =>
    new Browser({
      cookies: cookies.map(([name, value]) => ({ name, value, ...place, ...kind })),
      fetch: (url, init) => throughProxy(origin, url, init),
    });
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
