/** OAuth 2: the class between passport-oauth2 and the networks. */
export * from './strategy.js';
export * from './token-endpoint.js';
