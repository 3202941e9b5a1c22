// @ts-check

import { readSettings } from '../shared/networks.mjs';
import { createApp } from './app.js';

const settings = await readSettings();
const app = await createApp(settings);
const url = await app.listen({ port: settings.port, host: '127.0.0.1' });
console.log(`Log in at ${url}`);
