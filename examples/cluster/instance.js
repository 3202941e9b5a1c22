// @ts-check
// One process of the clustered application, or the sandbox that all of them share.
import { Agent, createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';

const { PORT, VARIANT, SHARED_SANDBOX = '{}', SESSION_SECRET: secret = '', REDIS_URL = '' } = process.env;

process.once('disconnect', () => process.exit());
process.on('message', () => process.send?.(process.cpuUsage()));

if (VARIANT === 'sandbox') {
  const { startSandbox } = await import('passport-social-networks-sandbox');
  const { PEOPLE, shareSandbox } = await import('./sandbox.js');
  process.send?.(shareSandbox(await startSandbox({ people: PEOPLE })));
} else {
  /** @type {import('./sandbox.js').SharedSandbox} */
  const sandbox = JSON.parse(SHARED_SANDBOX);
  const create = { login: createLoginApp, stateless: createStatelessApp }[VARIANT ?? ''] ?? createBareApp;
  // Listens only once the app is ready. Until then, the balancer uses the other instances.
  createServer(await create(sandbox)).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
}

/**
 * The login example as one of several processes. Keeps sessions in Redis and accounts in PostgreSQL. All processes share one
 * sandbox, unlike `server.js`, which starts its own.
 *
 * @param {import('./sandbox.js').SharedSandbox} shared
 */
async function createLoginApp({ url, options }) {
  const { createApp } = await import('login-example/app.js');
  const { connectNetwork } = await import('login-example/networks/index.js');
  const { microblog, microblogOAuth1 } = await import('login-example/networks/microblog.js');
  const { shortVideo } = await import('login-example/networks/short-video.js');
  const { socialNetwork, socialNetworkVkId } = await import('login-example/networks/social-network.js');
  const { createSessions, openSessionStore } = await import('login-example/sessions.js');
  const { Accounts } = await import('login-example/accounts.js');
  const { DataFolder } = await import('login-example/data-folder.js');
  const { openDatabase } = await import('login-example/database/open.js');
  const { loadCipher } = await import('login-example/encryption.js');
  const { readSettings } = await import('login-example/settings.js');
  const { cookieLogins } = await import('passport-social-networks');

  const settings = readSettings(process.env);
  const folder = await DataFolder.open(settings.dataFolder);
  const { database, sessionPool } = await openDatabase(settings, folder);
  const cipher = await loadCipher(database, settings, folder);
  const { store } = await openSessionStore(settings, sessionPool);
  const { baseURL } = settings;
  /** @type {Record<string, string>} */
  const suffixes = { '1.0': '-1-0', 2.1: '-vk-id' };
  const optionsOf = (/** @type {string} */ network, { version = '' } = {}) =>
    options[`${network}${suffixes[version] ?? ''}`];
  const sandbox = /** @type {import('./sandbox.js').Sandbox} */ ({ url, options: optionsOf });
  const logins = cookieLogins({ claim: await createClaim() });
  const networks = [shortVideo, microblog, microblogOAuth1, socialNetwork, socialNetworkVkId].map((network) =>
    connectNetwork(network, { ...network.sandboxOptions(sandbox), baseURL, store: logins }, true),
  );
  const sessions = await createSessions(settings, folder, store);
  return createApp({
    settings,
    networks,
    sandboxURL: url,
    accounts: new Accounts(database, cipher),
    sessions,
  });
}

/**
 * Makes a login single-use across all instances. Otherwise two that get the same authorization response at once would both send its code,
 * and the network would accept it once. Redis lets only one of them have it.
 *
 * @returns {Promise<(id: string, expiresAt: number) => Promise<boolean>>} The option `claim` of `cookieLogins`
 */
async function createClaim() {
  const { connectRedis } = await import('login-example/sessions.js');
  const redis = await connectRedis(REDIS_URL);
  return async (id, expiresAt) =>
    (await redis.set(`used-login:${id}`, '1', { NX: true, PXAT: expiresAt })) === 'OK';
}

/**
 * The sessionless example as one of several processes. They share nothing but secrets: the client secrets, which encrypt the cookies of
 * logins in progress, and the one that signs the tokens of the application.
 *
 * @param {import('./sandbox.js').SharedSandbox} shared
 */
async function createStatelessApp({ options: networks }) {
  const { createSessionlessApp } = await import('express-example/sessionless.js');
  // The redirect URI uses the balancer's address.
  return createSessionlessApp({ networks, secret, trustProxy: true });
}

/**
 * The baseline: as many requests as a login makes, to the application and from there to the network, but with bare `node:http`
 * and no login. Shows what several processes cost because they share the machine's cores.
 *
 * @param {import('./sandbox.js').SharedSandbox} shared
 * @returns {import('node:http').RequestListener}
 */
function createBareApp({ url }) {
  const agent = new Agent({ keepAlive: true });
  // The sandbox has no robots.txt; its 404 is response enough.
  const requestNetwork = () =>
    new Promise((resolve, reject) => {
      get(`${url}/robots.txt`, { agent }, (response) => resolve(text(response))).once('error', reject);
    });
  return (request, response) => {
    const done = request.url === '/callback' ? requestNetwork().then(requestNetwork) : Promise.resolve();
    done.then(
      () => response.end(request.url),
      () => response.writeHead(502).end(),
    );
  };
}
