// What it costs to load each entry of the package, what it is built on, and the peers: each in processes of their own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inRounds } from '../rounds.mjs';

const run = promisify(execFile);
const LOADER = join(import.meta.dirname, 'load.mjs');

/** @typedef {{ milliseconds: number, heap: number, rss: number }} LoadFigures - Time, and bytes that stay. */
/** @typedef {{ name: string, failure?: string, rounds: LoadFigures[] }} LoadResult */

const ENTRIES = ['short-video', 'microblog', 'social-network', 'sandbox'];

/**
 * @param {import('./installs.mjs').Install[]} installs
 * @param {{ rounds: number }} size
 * @returns {Promise<LoadResult[]>}
 */
export async function measureLoading([ours, , ...peers], { rounds }) {
  if (!ours) throw new Error('Nothing is installed.');
  const { folder, name } = ours;
  const subjects = [
    ...['passport-oauth2', 'passport-oauth1', ...ENTRIES.map((entry) => `${name}/${entry}`), name].map(
      (specifier) => ({ folder, specifier, way: 'require' }),
    ),
    ...peers.map((peer) => ({
      folder: peer.folder,
      specifier: peer.name,
      way: peer.name === '@auth/core' ? 'import' : 'require',
    })),
  ];
  const series = await inRounds(subjects, rounds, async ({ folder, specifier, way }) => {
    const args = ['--expose-gc', LOADER, folder, specifier, way];
    const { stdout } = await run(process.execPath, args).catch((error) => {
      const line = /^\w*Error.*$/m.exec(error.stderr)?.[0];
      throw new Error(line ?? error.message);
    });
    return /** @type {LoadFigures} */ (JSON.parse(stdout));
  });
  return series.map(({ subject: { specifier }, ...rest }) => ({ name: specifier, ...rest }));
}
