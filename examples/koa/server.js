// @ts-check
import { start } from '../shared/server.mjs';
import { createApp } from './app.js';

await start((settings) => createApp(settings).callback());
