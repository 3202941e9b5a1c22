// @ts-check
// One process of the clustered application.
import { createServer } from 'node:http';
import { cookieLogins } from 'passport-social-networks';

const { PORT, BASE_URL, SANDBOX = '', SESSION_SECRET: secret = '', REDIS_URL, LOGIN_SECRETS } = process.env;
/** The options of all strategies, by strategy. @type {{ url: string, networks: Record<string, { clientID: string, clientSecret: string }> }} */
const sandbox = JSON.parse(SANDBOX);
// Without them, each strategy makes the key of the cookies from its client secret.
const secrets = LOGIN_SECRETS && { secrets: LOGIN_SECRETS.split(' ') };

process.once('disconnect', () => process.exit());

const app = REDIS_URL === undefined ? await createStatelessApp() : await createLoginApp(REDIS_URL);
// Listens only once the app is ready. Until then, the balancer uses the other instances.
createServer(app).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));

/**
 * The login example as one of several processes. Keeps sessions in Redis and accounts in PostgreSQL. All processes share one
 * sandbox, unlike `server.js`, which starts its own.
 *
 * @param {string} redisURL
 */
async function createLoginApp(redisURL) {
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

  const settings = readSettings(process.env);
  const folder = await DataFolder.open(settings.dataFolder);
  const { database, sessionPool } = await openDatabase(settings, folder);
  const cipher = await loadCipher(database, settings, folder);
  const { store } = await openSessionStore(settings, sessionPool);
  const { baseURL } = settings;
  const { url } = sandbox;
  /** @type {Record<string, string>} */
  const suffixes = { '1.0': '-1-0', 2.1: '-vk-id' };
  const options = (/** @type {string} */ network, { version = '' } = {}) =>
    sandbox.networks[`${network}${suffixes[version] ?? ''}`];
  const shared = /** @type {import('passport-social-networks-sandbox').Sandbox} */ ({ url, options });
  const logins = cookieLogins({ claim: await createClaim(redisURL), ...secrets });
  const networks = [shortVideo, microblog, microblogOAuth1, socialNetwork, socialNetworkVkId].map((network) =>
    connectNetwork(network, { ...network.sandboxOptions(shared), baseURL, store: logins }, true),
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
 * @param {string} redisURL
 * @returns {Promise<(id: string, expiresAt: number) => Promise<boolean>>} The option `claim` of `cookieLogins`
 */
async function createClaim(redisURL) {
  const { connectRedis } = await import('login-example/sessions.js');
  const redis = await connectRedis(redisURL);
  return async (id, expiresAt) =>
    (await redis.set(`used-login:${id}`, '1', { NX: true, PXAT: expiresAt })) === 'OK';
}

/**
 * The sessionless example as one of several processes. They share nothing but secrets: those that encrypt the cookies of logins in
 * progress, and the one that signs the tokens of the application.
 */
async function createStatelessApp() {
  const { createSessionlessApp } = await import('express-example/sessionless.js');
  const common = { baseURL: BASE_URL, store: cookieLogins({ ...secrets }) };
  const networks = Object.fromEntries(
    Object.entries(sandbox.networks).map(([name, options]) => [name, { ...options, ...common }]),
  );
  return createSessionlessApp({ networks, secret, trustProxy: true });
}
