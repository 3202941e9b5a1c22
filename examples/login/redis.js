// @ts-check
// Sessions in Redis, for several processes with many users.
import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';
import { SESSION_LIFETIME } from './accounts/sessions.js';

/** @param {string} url */
export async function openRedis(url) {
  // Without a queue, requests fail at once while Redis is down.
  const client = createClient({ url, disableOfflineQueue: true, socket: { connectTimeout: 5_000 } });
  // The client connects again by itself. Without a listener, the event would end the process.
  client.on('error', ({ code, message }) => console.error(`Redis: ${code ?? message}`));
  await client.connect();
  return new RedisStore({ client, prefix: 'session:', ttl: SESSION_LIFETIME / 1000, disableTouch: true });
}
