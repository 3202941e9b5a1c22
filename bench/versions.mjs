// The versions of this package that are measured: this checkout, and with --baseline an earlier one.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The name of this checkout in the tables. */
export const OURS = 'passport-social-networks';
/** The name of the earlier checkout in the tables. */
export const BASELINE = `${OURS} (baseline)`;
export const ROOT = dirname(import.meta.dirname);

/**
 * @typedef {object} Version
 * @property {string} client - `OURS` or `BASELINE`.
 * @property {string} folder - A checkout with its `dist/` built and its dependencies installed.
 * @property {string} version - As its package.json says.
 */

/**
 * @param {string} [baseline] - Folder of the earlier checkout.
 * @returns {Version[]} This checkout first.
 * @throws {Error} when a folder is no checkout of this package, or is not built.
 */
export function versionsOf(baseline) {
  return [versionIn(OURS, ROOT), ...(baseline === undefined ? [] : [versionIn(BASELINE, baseline)])];
}

/** @param {string} client @param {string} folder @returns {Version} */
function versionIn(client, folder) {
  const manifest = join(folder, 'package.json');
  const { name, version } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  if (name !== OURS) throw new Error(`${folder} is not a checkout of ${OURS}.`);
  if (!existsSync(join(folder, 'dist', 'index.js'))) {
    throw new Error(`${folder} is not built: run "npm ci && npm run build" there.`);
  }
  return { client, folder, version };
}

/** The package's main entry, as the build left it. @param {Version} version @returns {any} */
export const builtPackage = ({ folder }) => createRequire(import.meta.url)(join(folder, 'dist', 'index.js'));
