// @ts-check
import { start } from '../shared/server.mjs';
import { createApp } from './app.js';
import { cookieSessions } from './cookie-session.js';
import { createSessionlessApp } from './sessionless.js';

switch (process.argv[2]) {
  case 'cookie-session':
    await start((settings) => createApp({ ...settings, sessions: cookieSessions }));
    break;
  case 'sessionless':
    await start(createSessionlessApp);
    break;
  default:
    await start(createApp);
}
