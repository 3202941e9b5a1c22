// @ts-check
import { Accounts } from 'login-example/accounts.js';
import { createApp } from 'login-example/app.js';
import { DataFolder } from 'login-example/data-folder.js';
import { openDatabase } from 'login-example/database/open.js';
import { loadCipher } from 'login-example/encryption.js';
import { connectNetwork } from 'login-example/networks/index.js';
import { microblog, microblogOAuth1 } from 'login-example/networks/microblog.js';
import { shortVideo } from 'login-example/networks/short-video.js';
import { socialNetwork, socialNetworkVkId } from 'login-example/networks/social-network.js';
import { createSessions, openSessionStore } from 'login-example/sessions.js';
import { readSettings } from 'login-example/settings.js';
import { cookieLogins } from 'passport-social-networks';
import { createClaim } from './claim.js';

const NETWORKS = [shortVideo, microblog, microblogOAuth1, socialNetwork, socialNetworkVkId];

/**
 * The login example as one of several processes. Keeps sessions in Redis and accounts in PostgreSQL. All processes share one
 * sandbox, unlike `server.js`, which starts its own.
 *
 * @param {NodeJS.ProcessEnv} environment The settings of the login example
 * @param {import('passport-social-networks-sandbox').Sandbox} sandbox
 */
export async function createLoginApp(environment, sandbox) {
  const settings = readSettings(environment);
  const folder = await DataFolder.open(settings.dataFolder);
  const { database, sessionPool } = await openDatabase(settings, folder);
  const cipher = await loadCipher(database, settings, folder);
  const { store } = await openSessionStore(settings, sessionPool);
  const { baseURL } = settings;
  const logins = cookieLogins({ claim: await createClaim(settings.redisURL ?? '') });
  const networks = NETWORKS.map((network) =>
    connectNetwork(network, { ...network.sandboxOptions(sandbox), baseURL, store: logins }, true),
  );
  return createApp({
    settings,
    networks,
    sandboxURL: sandbox.url,
    accounts: new Accounts(database, cipher),
    sessions: await createSessions(settings, folder, store),
  });
}
