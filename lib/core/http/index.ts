/** The HTTP client of a strategy, and the formats of requests and responses. */
export * from './client.js';
export * from './formats.js';
