import { join } from 'node:path';

/** Where the examples are. */
export const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');

/** The examples of frameworks. */
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
