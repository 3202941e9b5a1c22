// The versions of this package that are measured: this checkout, and with --baseline an earlier one.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The name of this checkout in the tables. */
export const OURS = 'passport-social-networks';
/** The name of the earlier checkout in the tables. */
export const BASELINE = `${OURS} (baseline)`;
export const ROOT = dirname(import.meta.dirname);

/** @typedef {{ client: string, folder: string, version: string }} Version - `client`: `OURS` or `BASELINE`; `folder`: a checkout, built, with its dependencies. */

/** @param {string} [baseline] - Folder of the earlier checkout. @returns {Version[]} This checkout first. @throws {Error} when a folder is no checkout of this package, or is not built. */
export const versionsOf = (baseline) => [
  versionIn(OURS, ROOT),
  ...(baseline === undefined ? [] : [versionIn(BASELINE, baseline)]),
];

/** @param {string} client @param {string} folder @returns {Version} */
function versionIn(client, folder) {
  const manifest = join(folder, 'package.json');
  const { name, version } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  if (name !== OURS) throw new Error(`${folder} is not a checkout of ${OURS}.`);
  if (existsSync(join(folder, 'dist', 'index.js'))) return { client, folder, version };
  throw new Error(`${folder} is not built: run "npm ci && npm run build" there.`);
}

/** The package's main entry, as the build left it. @param {{ folder: string }} [version] - Default: this checkout. @returns {any} */
export const builtPackage = ({ folder } = { folder: ROOT }) =>
  createRequire(import.meta.url)(join(folder, 'dist', 'index.js'));
