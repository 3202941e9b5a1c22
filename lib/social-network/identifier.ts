import { exactIdentifier, member } from '../core/answer.js';
import type { CurrentLogin } from '../core/oauth2-network.js';

/** A person's number, digit by digit, from an answer's exact text. */
export function identifier(
  answer: { readonly text: string; readonly body: unknown },
  pick: (answer: unknown) => unknown,
): string | undefined {
  const digits = exactIdentifier(answer, pick);
  return digits !== undefined && /^[1-9]\d*$/.test(digits) ? digits : undefined;
}

/** The person of an answer to `users.get`, which is a list of one. */
export function firstPerson(answer: unknown): unknown {
  const people = member(answer, 'response');
  return Array.isArray(people) ? people[0] : undefined;
}

/**
 * The person that a token answer names.
 *
 * @returns `undefined` when it names none; a text that no identifier equals when its `user_id` is none.
 */
export function tokenIdentifier({ params, text }: CurrentLogin): string | undefined {
  if (member(params, 'user_id') === undefined || member(params, 'user_id') === null) return undefined;
  return identifier({ text, body: params }, (answer) => member(answer, 'user_id')) ?? '';
}
