/** OAuth 1.0a: the class between passport-oauth1 and the networks. */
export * from './strategy.js';
