// @ts-check
// Settings that the environment lacks. The embedded database and its secrets lie in one folder, so that a restart signs nobody out.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { env } = process;
const SECRETS = ['SESSION_SECRET', 'LOGIN_SECRET', 'TOKEN_KEY'];

if (env.DATABASE_URL) {
  // Each machine would make others.
  const missing = SECRETS.filter((name) => !env[name]);
  if (missing.length > 0) {
    console.error(`With DATABASE_URL, set ${missing.join(', ')}, too: openssl rand -base64 32`);
    process.exit(1);
  }
} else {
  const folder = env.DATA_FOLDER || join(import.meta.dirname, 'data');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  env.DATABASE_FILE ||= join(folder, 'accounts.sqlite');
  for (const name of SECRETS) env[name] ||= readSecret(join(folder, name.toLowerCase()));
}

/** Reads a secret, and makes it once. @param {string} file */
function readSecret(file) {
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
