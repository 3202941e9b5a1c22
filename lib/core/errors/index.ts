/** Errors of a login, and what keeps secrets out of them. */
export * from './errors.js';
export { hideSecrets, inspectAs } from './inspection.js';
export { cleanIdentifier, cleanLine, cleanText, secretsIn } from './redaction.js';
