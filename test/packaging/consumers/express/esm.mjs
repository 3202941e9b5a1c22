import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import shortVideo, { Strategy } from 'passport-social-networks/short-video';
import './program.js';

// `import` and `require` load the same classes.
const required = createRequire(import.meta.url)('passport-social-networks/short-video');
assert.equal(Strategy, required.Strategy);
assert.equal(shortVideo, required.default);
