// @ts-check
// Runs the sandbox that all instances share.
import { startSandbox } from 'passport-social-networks-sandbox';
import { PEOPLE } from './people.js';
import { shareSandbox } from './shared-sandbox.js';

process.send?.(shareSandbox(await startSandbox({ people: PEOPLE })));
process.once('disconnect', () => process.exit());
