// This package, as it was built in this checkout.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Its name in the tables. */
export const OURS = 'passport-social-networks';
export const ROOT = dirname(import.meta.dirname);
const ENTRY = join(ROOT, 'dist', 'index.js');

/** @returns {string} @throws {Error} when the package is not built. */
export function version() {
  if (!existsSync(ENTRY)) throw new Error('Nothing is built: run "npm ci && npm run build" first.');
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}

/** Its main entry. @returns {any} */
export const builtPackage = () => createRequire(import.meta.url)(ENTRY);
