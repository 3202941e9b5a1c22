// @ts-check
// One process of the clustered application.
import { createServer } from 'node:http';
import { readSharedSandbox } from './shared-sandbox.js';

const { PORT, VARIANT, SHARED_SANDBOX = '', SESSION_SECRET = '' } = process.env;

process.once('disconnect', () => process.exit());
process.on('message', () => process.send?.(process.cpuUsage()));

// Listens only once the app is ready. Until then, the balancer uses the other instances.
createServer(await createApp()).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));

async function createApp() {
  const sandbox = readSharedSandbox(SHARED_SANDBOX);
  if (VARIANT === 'bare') {
    const { createBareApp } = await import('./bare.js');
    return createBareApp(sandbox);
  }
  if (VARIANT === 'stateless') {
    const { createStatelessApp } = await import('./stateless.js');
    return createStatelessApp(SESSION_SECRET, sandbox);
  }
  const { createLoginApp } = await import('./login.js');
  return createLoginApp(
    process.env,
    /** @type {import('passport-social-networks-sandbox').Sandbox} */ (sandbox),
  );
}
