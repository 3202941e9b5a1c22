import { OptionReader } from '../../lib/core/options/index.js';

export const KNOWN = [
  'clientID',
  'clientSecret',
  'callbackURL',
  'scope',
  'tokenURL',
  'agent',
  'timeout',
  'profileFields',
];
const ALIASES = { clientId: 'clientID', accessTokenUrl: 'tokenURL' };
const NOTES = { email: 'the network has none' };

/** Reads the options of a strategy called `TheStrategy`. */
export const reader = (given: unknown) => new OptionReader('TheStrategy', given, KNOWN, ALIASES, NOTES);
