/** Errors of a login, how a failed request becomes one, and what keeps secrets out of them. */
export type { LoginStep, RefusalMeaning } from '../facts.js';
export * from './errors.js';
export * from './failed-request.js';
export * from './inspection.js';
export { cleanIdentifier, cleanLine, cleanText, secretsIn } from './redaction.js';
