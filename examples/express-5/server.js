// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from './app.js';
import { readSettings } from './networks.js';

const settings = await readSettings();
const server = createServer(createApp(settings)).listen(settings.port, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
console.log(`Log in at http://127.0.0.1:${typeof address === 'object' && address?.port}`);
