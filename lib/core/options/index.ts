/** Reading the options of a strategy. */
export * from './login-options.js';
export * from './option-table.js';
