// @ts-check
// Listens, and refreshes tokens every minute. `node server.js refresh` refreshes them once, for a scheduler.
import { listen } from '../../shared/server.mjs';
import { createApp } from './app.js';
import { settings } from './networks.js';
import { refreshDue } from './refresh.js';

if (process.argv[2] === 'refresh') {
  await refreshDue();
  process.exit();
}
await listen(createApp(settings), settings);
const job = () => refreshDue().catch(console.error);
setInterval(job, 60_000);
await job();
