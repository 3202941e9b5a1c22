// @ts-check
// Listens, and every minute refreshes tokens and deletes what has expired.
import './defaults.js'; // before the modules that read the environment
import { listen } from '../shared/server.mjs';
import { deleteExpired } from './accounts/database.js';
import { settings } from './accounts/networks.js';
import { refreshDue } from './accounts/refresh.js';
import { DatabaseStore } from './accounts/sessions.js';
import { createApp } from './app.js';
import { openRedis } from './redis.js';

const { REDIS_URL } = process.env;
const store = REDIS_URL ? await openRedis(REDIS_URL) : new DatabaseStore();
const server = await listen(createApp(settings, store), settings);

const job = () => Promise.all([refreshDue(), deleteExpired()]).catch(console.error);
setInterval(job, 60_000);
await job();

for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, () => {
    // Requests under way are answered.
    server.close(() => process.exit()).closeIdleConnections();
    setTimeout(() => process.exit(), 10_000).unref();
  });
