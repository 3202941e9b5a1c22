// @ts-check
import { createServer } from 'node:http';
import { cookieLogins } from 'passport-social-networks';
import { Accounts } from './accounts.js';
import { createApp } from './app.js';
import { DataFolder } from './data-folder.js';
import { openDatabase } from './database/open.js';
import { loadCipher } from './encryption.js';
import { reasonOf, StartError } from './errors.js';
import { configureNetworks, connectNetworks } from './networks/index.js';
import { createSessions, openSessionStore } from './sessions.js';
import { readSettings } from './settings.js';

/** @typedef {import('./settings.js').Settings} Settings */

/** Starts the application. Finds most mistakes before it writes any data. */
async function start() {
  const settings = readSettings(process.env);
  const configured = configureNetworks(settings);
  // Listen first, so that a second copy started by mistake does not touch the data. Early requests wait for the app.
  const server = createServer((request, response) => {
    ready.then(
      ({ app }) => app(request, response),
      () => response.destroy(),
    );
  });
  const ready = listen(server, settings).then(() => assemble(settings, configured));
  const { sandboxURL, close } = await ready;

  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await close();
    process.exit();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);

  const sandbox = sandboxURL === undefined ? '' : ` (sandbox: ${sandboxURL})`;
  console.log(`Log in at ${settings.baseURL ?? addressOf(server, settings)}${sandbox}`);
}

/** @param {Settings} settings @param {import('./networks/index.js').ConfiguredNetwork[]} configured */
async function assemble(settings, configured) {
  const folder = await DataFolder.open(settings.dataFolder);
  const { database, sessionPool, close } = await openDatabase(settings, folder);
  const cipher = await loadCipher(database, settings, folder);
  const sessionStore = await openSessionStore(settings, sessionPool);
  const accounts = new Accounts(database, cipher);
  if (configured.every(({ credentials }) => !credentials) && (await accounts.hasRealAccounts())) {
    throw new StartError(
      'The database has accounts at real networks, so it accepts none of the sandbox. Set the credentials of the networks, or use another database (DATABASE_URL or DATA_FOLDER).',
    );
  }
  // The default key follows from the client secret, which others may know: with it, they could make a login's state.
  const store = cookieLogins({ secrets: settings.loginSecret ?? (await folder.ownSecret('login-secret')) });
  const { networks, sandbox } = await connectNetworks(configured, settings, store);
  const app = createApp({
    settings,
    networks,
    sandboxURL: sandbox?.url,
    accounts,
    sessions: await createSessions(settings, folder, sessionStore.store),
  });
  return {
    app,
    sandboxURL: sandbox?.url,
    close: async () => {
      await Promise.all([sandbox?.close(), sessionStore.close()]);
      await close();
    },
  };
}

/** @param {import('node:http').Server} server @param {Settings} settings @returns {Promise<void>} */
function listen(server, { port, host }) {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const reason = reasonOf(error);
      const hint =
        reason === 'EADDRINUSE' || reason === 'EACCES'
          ? 'Choose another port, for example PORT=3100 npm start.'
          : 'Correct HOST.';
      reject(new StartError(`Cannot listen on port ${port} of ${host} (${reason}). ${hint}`));
    });
    server.listen(port, host, () => resolve());
  });
}

/** @param {import('node:http').Server} server @param {Settings} settings */
function addressOf(server, { host }) {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  // The wildcard address is not one that a browser can open.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

start().catch((error) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});
