import fc from 'fast-check';
import { bodyText } from '../world/honest-responses.js';
import { plainResponse } from '../world/hostile-response.js';
import type { Script } from '../world/network.js';
import type { Subject } from '../world/subjects.js';
import { user } from '../world/users.js';
import { NUMBERS } from './json.js';

const OWNER = 1;

/** Replacements for an ID: invalid IDs, and IDs that a parser could change. */
const IDENTIFIERS = [
  ...NUMBERS,
  '4503599627370496.4',
  '9007199254740993.0',
  '0900719925474099',
  'null',
  'true',
  '[1]',
  '{"a":1}',
  '"1"',
  '1 ',
  '\\u0031',
  '\\ud800',
  '',
  'constructor',
] as const;

/** Honest responses with every ID replaced by the same string, so that comparing the IDs does not detect it. */
export function identifierScripts(subject: Subject): fc.Arbitrary<Script> {
  const steps = subject.steps.filter((step) => step !== 'request-token');
  const texts = steps.map((step) => [step, bodyText(subject.honest[step]?.(OWNER) ?? {})] as const);
  return fc
    .record({ identifier: fc.constantFrom(...IDENTIFIERS), isNamed: fc.boolean() })
    .map(({ identifier, isNamed }) => {
      const responses = texts.map(([step, text]) => {
        const anonymous =
          step === 'token' && !isNamed ? text.replace(/"(user_id|open_id)":/, '"nobody":') : text;
        return [step, [plainResponse(anonymous.replaceAll(user(OWNER).id, () => identifier))]];
      });
      return Object.fromEntries(responses) as Script;
    });
}
