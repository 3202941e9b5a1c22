import { exactIdentifier } from '../core/answer.js';

/** A person's number, digit by digit, from an answer's exact text. */
export function identifier(text: string, pick: (answer: unknown) => unknown): string | undefined {
  const digits = exactIdentifier(text, pick);
  return digits !== undefined && /^[1-9]\d*$/.test(digits) ? digits : undefined;
}
