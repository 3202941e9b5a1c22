import fc from 'fast-check';
import type { Step } from '../world/honest-answers.js';
import type { HostileAnswer } from '../world/hostile-answer.js';
import type { Script } from '../world/network.js';
import type { Subject } from '../world/subjects.js';
import { answersTo } from './answers.js';
import { identifierScripts } from './identifiers.js';

/** One login, or one call with a token, in which the network answers what it likes. */
export interface AnswersRun {
  /** Index among the subject's calls; -1 for a login. */
  readonly call: number;
  readonly script: Script;
  readonly owner: number;
  /** Whether requests have time enough to be repeated. */
  readonly patient: boolean;
}

/** The honest answer, with a token that is another one each time it goes out. */
const FRESH_REQUEST_TOKEN =
  'oauth_token=«newToken:plain»&oauth_token_secret=x0123456789&oauth_callback_confirmed=true';

/** Runs with hostile answers from one step on; the steps before it are honest. */
export function answerRuns(subject: Subject): fc.Arbitrary<AnswersRun> {
  const answers = (step: Step): fc.Arbitrary<readonly HostileAnswer[]> =>
    fc.array(answersTo(step === 'request-token' ? FRESH_REQUEST_TOKEN : (subject.honest[step]?.(1) ?? {})), {
      minLength: 1,
      maxLength: 2,
    });
  const owner = fc.constant(1);
  const patient = fc.oneof(
    { weight: 3_999, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  const logins = subject.steps.map((step, index) => {
    const later = subject.steps.slice(index + 1);
    const rest = Object.fromEntries(
      later.map((name) => [name, fc.option(answers(name), { nil: undefined, freq: 2 })]),
    );
    const script = fc
      .record({ [step]: answers(step), ...rest })
      .map(
        (all) => Object.fromEntries(Object.entries(all).filter(([, list]) => list !== undefined)) as Script,
      );
    return { weight: 20, arbitrary: fc.record({ call: fc.constant(-1), script, owner, patient }) };
  });
  const calls = subject.calls.map(({ step }, call) => {
    const script = fc.record({ [step]: answers(step) }) as fc.Arbitrary<Script>;
    return { weight: 8, arbitrary: fc.record({ call: fc.constant(call), script, owner, patient }) };
  });
  const honest = fc.record({
    call: fc.constant(-1),
    script: fc.constant({}),
    owner,
    patient: fc.constant(true),
  });
  const misnamed = fc.record({
    call: fc.constant(-1),
    script: identifierScripts(subject),
    owner,
    patient: fc.constant(false),
  });
  return fc.oneof(...logins, ...calls, { weight: 2, arbitrary: misnamed }, { weight: 2, arbitrary: honest });
}
