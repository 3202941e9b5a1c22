// @ts-check
import { createServer } from 'node:http';
import { Accounts } from './accounts.js';
import { createApp } from './app.js';
import { DataFolder } from './data-folder.js';
import { openDatabase } from './database/open.js';
import { openVault } from './encryption.js';
import { connectNetworks } from './networks/index.js';
import { createSessions, openSessionStore } from './sessions.js';
import { readSettings } from './settings.js';
import { reasonOf, StartError } from './start-error.js';

/** @typedef {import('./settings.js').Settings} Settings */

/** Starts everything, in an order in which most mistakes are found before anything was written. */
async function start() {
  const settings = readSettings(process.env);
  // The port first: a second copy, started by mistake, must not touch the data. Early visitors wait until all is ready.
  const server = createServer((request, response) => {
    assembled.then(
      ({ app }) => app(request, response),
      () => response.destroy(),
    );
  });
  const assembled = listen(server, settings).then(() => assemble(settings));
  const { sandboxURL, close } = await assembled;

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

/** @param {Settings} settings */
async function assemble(settings) {
  const folder = await DataFolder.open(settings.dataFolder);
  const { database, pool, close } = await openDatabase(settings, folder);
  const vault = await openVault(database, settings, folder);
  const sessionStore = await openSessionStore(settings, pool);
  const { networks, sandbox } = await connectNetworks(settings);
  const app = createApp({
    settings,
    networks,
    sandboxURL: sandbox?.url,
    accounts: new Accounts(database, vault),
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

/**
 * @param {import('node:http').Server} server
 * @param {Settings} settings
 * @returns {Promise<void>}
 */
function listen(server, { port, host }) {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const reason = reasonOf(error);
      const remedy =
        reason === 'EADDRINUSE' || reason === 'EACCES'
          ? 'Choose another with PORT, for example PORT=3100 npm start.'
          : 'Correct HOST.';
      reject(new StartError(`Port ${port} of ${host} cannot be used (${reason}). ${remedy}`));
    });
    server.listen(port, host, () => resolve());
  });
}

/** @param {import('node:http').Server} server @param {Settings} settings */
function addressOf(server, { host }) {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  // Listening everywhere is no address to visit.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

start().catch((error) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});
