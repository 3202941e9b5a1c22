// @ts-check
// Listens, and refreshes tokens every minute. `node server.js refresh` refreshes them once, for a scheduler.
import { createApp } from './app.js';
import { settings } from './networks.js';
import { refreshDue } from './refresh.js';

if (process.argv[2] === 'refresh') {
  await refreshDue();
  process.exit();
}
const server = createApp(settings).listen(settings.port, '127.0.0.1', (error) => {
  if (error) throw error;
  const address = server.address();
  console.log(`Log in at http://127.0.0.1:${typeof address === 'object' && address?.port}`);
});
const job = () => refreshDue().catch(console.error);
setInterval(job, 60_000);
await job();
