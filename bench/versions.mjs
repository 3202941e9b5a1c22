// This package, as it was built in this checkout.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Its name in the tables. */
export const OURS = 'passport-social-networks';
export const ROOT = dirname(import.meta.dirname);
const ENTRY = join(ROOT, 'dist', 'index.js');

/** The version in its package.json, or in that of another package that the benchmark installs. @param {string} [name] @returns {string} */
export function versionOf(name) {
  const folder = name === undefined ? ROOT : join(ROOT, 'bench/node_modules', name);
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}

/** Its main entry. @returns {any} @throws {Error} when the package is not built. */
export function builtPackage() {
  if (!existsSync(ENTRY)) throw new Error('Nothing is built: run "npm ci && npm run build" first.');
  return createRequire(import.meta.url)(ENTRY);
}
