import fc from 'fast-check';
import type { Step } from '../world/honest-responses.js';
import type { HostileResponse } from '../world/hostile-response.js';
import type { Script } from '../world/network.js';
import type { Subject } from '../world/subjects.js';
import { identifierScripts } from './identifiers.js';
import { responsesTo } from './responses.js';

/** A login, or a call with a token, with generated responses from the network. */
export interface ResponsesRun {
  /** Index among the subject's calls; -1 for a login. */
  readonly call: number;
  readonly script: Script;
  readonly owner: number;
  /** Whether the deadline leaves time for retries. */
  readonly allowsRetries: boolean;
}

/** An honest response with a new token each time. */
const FRESH_REQUEST_TOKEN =
  'oauth_token=«newToken:plain»&oauth_token_secret=x0123456789&oauth_callback_confirmed=true';

/** Runs with hostile responses from a random step on. The earlier steps are honest. */
export function responseRuns(subject: Subject): fc.Arbitrary<ResponsesRun> {
  const responses = (step: Step): fc.Arbitrary<readonly HostileResponse[]> =>
    fc.array(
      responsesTo(step === 'request-token' ? FRESH_REQUEST_TOKEN : (subject.honest[step]?.(1) ?? {})),
      {
        minLength: 1,
        maxLength: 2,
      },
    );
  const owner = fc.constant(1);
  const allowsRetries = fc.oneof(
    { weight: 3_999, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  const logins = subject.steps.map((step, index) => {
    const later = subject.steps.slice(index + 1);
    const rest = Object.fromEntries(
      later.map((name) => [name, fc.option(responses(name), { nil: undefined, freq: 2 })]),
    );
    const script = fc
      .record({ [step]: responses(step), ...rest })
      .map(
        (all) => Object.fromEntries(Object.entries(all).filter(([, list]) => list !== undefined)) as Script,
      );
    return { weight: 20, arbitrary: fc.record({ call: fc.constant(-1), script, owner, allowsRetries }) };
  });
  const calls = subject.calls.map(({ step }, call) => {
    const script = fc.record({ [step]: responses(step) }) as fc.Arbitrary<Script>;
    return { weight: 8, arbitrary: fc.record({ call: fc.constant(call), script, owner, allowsRetries }) };
  });
  const honest = fc.record({
    call: fc.constant(-1),
    script: fc.constant({}),
    owner,
    allowsRetries: fc.constant(true),
  });
  const wrongIDs = fc.record({
    call: fc.constant(-1),
    script: identifierScripts(subject),
    owner,
    allowsRetries: fc.constant(false),
  });
  return fc.oneof(...logins, ...calls, { weight: 2, arbitrary: wrongIDs }, { weight: 2, arbitrary: honest });
}
