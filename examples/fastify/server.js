// @ts-check
import { createApp } from './app.js';
import { readSettings } from './networks.js';

const settings = await readSettings();
const app = await createApp(settings);
const url = await app.listen({ port: settings.port, host: '127.0.0.1' });
console.log(`Log in at ${url}`);
