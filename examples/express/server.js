// @ts-check
import { start } from '../shared/server.mjs';
import { createApp } from './app.js';
import { cookieSessions } from './cookie-session.js';
import { createSessionlessApp } from './sessionless.js';

const kind = process.argv[2];
if (kind === 'sessionless') await start(createSessionlessApp);
else if (kind === 'cookie-session')
  await start((settings) => createApp({ ...settings, sessions: cookieSessions }));
else await start(createApp);
