/** Everything that talks HTTP, and the formats on the wire: JSON, forms, URLs. */
export * from './client.js';
export * from './forms.js';
export * from './json.js';
export * from './transport.js';
