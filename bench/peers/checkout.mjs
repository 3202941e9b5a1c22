import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');

/** @throws Error with one line that says what to do, when the bench cannot run here. */
export function requirePeers() {
  if (!existsSync(join(here, 'node_modules/passport-tiktok-auth'))) {
    throw new Error('the peers are not installed. Run npm ci in bench/peers first.');
  }
  if (!existsSync(join(root, 'lib/index.ts'))) {
    throw new Error('bench/peers must stand in a checkout of passport-social-networks, whose build it asks.');
  }
}

/** Builds this checkout when its build is missing or older than its source. @throws Error when that fails. */
export function requireBuild() {
  // What a build writes last.
  const built = join(root, 'dist/index.mjs');
  if (existsSync(built) && sourceTime() <= statSync(built).mtimeMs) return;
  const build = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' });
  if (build.status === 0) return;
  const lines = `${build.stdout}\n${build.stderr}`.split('\n');
  throw new Error(`npm run build failed: ${lines.find((line) => /error/i.test(line)) ?? 'no reason given'}`);
}

/** When a file of the source was last written. */
function sourceTime() {
  const folder = join(root, 'lib');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return Math.max(...files.map((name) => statSync(join(folder, name)).mtimeMs));
}
