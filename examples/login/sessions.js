// @ts-check
import { randomBytes } from 'node:crypto';
import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session from 'express-session';
import { createClient } from 'redis';
import { reasonOf, StartError } from './start-error.js';

const ONE_WEEK = 7 * 24 * 60 * 60 * 1_000;

/**
 * The middleware that gives each browser its session. Sessions live outside the process, so that a login that has begun,
 * and everybody who is signed in, survives a restart.
 *
 * @param {import('./settings.js').Settings} settings
 * @param {import('./data-folder.js').DataFolder} folder
 * @param {session.Store} store
 */
export async function createSessions(settings, folder, store) {
  const { secure, sessionSecret } = settings;
  const kept = sessionSecret ?? (await folder.readSecret('session-secret'));
  const secret = kept ?? (await folder.keepSecret('session-secret', randomBytes(32).toString('base64')));
  return session({
    store,
    secret,
    // The prefix makes browsers insist on https and on this very host.
    name: secure ? '__Host-session' : 'session',
    resave: false,
    saveUninitialized: false,
    // lax, not strict: the network's redirect has to bring the cookie along.
    cookie: { httpOnly: true, sameSite: 'lax', secure, maxAge: ONE_WEEK },
  });
}

/**
 * Where sessions are kept: in Redis if there is one, else in the database.
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

/** @param {string} url */
async function connectRedis(url) {
  let isConnected = false;
  const client = createClient({
    url,
    // Without Redis a request fails at once rather than wait for it.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 5_000,
      // At the start a missing Redis is a mistake to mend; later it is a failure that passes.
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
