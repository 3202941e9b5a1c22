import fc from 'fast-check';
import { bodyText } from '../world/honest-answers.js';
import { plainAnswer } from '../world/hostile-answer.js';
import type { Script } from '../world/network.js';
import { person } from '../world/people.js';
import type { Subject } from '../world/subjects.js';
import { NUMBERS } from './json.js';

const OWNER = 1;

/** Texts in the place of an identifier that are none, or are another one than they look like. */
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

/** Honest answers in which each identifier is another text; one and the same, so that comparing them is no help. */
export function identifierScripts(subject: Subject): fc.Arbitrary<Script> {
  const steps = subject.steps.filter((step) => step !== 'request-token');
  const texts = steps.map((step) => [step, bodyText(subject.honest[step]?.(OWNER) ?? {})] as const);
  return fc
    .record({ identifier: fc.constantFrom(...IDENTIFIERS), isNamed: fc.boolean() })
    .map(({ identifier, isNamed }) => {
      const answers = texts.map(([step, text]) => {
        const anonymous =
          step === 'token' && !isNamed ? text.replace(/"(user_id|open_id)":/, '"nobody":') : text;
        return [step, [plainAnswer(anonymous.replaceAll(person(OWNER).id, () => identifier))]];
      });
      return Object.fromEntries(answers) as Script;
    });
}
