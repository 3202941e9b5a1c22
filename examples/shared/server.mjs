// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:http';
import { readSettings } from './networks.mjs';

/** Starts an application, and prints its URL. @param {(settings: Awaited<ReturnType<typeof readSettings>>) => import('node:http').RequestListener} createListener */
export async function start(createListener) {
  const settings = await readSettings();
  await listen(createListener(settings), settings);
}

/** @param {import('node:http').RequestListener} listener @param {{ port: number, host: string, baseURL?: string | undefined }} settings */
export async function listen(listener, { port, host, baseURL }) {
  const server = createServer(listener).listen(port, host);
  await once(server, 'listening').catch((error) => {
    console.error(`${error.message}. Choose another port or host: PORT=3001 npm start.`);
    process.exit(1);
  });
  const address = server.address();
  console.log(`Log in at ${baseURL ?? `http://${host}:${typeof address === 'object' && address?.port}`}`);
  return server;
}
