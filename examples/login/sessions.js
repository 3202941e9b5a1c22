// @ts-check
import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session from 'express-session';
import { createClient } from 'redis';
import { reasonOf, StartError } from './errors.js';

const ONE_WEEK = 7 * 24 * 60 * 60 * 1_000;

/**
 * Creates the session middleware. Sessions are stored outside the process, so users stay signed in across a restart.
 *
 * @param {import('./settings.js').Settings} settings
 * @param {import('./data-folder.js').DataFolder} folder
 * @param {session.Store} store
 */
export async function createSessions(settings, folder, store) {
  const { secure, sessionSecret } = settings;
  const secret = sessionSecret ?? (await folder.ownSecret('session-secret'));
  return session({
    store,
    secret,
    // The prefix makes browsers require https and restricts the cookie to this host.
    name: secure ? '__Host-session' : 'session',
    resave: false,
    saveUninitialized: false,
    // lax, not strict: the browser must send the cookie when the network redirects back.
    cookie: { httpOnly: true, sameSite: 'lax', secure, maxAge: ONE_WEEK },
  });
}

/**
 * Opens the session store: Redis if configured, otherwise the database.
 *
 * @param {import('./settings.js').Settings} settings
 * @param {import('pg').Pool} pool
 * @returns {Promise<{ store: session.Store, close: () => Promise<void> }>}
 */
export async function openSessionStore({ redisURL }, pool) {
  if (redisURL === undefined) {
    const store = new (connectPgSimple(session))({ pool, tableName: 'sessions' });
    return { store, close: async () => store.close() };
  }
  const client = await connectRedis(redisURL);
  const store = new RedisStore({ client, prefix: 'login-example:' });
  return { store, close: () => client.close() };
}

/**
 * Connects to a Redis server.
 *
 * @param {string} url
 * @throws {StartError} if it cannot be reached
 */
export async function connectRedis(url) {
  let isConnected = false;
  const client = createClient({
    url,
    // Fail requests at once while Redis is down.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 5_000,
      // At startup, a missing Redis is a configuration error; later, it is a temporary failure.
      reconnectStrategy: (attempts) => isConnected && Math.min(attempts * 100, 3_000),
    },
  });
  client.on('error', (error) => {
    if (isConnected) console.error(`Redis failed: ${reasonOf(error)}`);
  });
  try {
    await client.connect();
    isConnected = true;
    return client;
  } catch (error) {
    throw new StartError(
      `Redis at ${new URL(url).host} cannot be reached (${reasonOf(error)}). Start it, or correct REDIS_URL.`,
    );
  }
}
