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
