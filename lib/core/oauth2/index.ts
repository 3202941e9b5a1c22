/** OAuth 2: the class between passport-oauth2 and the networks. */
export type { BroughtCode, ExchangeOptions } from './brought-code.js';
export * from './strategy.js';
export * from './token-endpoint.js';
export * from './tokens.js';
