// The versions of Node that this package is tested on, installed from npm packages, which exist for Linux (x64, arm64).
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { run } from './process.mjs';

/** The oldest version that `engines` allows, and the newest of each later line with long-term support, now or later. */
export const NODE_VERSIONS = ['20.19.0', '22.23.3', '24.21.0', '26.9.0'];

/** Where the versions are installed; `npm ci` removes them. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/node-versions');

/**
 * Installs the versions of Node that are not installed yet.
 *
 * @param {readonly string[]} [versions]
 * @returns {Promise<Map<string, string>>} The executable for each version.
 */
export async function installNodes(versions = NODE_VERSIONS) {
  const missing = versions.filter((version) => !existsSync(executableOf(version)));
  if (missing.length > 0) await install(missing);
  return new Map(versions.map((version) => [version, executableOf(version)]));
}

/** @param {string} version */
function executableOf(version) {
  return join(CACHE, version, 'bin/node');
}

/** @param {readonly string[]} versions */
async function install(versions) {
  const dependencies = Object.fromEntries(
    versions.map((version) => [version, `npm:node-${process.platform}-${process.arch}@${version}`]),
  );
  mkdirSync(CACHE, { recursive: true });
  // Moved when it is complete, so that nobody finds half of a version.
  const folder = mkdtempSync(join(CACHE, 'new-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const { output, status } = await run('npm install --no-bin-links', { cwd: folder, timeout: 300_000 });
  if (status !== 0) throw new Error(`Node ${versions.join(', ')} cannot be installed:\n${output}`);
  for (const version of versions) {
    if (!existsSync(executableOf(version)))
      renameSync(join(folder, 'node_modules', version), join(CACHE, version));
  }
  rmSync(folder, { recursive: true });
}

/**
 * Builds an environment in which `node` is the given executable, for child processes too.
 *
 * @param {string} node - Path of the executable.
 * @param {readonly string[]} [folders] - Folders to put first on the PATH.
 */
export function environmentOf(node, folders = []) {
  return { PATH: [...folders, dirname(node), process.env.PATH ?? ''].join(delimiter) };
}
