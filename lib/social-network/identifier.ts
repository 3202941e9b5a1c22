import { exactIdentifier, member } from '../core/answer.js';

/** A person's number, digit by digit, from an answer's exact text. */
export function identifier(text: string, pick: (answer: unknown) => unknown): string | undefined {
  const digits = exactIdentifier(text, pick);
  return digits !== undefined && /^[1-9]\d*$/.test(digits) ? digits : undefined;
}

/** The person of an answer to `users.get`, which is a list of one. */
export function firstPerson(answer: unknown): unknown {
  const people = member(answer, 'response');
  return Array.isArray(people) ? people[0] : undefined;
}
