// @ts-check
import { randomBytes, randomUUID } from 'node:crypto';
import { BARE_JOURNEY, LOGIN_JOURNEY, STATELESS_JOURNEY } from './journeys.js';

/**
 * @typedef {object} Variant
 * @property {string} title
 * @property {import('./journeys.js').Journey} journey
 * @property {(servers: import('./servers.js').Servers, folder: string) => Promise<Record<string, string>>} environment What all
 *   instances of one cluster have in common
 */

/** How the application can be built. @type {readonly Variant[]} */
export const VARIANTS = [
  {
    title: 'sessions in Redis, accounts in PostgreSQL',
    journey: LOGIN_JOURNEY,
    environment: async (servers, folder) => ({
      VARIANT: 'login',
      // An empty one for each cluster.
      DATABASE_URL: await servers.createDatabase(`cluster_${randomUUID().replaceAll('-', '')}`),
      REDIS_URL: servers.redisURL,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SESSION_SECRET: randomBytes(32).toString('base64'),
      DATA_FOLDER: folder,
    }),
  },
  {
    title: 'sealed cookies, no shared state',
    journey: STATELESS_JOURNEY,
    environment: async () => ({
      VARIANT: 'stateless',
      SESSION_SECRET: randomBytes(32).toString('base64'),
    }),
  },
];

/** What the others are measured against. @type {Variant} */
export const BARE = {
  title: 'bare node:http, nobody logs in',
  journey: BARE_JOURNEY,
  environment: async () => ({ VARIANT: 'bare' }),
};
