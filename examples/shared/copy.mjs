// @ts-check
// Copies an example into the current folder, whose package.json has other versions of its packages: node ../shared/copy.mjs ../express
import { cpSync } from 'node:fs';
import { basename } from 'node:path';

const KEPT = ['package.json', 'node_modules', 'dist', 'README.md', 'biome.json'];

cpSync(String(process.argv[2]), '.', { recursive: true, filter: (path) => !KEPT.includes(basename(path)) });
