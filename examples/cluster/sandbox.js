// @ts-check
// Runs the sandbox that all instances share.
import { startSandbox } from 'passport-social-networks-sandbox';
import { PEOPLE } from './people.js';

const { url, options } = await startSandbox({ people: PEOPLE });
/** @type {import('./shared-sandbox.js').SharedSandbox} */
const shared = {
  url,
  options: {
    'short-video': options('short-video'),
    microblog: options('microblog'),
    'microblog 1.0': options('microblog', { version: '1.0' }),
    'social-network': options('social-network'),
    'social-network 2.1': options('social-network', { version: '2.1' }),
  },
};
process.send?.(shared);
process.once('disconnect', () => process.exit());
