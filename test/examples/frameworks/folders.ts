import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The folder with all examples. */
export const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');

/** The framework examples. */
export const FOLDERS = [
  'cookie-session',
  'express-4',
  'express-5',
  'fastify',
  'koa',
  'nestjs-11',
  'nestjs-12',
  'sessionless',
] as const;

// Loads a package as the example in the folder resolves it.
// biome-ignore lint/suspicious/noExplicitAny: not all of them have types.
export const from = (folder: string, name: string): any =>
  createRequire(join(EXAMPLES, folder, 'package.json'))(name);
