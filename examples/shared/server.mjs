// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:http';
import { readSettings } from './networks.mjs';

/**
 * Starts an application with the settings of the environment, and prints its URL.
 *
 * @param {(settings: Awaited<ReturnType<typeof readSettings>>) => import('node:http').RequestListener} createListener
 */
export async function start(createListener) {
  const settings = await readSettings();
  const server = createServer(createListener(settings)).listen(settings.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  console.log(`Log in at http://127.0.0.1:${typeof address === 'object' && address?.port}`);
}
