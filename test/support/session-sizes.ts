import { join } from 'node:path';

/** Environment that makes an application print the sizes of the sessions that it stores. */
export const PRINT_SESSION_SIZES = { NODE_OPTIONS: `--require ${join(__dirname, 'session-sizes.cjs')}` };
