/** Errors of a login, and what keeps secrets out of them. */
export * from './errors.js';
export { hideProperties, inspectAs } from './inspection.js';
export { cleanIdentifier, cleanLine, cleanText, Secrets } from './redaction.js';
