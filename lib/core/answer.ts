import { type LoginStep, MalformedError } from './errors.js';
import type { Answer } from './exchange.js';

/** A JSON object as parsed: nothing is known about its members. */
export type JSONObject = { readonly [name: string]: unknown };

/** Where an answer came from, for errors. */
export interface AnswerOrigin {
  readonly provider: string;
  readonly step: LoginStep;
}

export function isObject(value: unknown): value is JSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own member of a parsed object: a `__proto__` or `constructor` of the network's is never looked up. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * A copy of an object with more members, which win. Objects made so are of one hidden class, which those of `{ ...one, ...more }` are not
 * in Node 20; `Object.assign` would take a `__proto__` of the network's for the prototype.
 */
export function withMembers<T extends object, M extends object>(members: T, more: M): T & M {
  return { __proto__: Object.prototype, ...members, ...more } as unknown as T & M;
}

/** Reads an own member that is a non-empty text. */
export function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/**
 * Parses an answer as a JSON object, whatever its content type says: the networks mislabel theirs.
 *
 * @throws {@link MalformedError} when it is anything else.
 */
export function readJSONObject(answer: Answer, origin: AnswerOrigin): JSONObject {
  const parsed = answer.wellFormed ? tryJSON(answer.text) : undefined;
  if (isObject(parsed)) return parsed;
  throw unreadable(answer, origin, 'a JSON object');
}

/** Parses text as JSON; `undefined` when it is none. */
export function tryJSON(text: string): unknown {
  // A form, a page: making the error that nobody reads cost a tenth of an OAuth 1.0a login.
  if (!/^\s*[[{"\-\dtfn]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses an answer as a form (`a=1&b=2`), each name once.
 *
 * @throws {@link MalformedError} when a name comes twice or nothing is there.
 */
export function readForm(answer: Answer, origin: AnswerOrigin): Record<string, string> {
  const pairs = [...new URLSearchParams(answer.text)];
  const form = Object.fromEntries(pairs);
  if (!answer.wellFormed || pairs.length === 0 || Object.keys(form).length !== pairs.length) {
    throw unreadable(answer, origin, 'a form with each name once');
  }
  return form;
}

/** An error that describes an answer without quoting it: a body that cannot be read may hold a token anywhere. */
export function unreadable(answer: Answer, origin: AnswerOrigin, expected: string): MalformedError {
  return new MalformedError({
    ...origin,
    code: 'unreadable_answer',
    networkStatus: answer.status,
    message: `expected ${expected}, but HTTP ${answer.status} brought ${describe(answer)}.`,
    remedy:
      answer.status >= 500
        ? 'The network has a fault; try again later.'
        : 'Check the address in the options, and for a proxy or a captive page in between.',
  });
}

/**
 * No identifier, no login: the error for a record without one, or with another person's than the token answer named.
 *
 * @param found - Continues the sentence "the answer has ...".
 */
export function identifierError(
  origin: AnswerOrigin,
  code: 'identifier_missing' | 'identifier_mismatch',
  found: string,
): MalformedError {
  const remedy = 'Nobody is logged in without a certain identifier. Check the addresses in the options.';
  return new MalformedError({ ...origin, code, message: `the answer has ${found}.`, remedy });
}

function describe(answer: Answer): string {
  const text = answer.text.trim();
  if (text === '') return 'an empty body';
  const length = `${answer.text.length} characters`;
  if (!answer.wellFormed) return `text that is not UTF-8 (${length})`;
  if (text.startsWith('<')) return `a page (HTML or XML, ${length})`;
  const parsed = tryJSON(text);
  if (parsed === null) return 'JSON null';
  if (Array.isArray(parsed)) return `a JSON array (${length})`;
  if (parsed !== undefined) return `a JSON ${typeof parsed} (${length})`;
  return `text (${length})`;
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** What may be a number that parsing rounds: long, or with a fraction or an exponent. In a text it does no harm to find one. */
const ROUNDED_NUMBER = /[:,[]\s*-?(?:\d{16}|\d+[.eE])/;

/** Long integers become texts. Numbers with a fraction or an exponent are rounded, too, and identify nobody. */
function exactToken(token: string): string {
  if (token.startsWith('"') || /^-?\d{1,15}$/.test(token)) return token;
  return /^-?\d+$/.test(token) ? `"${token}"` : 'null';
}

/**
 * Reads an identifier that the network sends as a number, digit by digit: JavaScript rounds integers beyond 2^53, and a
 * rounded identifier is another person's.
 *
 * @param answer - Its text, known to be JSON, and the same parsed.
 * @param pick - Finds the identifier in the parsed answer.
 * @returns The digits, or a text identifier as it is; `undefined` for anything that is neither.
 */
export function exactIdentifier(
  { text, body }: { readonly text: string; readonly body: unknown },
  pick: (parsed: unknown) => unknown,
): string | undefined {
  // Strings and numbers are the only JSON tokens with quotes or digits, so replacing numbers keeps it JSON.
  const exact = ROUNDED_NUMBER.test(text) ? tryJSON(text.replace(JSON_TOKEN, exactToken)) : body;
  const identifier = pick(exact);
  if (typeof identifier === 'number') return String(identifier);
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}
