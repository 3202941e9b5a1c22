/** Everything that talks HTTP, and the formats on the wire. */
export * from './client.js';
export * from './encoding.js';
export * from './transport.js';
